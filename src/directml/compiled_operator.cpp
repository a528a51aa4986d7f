// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "directml/compiled_operator.h"

#include "base/checked_math.h"

namespace anydml::directml {
namespace {

// Sizes beyond 64 bits are reported as the largest number: no buffer is that
// large, so the operator cannot be initialised.
PersistentLayout LayOut(const graph::Program& program) {
  PersistentLayout layout;
  layout.offsets.resize(program.inputs.size());
  std::optional<uint64_t> bytes = 0;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    if (!program.inputs[i].owned) continue;
    layout.offsets[i] = bytes.value_or(0);
    bytes = CheckedRoundUp(CheckedAdd(bytes, program.inputs[i].bytes), kPersistentAlignment);
  }
  layout.bytes = bytes.value_or(~uint64_t{0});
  return layout;
}

}  // namespace

CompiledOperator::CompiledOperator(Device& device, std::shared_ptr<const graph::Program> program,
                                   DML_EXECUTION_FLAGS flags)
    : DeviceChild(device),
      program_(std::move(program)),
      flags_(flags),
      persistent_(LayOut(*program_)) {}

// At least one descriptor: programs create heaps of exactly this size, and a
// heap of none does not exist. Nothing is kept in them.
DML_BINDING_PROPERTIES CompiledOperator::GetBindingProperties() {
  return {1, program_->temporary_bytes, persistent_.bytes};
}

}  // namespace anydml::directml
