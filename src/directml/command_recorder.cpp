// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "directml/command_recorder.h"

#include "base/raw_value.h"
#include "directml/binding_table.h"

namespace anydml::directml {
namespace {

// The part of the list that takes work of ours.
Result<ComPtr<IAnydmlCommandList>> FindList(const Device& device, ID3D12CommandList* list) {
  if (list == nullptr) return InvalidArgument("the command list must not be null");
  ComPtr<IAnydmlCommandList> ours;
  if (FAILED(list->QueryInterface(__uuidof(IAnydmlCommandList), &ours)) ||
      !device.IsSibling(list)) {
    return InvalidArgument("the command list must be one of the device's ID3D12Device");
  }
  const D3D12_COMMAND_LIST_TYPE type = list->GetType();
  if (type != D3D12_COMMAND_LIST_TYPE_DIRECT && type != D3D12_COMMAND_LIST_TYPE_COMPUTE) {
    return InvalidArgument(
        fmt::format("a command list of type {} takes no dispatch; it must be DIRECT or COMPUTE",
                    RawValue(type)));
  }
  return ours;
}

Result<WorkPointer> MakeWork(const Device& device, IDMLDispatchable* dispatchable,
                             IDMLBindingTable* bindings) {
  const Dispatchable target = FindDispatchable(device, dispatchable);
  if (target.empty()) return InvalidArgument("the dispatchable must be one of this device");
  const ComPtr<BindingTable> table = As<BindingTable>(bindings);
  if (table == nullptr || &table->device() != &device) {
    return InvalidArgument("the binding table must be one of this device");
  }
  if (!table->target().Is(target)) {
    return InvalidArgument("the binding table belongs to another dispatchable");
  }
  return table->MakeWork();
}

}  // namespace

void CommandRecorder::RecordDispatch(ID3D12CommandList* list, IDMLDispatchable* dispatchable,
                                     IDMLBindingTable* bindings) {
  device().CallVoid("RecordDispatch", [&]() -> Status {
    Result<ComPtr<IAnydmlCommandList>> ours = FindList(device(), list);
    if (!ours.ok()) return ours.error();
    Result<WorkPointer> work = MakeWork(device(), dispatchable, bindings);
    if (!work.ok()) return work.error();
    const HRESULT appended = ours.value()->Append(std::move(work).value());
    if (appended == E_OUTOFMEMORY) return OutOfMemory("not enough memory");
    if (FAILED(appended)) return InvalidArgument("the command list must be open for recording");
    return {};
  });
}

}  // namespace anydml::directml
