// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The rules that one binding must keep for itself: D1 to D5 and D9.
#include <algorithm>

#include "base/raw_value.h"
#include "directml/binding.h"

namespace anydml::directml {
namespace {

using graph::Slot;

enum class Access { kRead, kWrite };

// A buffer is written through an unordered access view, as everything that is
// bound to a table of DirectML.
Status CheckWritable(d3d12::Buffer& buffer) {
  D3D12_HEAP_PROPERTIES heap = {};
  buffer.GetHeapProperties(&heap, nullptr);
  if (heap.Type == D3D12_HEAP_TYPE_UPLOAD) {
    return InvalidArgument(
        "the buffer lies on an UPLOAD heap, which the device only reads; it must lie on a DEFAULT "
        "heap");
  }
  if (heap.Type == D3D12_HEAP_TYPE_READBACK) {
    return InvalidArgument(
        "the buffer lies on a READBACK heap, which only takes copies; it must lie on a DEFAULT "
        "heap");
  }
  if ((buffer.GetDesc1().Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) != 0) return {};
  return InvalidArgument(
      "the buffer must be created with D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS");
}

// D3 but for the alignment, which depends on what is bound.
Result<BufferRange> ReadRange(const Device& device, const DML_BUFFER_BINDING& binding,
                              Access access) {
  BufferRange range;
  if (binding.Buffer == nullptr) return range;
  const ComPtr<d3d12::Buffer> buffer = As<d3d12::Buffer>(binding.Buffer);
  if (buffer == nullptr || !device.IsSibling(binding.Buffer)) {
    return InvalidArgument("the buffer must be one of the device's ID3D12Device");
  }
  if (access == Access::kWrite) {
    Status status = CheckWritable(*buffer.Get());
    if (!status.ok()) return status.error();
  }
  const uint64_t width = buffer->size();
  if (binding.Offset > width || binding.SizeInBytes > width - binding.Offset) {
    return InvalidArgument(fmt::format(
        "Offset = {} and SizeInBytes = {} must lie inside the buffer, which has {} bytes",
        binding.Offset, binding.SizeInBytes, width));
  }
  d3d12::BufferRange bytes = buffer->Range(binding.Offset, binding.SizeInBytes);
  range.memory = std::move(bytes.memory);
  range.resource = binding.Buffer;
  range.begin = bytes.data;
  range.bytes = binding.SizeInBytes;
  range.offset = binding.Offset;
  return range;
}

// A BUFFER binding or NONE.
Result<BufferRange> ReadRange(const Device& device, const DML_BINDING_DESC& binding,
                              Access access) {
  switch (RawValue(binding.Type)) {
    case DML_BINDING_TYPE_NONE:
      return BufferRange();
    case DML_BINDING_TYPE_BUFFER:
      if (binding.Desc == nullptr) return InvalidArgument("Desc of the binding must not be null");
      return ReadRange(device, *static_cast<const DML_BUFFER_BINDING*>(binding.Desc), access);
    default:
      return InvalidArgument(
          fmt::format("Type = {} of the binding must be BUFFER or NONE", RawValue(binding.Type)));
  }
}

Error About(std::string_view owner, std::string_view name, const std::string& rest) {
  return InvalidArgument(fmt::format("{}: {}: {}", owner, name, rest));
}

// D3's alignment and D4.
Status CheckRange(const std::string& owner, const Slot& slot, const BufferRange& range) {
  if (range.offset % slot.alignment != 0) {
    return About(owner, slot.name,
                 fmt::format("Offset = {} must be a multiple of {}", range.offset, slot.alignment));
  }
  if (range.bytes < slot.bytes) {
    return About(owner, slot.name,
                 fmt::format("SizeInBytes = {} must be at least {}, the tensor's "
                             "TotalTensorSizeInBytes",
                             range.bytes, slot.bytes));
  }
  return {};
}

// D2, D4 and D9 for a tensor at execution.
Status CheckSlot(const std::string& owner, const Slot& slot, const BufferRange& range) {
  if (slot.bytes == 0) return {};  // nobody reads it
  if (slot.owned) {
    if (!range.bound()) return {};
    return About(owner, slot.name,
                 "is OWNED_BY_DML: it is bound at initialisation, and NONE at execution");
  }
  if (!range.bound()) return About(owner, slot.name, "must be bound to a buffer");
  return CheckRange(owner, slot, range);
}

Result<std::vector<BufferRange>> ReadSlots(const CompiledOperator& op, Access access,
                                           const std::vector<Slot>& slots, BindingArray bindings) {
  const std::string& owner = op.program()->name;
  const std::string_view kind = access == Access::kRead ? "input" : "output";
  if (bindings.size() != slots.size()) {
    return InvalidArgument(
        fmt::format("{}: {} bindings for {} {}s", owner, bindings.size(), slots.size(), kind));
  }
  std::vector<BufferRange> ranges;
  for (size_t i = 0; i < slots.size(); ++i) {
    const Access slot_access = slots[i].bytes != 0 ? access : Access::kRead;
    Result<BufferRange> range = ReadRange(op.device(), bindings[i], slot_access);
    if (!range.ok()) return About(owner, slots[i].name, range.error().message);
    Status status = CheckSlot(owner, slots[i], range.value());
    if (!status.ok()) return status.error();
    ranges.push_back(std::move(range).value());
  }
  return ranges;
}

Status CheckCount(const OperatorInitializer& initializer, BindingArray bindings) {
  if (bindings.size() == initializer.operators().size()) return {};
  return InvalidArgument(fmt::format("initializer: {} bindings for {} operators", bindings.size(),
                                     initializer.operators().size()));
}

bool OwnsInputs(const graph::Program& program) {
  return std::ranges::any_of(program.inputs,
                             [](const Slot& slot) { return slot.owned && slot.bytes != 0; });
}

// One operator's inputs at initialisation: the owned ones and no others (D9). An
// empty array says "no binding", where there is nothing to be bound.
Result<std::vector<BufferRange>> ReadArray(const CompiledOperator& op,
                                           const DML_BUFFER_ARRAY_BINDING& array) {
  const graph::Program& program = *op.program();
  if (array.BindingCount == 0 && !OwnsInputs(program)) return std::vector<BufferRange>();
  if (array.BindingCount != program.inputs.size() || array.Bindings == nullptr) {
    return InvalidArgument(fmt::format("{}: BindingCount = {} must be the number of inputs, {}",
                                       program.name, array.BindingCount, program.inputs.size()));
  }
  std::vector<BufferRange> ranges;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const Slot& slot = program.inputs[i];
    Result<BufferRange> range = ReadRange(op.device(), array.Bindings[i], Access::kRead);
    if (!range.ok()) return About(program.name, slot.name, range.error().message);
    if (slot.owned && slot.bytes == 0) {  // nobody reads it: bound or not is one
      ranges.emplace_back();
      continue;
    }
    if (slot.owned != range.value().bound()) {
      return About(program.name, slot.name,
                   slot.owned ? "is OWNED_BY_DML and must be bound at initialisation"
                              : "is not OWNED_BY_DML and must not be bound at initialisation");
    }
    Status status = slot.owned ? CheckRange(program.name, slot, range.value()) : Status();
    if (!status.ok()) return status.error();
    ranges.push_back(std::move(range).value());
  }
  return ranges;
}

Result<std::vector<BufferRange>> ReadArray(const CompiledOperator& op,
                                           const DML_BINDING_DESC& binding) {
  const uint32_t type = RawValue(binding.Type);
  const bool is_empty_array = type == DML_BINDING_TYPE_BUFFER_ARRAY && binding.Desc == nullptr;
  if (type == DML_BINDING_TYPE_NONE || (is_empty_array && !OwnsInputs(*op.program()))) {
    return std::vector<BufferRange>();
  }
  if (type != DML_BINDING_TYPE_BUFFER_ARRAY || binding.Desc == nullptr) {
    return InvalidArgument(fmt::format(
        "{}: an initializer's inputs are BUFFER_ARRAY bindings, one per operator, or NONE",
        op.program()->name));
  }
  return ReadArray(op, *static_cast<const DML_BUFFER_ARRAY_BINDING*>(binding.Desc));
}

Status CheckResource(std::string_view name, const BufferRange& range, uint64_t bytes) {
  if (bytes == 0 || !range.bound()) return {};
  if (range.offset % graph::kTemporaryAlignment != 0) {
    return InvalidArgument(fmt::format("{}: Offset = {} must be a multiple of {}", name,
                                       range.offset, graph::kTemporaryAlignment));
  }
  if (range.bytes < bytes) {
    return InvalidArgument(
        fmt::format("{}: SizeInBytes = {} must be at least {}", name, range.bytes, bytes));
  }
  return {};
}

}  // namespace

Dispatchable FindDispatchable(const Device& device, IDMLDispatchable* object) {
  Dispatchable found;
  found.compiled = As<CompiledOperator>(object);
  if (found.compiled != nullptr && &found.compiled->device() == &device) return found;
  found.compiled = nullptr;
  found.initializer = As<OperatorInitializer>(object);
  if (found.initializer != nullptr && &found.initializer->device() == &device) return found;
  return {};
}

Result<std::vector<BufferRange>> ReadInputs(const CompiledOperator& op, BindingArray bindings) {
  return ReadSlots(op, Access::kRead, op.program()->inputs, bindings);
}

Result<std::vector<BufferRange>> ReadOutputs(const CompiledOperator& op, BindingArray bindings) {
  return ReadSlots(op, Access::kWrite, op.program()->outputs, bindings);
}

Result<std::vector<std::vector<BufferRange>>> ReadInputArrays(
    const OperatorInitializer& initializer, BindingArray bindings) {
  Status status = CheckCount(initializer, bindings);
  if (!status.ok()) return status.error();
  std::vector<std::vector<BufferRange>> arrays;
  for (size_t i = 0; i < bindings.size(); ++i) {
    auto ranges = ReadArray(*initializer.operators()[i].Get(), bindings[i]);
    if (!ranges.ok()) return ranges.error();
    arrays.push_back(std::move(ranges).value());
  }
  return arrays;
}

Result<std::vector<BufferRange>> ReadOutputs(const OperatorInitializer& initializer,
                                             BindingArray bindings) {
  Status status = CheckCount(initializer, bindings);
  if (!status.ok()) return status.error();
  std::vector<BufferRange> ranges;
  for (size_t i = 0; i < bindings.size(); ++i) {
    const CompiledOperator& op = *initializer.operators()[i].Get();
    const std::string name = op.program()->name + ": the persistent resource";
    Result<BufferRange> range =
        ReadResource(op.device(), &bindings[i], name, op.persistent().bytes);
    if (!range.ok()) return range.error();
    ranges.push_back(std::move(range).value());
  }
  return ranges;
}

Result<BufferRange> ReadResource(const Device& device, const DML_BINDING_DESC* binding,
                                 std::string_view name, uint64_t bytes) {
  if (binding == nullptr) return BufferRange();
  Result<BufferRange> range =
      ReadRange(device, *binding, bytes != 0 ? Access::kWrite : Access::kRead);
  if (!range.ok()) return InvalidArgument(fmt::format("{}: {}", name, range.error().message));
  Status status = CheckResource(name, range.value(), bytes);
  if (!status.ok()) return status.error();
  return range;
}

}  // namespace anydml::directml
