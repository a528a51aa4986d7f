// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The rules that concern all bindings of a dispatch together: that nothing is
// missing (D2, D5, D10), and what may overlap (D6, D7, D8). Ranges are compared
// by address, so buffers placed over each other in one heap are seen too.
#include <algorithm>

#include "directml/binding.h"

namespace anydml::directml {
namespace {

using graph::Slot;

bool NeedsBinding(const Slot& slot) { return slot.bytes != 0 && !slot.owned; }

Error Missing(std::string_view owner, std::string_view what) {
  return InvalidArgument(
      fmt::format("{}: {} must be bound before it is recorded, or with "
                  "DESCRIPTORS_VOLATILE before it is submitted",
                  owner, what));
}

// Initializers have no DESCRIPTORS_VOLATILE.
Error MissingForInitializer(std::string_view owner, std::string_view what) {
  return InvalidArgument(
      fmt::format("{}: {} must be bound before the initializer is recorded", owner, what));
}

Status CheckPresent(const CompiledOperator& op, const BoundRanges& bound) {
  const graph::Program& program = *op.program();
  if (bound.inputs.empty() && std::ranges::any_of(program.inputs, NeedsBinding)) {
    return Missing(program.name, "the inputs");
  }
  if (bound.outputs.empty()) return Missing(program.name, "the outputs");
  if (program.temporary_bytes != 0 && !bound.temporary.bound()) {
    return Missing(program.name,
                   fmt::format("a temporary resource of {} bytes", program.temporary_bytes));
  }
  if (op.persistent().bytes != 0 && !bound.persistent.bound()) {
    return Missing(program.name,
                   fmt::format("a persistent resource of {} bytes", op.persistent().bytes));
  }
  return {};
}

// D6 and B23.
Status CheckInPlace(const CompiledOperator& op, const BoundRanges& bound, uint32_t input,
                    uint32_t output, std::string& note) {
  const graph::Program& program = *op.program();
  const BufferRange& read = bound.inputs[input];
  const BufferRange& written = bound.outputs[output];
  if (!read.Overlaps(written) || program.inputs[input].bytes == 0) return {};
  const std::string& in = program.inputs[input].name;
  const std::string& out = program.outputs[output].name;
  if (!read.Equals(written)) {
    return InvalidArgument(fmt::format(
        "{}: the ranges of {}, {} bytes from {}, and of {}, {} bytes from {}, overlap and are not "
        "the same",
        program.name, out, written.bytes, written.offset, in, read.bytes, read.offset));
  }
  if (!graph::MayAlias(program, input, output)) {
    return InvalidArgument(
        fmt::format("{}: {} is bound to the range of {}, and does not run in "
                    "place on it",
                    program.name, out, in));
  }
  if (op.MayTellOfRunningInPlace()) {
    note = fmt::format(
        "{}: {} runs in place on {}; DirectML promises this where the operator's page says so",
        program.name, out, in);
  }
  return {};
}

Status CheckOutput(const CompiledOperator& op, const BoundRanges& bound, uint32_t output,
                   std::string& note) {
  const graph::Program& program = *op.program();
  if (program.outputs[output].bytes == 0) return {};  // nobody writes it
  for (uint32_t i = 0; i < bound.inputs.size(); ++i) {
    Status status = CheckInPlace(op, bound, i, output, note);
    if (!status.ok()) return status;
  }
  // D8 is about the bytes that are written: programs often bind to the end of a
  // buffer in which several outputs lie.
  const auto written = [&](uint32_t i) {
    BufferRange area = bound.outputs[i];
    area.bytes = program.outputs[i].bytes;
    return area;
  };
  for (uint32_t i = 0; i < output; ++i) {
    if (program.outputs[i].bytes == 0 || !written(i).Overlaps(written(output))) continue;
    return InvalidArgument(fmt::format("{}: the ranges of {} and {} overlap, and both are written",
                                       program.name, program.outputs[output].name,
                                       program.outputs[i].name));
  }
  const bool persists = op.persistent().bytes != 0;
  if (persists && bound.persistent.Overlaps(bound.outputs[output])) {
    return InvalidArgument(fmt::format("{}: the range of {} overlaps the persistent resource",
                                       program.name, program.outputs[output].name));
  }
  return {};
}

// D7: what is temporary has its bytes to itself.
Status CheckTemporary(const CompiledOperator& op, const BoundRanges& bound) {
  const graph::Program& program = *op.program();
  if (program.temporary_bytes == 0) return {};
  const auto overlaps = [&](const std::vector<Slot>& slots,
                            const std::vector<BufferRange>& ranges) {
    for (size_t i = 0; i < ranges.size(); ++i) {
      const bool used = slots[i].bytes != 0;
      if (used && bound.temporary.Overlaps(ranges[i])) return true;
    }
    return false;
  };
  const bool persists = op.persistent().bytes != 0;
  if (!overlaps(program.inputs, bound.inputs) && !overlaps(program.outputs, bound.outputs) &&
      !(persists && bound.temporary.Overlaps(bound.persistent))) {
    return {};
  }
  return InvalidArgument(
      fmt::format("{}: the temporary resource overlaps another binding", program.name));
}

// D7: at initialisation an input and an output share no resource at all.
Status CheckApart(const BoundRanges& bound) {
  for (const std::vector<BufferRange>& array : bound.input_arrays) {
    for (const BufferRange& input : array) {
      for (const BufferRange& output : bound.outputs) {
        const bool shared = input.resource == output.resource || input.Overlaps(output);
        if (!input.bound() || !shared) continue;
        return InvalidArgument("initializer: an input and a persistent resource are one buffer");
      }
    }
  }
  for (size_t i = 0; i < bound.outputs.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (!bound.outputs[k].Overlaps(bound.outputs[i])) continue;
      return InvalidArgument("initializer: two persistent resources overlap");
    }
  }
  return {};
}

}  // namespace

Status CheckExecution(const CompiledOperator& op, const BoundRanges& bound, std::string& note) {
  Status status = CheckPresent(op, bound);
  if (!status.ok()) return status;
  for (uint32_t i = 0; i < bound.outputs.size(); ++i) {
    status = CheckOutput(op, bound, i, note);
    if (!status.ok()) return status;
  }
  return CheckTemporary(op, bound);
}

Status CheckInitialization(const OperatorInitializer& initializer, const BoundRanges& bound) {
  const OperatorList& operators = initializer.operators();
  const uint64_t generation = initializer.generation();
  if ((!bound.input_arrays.empty() && bound.input_generation != generation) ||
      (!bound.outputs.empty() && bound.output_generation != generation)) {
    return InvalidArgument("initializer: it was reset after it was bound");
  }
  for (size_t i = 0; i < operators.size(); ++i) {
    const CompiledOperator& op = *operators[i].Get();
    if (op.initialization()->done()) {
      return InvalidArgument(fmt::format("{}: is initialised already", op.program()->name));
    }
    if (op.persistent().bytes == 0) continue;
    if (bound.outputs.empty() || !bound.outputs[i].bound()) {
      return MissingForInitializer(
          op.program()->name,
          fmt::format("a persistent resource of {} bytes", op.persistent().bytes));
    }
    if (bound.input_arrays.empty() || bound.input_arrays[i].empty()) {
      return MissingForInitializer(op.program()->name, "the inputs that are OWNED_BY_DML");
    }
  }
  return CheckApart(bound);
}

}  // namespace anydml::directml
