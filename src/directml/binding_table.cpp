// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "directml/binding_table.h"

namespace anydml::directml {
namespace {

Status CheckArray(UINT count, const DML_BINDING_DESC* bindings) {
  if (count == 0 || bindings != nullptr) return {};
  return InvalidArgument(fmt::format("the array of {} bindings must not be null", count));
}

}  // namespace

Result<Dispatchable> ReadTarget(const Device& device, const DML_BINDING_TABLE_DESC* desc) {
  if (desc == nullptr) return Dispatchable();
  Dispatchable target = FindDispatchable(device, desc->Dispatchable);
  if (target.empty()) return InvalidArgument("Dispatchable must be one of this device");
  if (desc->CPUDescriptorHandle.ptr == 0 || desc->GPUDescriptorHandle.ptr == 0) {
    return InvalidArgument(
        "CPUDescriptorHandle and GPUDescriptorHandle must be handles of a shader-visible "
        "descriptor heap and not null");
  }
  IDMLDispatchable* object = desc->Dispatchable;
  const UINT required = object->GetBindingProperties().RequiredDescriptorCount;
  if (desc->SizeInDescriptors < required) {
    return InvalidArgument(
        fmt::format("SizeInDescriptors = {} must be at least RequiredDescriptorCount = {}",
                    desc->SizeInDescriptors, required));
  }
  return target;
}

Status BindingTable::CheckTarget() const {
  if (!target_.empty()) return {};
  return InvalidArgument("the binding table has no dispatchable");
}

Status BindingTable::SetInputs(UINT count, const DML_BINDING_DESC* bindings) {
  if (count == 0) {
    bound_->inputs.clear();
    bound_->input_arrays.clear();
    return {};
  }
  if (target_.initializer != nullptr) {
    auto arrays = ReadInputArrays(*target_.initializer.Get(), {bindings, count});
    if (!arrays.ok()) return arrays.error();
    bound_->input_arrays = std::move(arrays).value();
    bound_->input_generation = target_.initializer->generation();
    return {};
  }
  auto ranges = ReadInputs(*target_.compiled.Get(), {bindings, count});
  if (!ranges.ok()) return ranges.error();
  bound_->inputs = std::move(ranges).value();
  return {};
}

Status BindingTable::SetOutputs(UINT count, const DML_BINDING_DESC* bindings) {
  if (count == 0) {
    bound_->outputs.clear();
    return {};
  }
  auto ranges = target_.initializer != nullptr
                    ? ReadOutputs(*target_.initializer.Get(), {bindings, count})
                    : ReadOutputs(*target_.compiled.Get(), {bindings, count});
  if (!ranges.ok()) return ranges.error();
  bound_->outputs = std::move(ranges).value();
  if (target_.initializer != nullptr) {
    bound_->output_generation = target_.initializer->generation();
  }
  return {};
}

void BindingTable::BindInputs(UINT count, const DML_BINDING_DESC* bindings) {
  device().CallVoid("BindInputs", [&]() -> Status {
    Status status = CheckTarget();
    if (status.ok()) status = CheckArray(count, bindings);
    return status.ok() ? SetInputs(count, bindings) : status;
  });
}

void BindingTable::BindOutputs(UINT count, const DML_BINDING_DESC* bindings) {
  device().CallVoid("BindOutputs", [&]() -> Status {
    Status status = CheckTarget();
    if (status.ok()) status = CheckArray(count, bindings);
    return status.ok() ? SetOutputs(count, bindings) : status;
  });
}

void BindingTable::BindTemporaryResource(const DML_BINDING_DESC* binding) {
  device().CallVoid("BindTemporaryResource", [&]() -> Status {
    Status status = CheckTarget();
    if (!status.ok()) return status;
    const auto& compiled = target_.compiled;
    const uint64_t bytes = compiled != nullptr ? compiled->program()->temporary_bytes : 0;
    const std::string& name = compiled != nullptr ? compiled->program()->name : "initializer";
    Result<BufferRange> range = ReadResource(device(), binding, name, bytes);
    if (!range.ok()) return range.error();
    bound_->temporary = std::move(range).value();
    return {};
  });
}

void BindingTable::BindPersistentResource(const DML_BINDING_DESC* binding) {
  device().CallVoid("BindPersistentResource", [&]() -> Status {
    Status status = CheckTarget();
    if (!status.ok()) return status;
    const auto& compiled = target_.compiled;
    const uint64_t bytes = compiled != nullptr ? compiled->persistent().bytes : 0;
    const std::string& name = compiled != nullptr ? compiled->program()->name : "initializer";
    Result<BufferRange> range = ReadResource(device(), binding, name, bytes);
    if (!range.ok()) return range.error();
    bound_->persistent = std::move(range).value();
    return {};
  });
}

HRESULT BindingTable::Reset(const DML_BINDING_TABLE_DESC* desc) {
  return device().Call("IDMLBindingTable::Reset", [&]() -> Result<HRESULT> {
    Result<Dispatchable> target = ReadTarget(device(), desc);
    if (!target.ok()) return target.error();
    bound_ = std::make_shared<BoundRanges>();
    target_ = std::move(target).value();
    return S_OK;
  });
}

Result<WorkPointer> BindingTable::MakeWork() const {
  if (target_.compiled != nullptr && target_.compiled->is_bound_late()) {
    return MakeLateWork(target_.compiled, bound_);
  }
  return directml::MakeWork(target_, *bound_);
}

}  // namespace anydml::directml
