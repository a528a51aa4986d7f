// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a binding table holds, and the rules D1 to D9 of what it may hold. Every
// function here checks; none of them changes anything.
#pragma once

#include <cstddef>
#include <vector>

#include "d3d12/buffer.h"
#include "directml/operator_initializer.h"

namespace anydml::directml {

// A bound range of a buffer; nothing when `memory` is null. Holds the bytes and
// not the resource, which the program may release.
struct BufferRange {
  std::shared_ptr<d3d12::Memory> memory;
  const void* resource = nullptr;  // which one: for comparison only
  std::byte* begin = nullptr;
  uint64_t bytes = 0;
  uint64_t offset = 0;  // of `begin` in the buffer

  bool bound() const { return memory != nullptr; }
  bool Overlaps(const BufferRange& other) const {
    return bound() && other.bound() && begin < other.begin + other.bytes &&
           other.begin < begin + bytes;
  }
  bool Equals(const BufferRange& other) const {
    return begin == other.begin && bytes == other.bytes;
  }
};

// What a table binds for: at most one of the two.
struct Dispatchable {
  ComPtr<CompiledOperator> compiled;
  ComPtr<OperatorInitializer> initializer;

  bool Is(const Dispatchable& other) const {
    return compiled.Get() == other.compiled.Get() && initializer.Get() == other.initializer.Get();
  }
  bool empty() const { return compiled == nullptr && initializer == nullptr; }
};

// Ours, of this device; empty otherwise.
Dispatchable FindDispatchable(const Device& device, IDMLDispatchable* object);

// All that is bound. Inputs of an initializer are arrays, one per operator, and
// its bindings hold for the generation that they were checked against.
struct BoundRanges {
  std::vector<BufferRange> inputs;
  std::vector<std::vector<BufferRange>> input_arrays;
  std::vector<BufferRange> outputs;
  BufferRange temporary;
  BufferRange persistent;
  uint64_t input_generation = 0;
  uint64_t output_generation = 0;
};

using BindingArray = std::span<const DML_BINDING_DESC>;

// For a compiled operator.
Result<std::vector<BufferRange>> ReadInputs(const CompiledOperator& op, BindingArray bindings);
Result<std::vector<BufferRange>> ReadOutputs(const CompiledOperator& op, BindingArray bindings);

// For an initializer: owned inputs and persistent resources.
Result<std::vector<std::vector<BufferRange>>> ReadInputArrays(
    const OperatorInitializer& initializer, BindingArray bindings);
Result<std::vector<BufferRange>> ReadOutputs(const OperatorInitializer& initializer,
                                             BindingArray bindings);

// A temporary or persistent resource of at least `bytes` (D5).
Result<BufferRange> ReadResource(const Device& device, const DML_BINDING_DESC* binding,
                                 std::string_view name, uint64_t bytes);

// What can only be told when everything is bound: D2, D6, D7, D8, D10. The note is for
// the debug output, once `bound` is of no use any more: a callback may bind anew.
Status CheckExecution(const CompiledOperator& op, const BoundRanges& bound, std::string& note);
Status CheckInitialization(const OperatorInitializer& initializer, const BoundRanges& bound);

}  // namespace anydml::directml
