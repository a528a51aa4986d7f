// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "fuzz/call_machine.h"

#include <iterator>
#include <set>

#include "fuzz/valid_description.h"

namespace anydml::test {

using Microsoft::WRL::ComPtr;

CallMachine::CallMachine(Bytes& bytes) : bytes_(bytes) {
  // Zeros stand for the usual choice, in slot 0.
  Bytes zeros(nullptr, 0);
  std::swap(bytes_, zeros);
  MakeDevice();
  MakeQueue();
  Require(devices_[0]->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COMPUTE,
                                              IID_PPV_ARGS(&allocators_[0])) == S_OK,
          LastErrorOfThread());
  MakeList();
  MakeFence();
  const D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1,
                                           D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
  Require(devices_[0]->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&descriptors_[0])) == S_OK,
          LastErrorOfThread());
  MakeHeap();
  MakeBuffer();
  MakeDml();
  MakeOperator();
  Compile();
  std::swap(bytes_, zeros);
  Require(lists_[0] != nullptr && buffers_[0] != nullptr && compiled_[0].object != nullptr,
          "the first objects are not there");
}

CallMachine::~CallMachine() {
  for (ComPtr<ID3D12CommandQueue>& queue : queues_) {
    RaiseFences();
    queue.Reset();
  }
  devices_ = {};
  // In an order that the bytes choose: half of the children before the rest.
  if (bytes_.Flip()) {
    dml_ = {};
    allocators_ = {};
    heaps_ = {};
    compiled_ = {};
  }
  lists_ = {};
  buffers_ = {};
  descriptors_ = {};
  fences_ = {};
  every_fence_.clear();
  tables_ = {};
  initializers_ = {};
  operators_ = {};
  recorders_ = {};
  compiled_ = {};
  dml_ = {};
  allocators_ = {};
  heaps_ = {};
  queries_ = {};
  std::set<ID3D12Device*> last;
  for (const ComPtr<ID3D12Device>& device : every_device_) {
    if (last.insert(device.Get()).second) device->AddRef();
  }
  every_device_.clear();
  for (ID3D12Device* device : last) Require(device->Release() == 0, "a device has a child left");
  CheckPrivateData();
  SwitchDebugLayer(false);
}

// So that no queue waits for what nobody does.
void CallMachine::RaiseFences() {
  for (const ComPtr<ID3D12Fence>& fence : every_fence_) fence->Signal(UINT64_MAX - 1);
}

uint64_t CallMachine::Number(uint64_t usual) {
  if (!bytes_.Rarely()) return usual;
  switch (bytes_.Below(4)) {
    case 0:
      return usual + 1;
    case 1:
      return EdgeWord(bytes_);
    case 2:
      return uint64_t{EdgeWord(bytes_)} << 32 | EdgeWord(bytes_);
    default:
      return bytes_.Byte();
  }
}

ComPtr<ID3D12Device9> CallMachine::AnyDevice() {
  ComPtr<ID3D12Device9> newest;
  ID3D12Device* device = In(devices_).Get();
  if (device != nullptr)
    Require(device->QueryInterface(IID_PPV_ARGS(&newest)) == S_OK, "QueryInterface");
  return newest;
}

// Small, or more than any machine has: in between it would only take time.
uint64_t CallMachine::MemorySize(uint64_t usual) {
  const uint64_t size = Number(usual);
  return size <= (1 << 20) || size >= (uint64_t{1} << 47) ? size : usual;
}

void CallMachine::Release() {
  const uint32_t slot = bytes_.Below(kSlots);
  const auto clear = [&](auto& slots) { slots[slot] = nullptr; };
  switch (bytes_.Below(15)) {
    case 0:
      return clear(devices_);
    case 1:
      RaiseFences();
      return clear(queues_);
    case 2:
      return clear(allocators_);
    case 3:
      return clear(lists_);
    case 4:
      return clear(fences_);
    case 5:
      return clear(descriptors_);
    case 6:
      return clear(heaps_);
    case 7:
      return clear(buffers_);
    case 8:
      return clear(dml_);
    case 9:
      return clear(operators_);
    case 10:
      compiled_[slot].object = nullptr;
      return;
    case 11:
      return clear(initializers_);
    case 12:
      return clear(tables_);
    case 13:
      return clear(recorders_);
    default:
      if (devices_[slot] == nullptr || !bytes_.Rarely()) return;
      ComPtr<ID3D12Device5> device;
      devices_[slot].As(&device);
      device->RemoveDevice();
  }
}

void CallMachine::Step() {
  using Method = void (CallMachine::*)();
  constexpr Method kMethods[] = {
      &CallMachine::MakeDevice,      &CallMachine::MakeQueue,    &CallMachine::MakeList,
      &CallMachine::MakeFence,       &CallMachine::MakeHeap,     &CallMachine::MakeBuffer,
      &CallMachine::MakeDescriptors, &CallMachine::UseList,      &CallMachine::UseList,
      &CallMachine::UseQueue,        &CallMachine::UseQueue,     &CallMachine::UseFence,
      &CallMachine::UseBuffer,       &CallMachine::UseView,      &CallMachine::Release,
      &CallMachine::MakeDml,         &CallMachine::MakeOperator, &CallMachine::Compile,
      &CallMachine::MakeInitializer, &CallMachine::MakeTable,    &CallMachine::Bind,
      &CallMachine::BindWell,        &CallMachine::BindWell,     &CallMachine::Record,
      &CallMachine::AskDml};
  constexpr Method kLater[] = {&CallMachine::UsePrivateData, &CallMachine::UseInfoQueue};
  constexpr Method kLast[] = {&CallMachine::AskDevice,        &CallMachine::MakeOther,
                              &CallMachine::UseResidency,     &CallMachine::UseViews,
                              &CallMachine::UseOtherCommands, &CallMachine::AskObject,
                              &CallMachine::UseAdapters,      &CallMachine::AskDmlObject};
  // The last bytes once stood for the methods before them: what the other bytes of the
  // corpus mean stays as it was.
  const uint8_t byte = bytes_.Byte();
  (this->*(byte < 240   ? kMethods[byte % std::size(kMethods)]
           : byte < 248 ? kLater[byte % std::size(kLater)]
                        : kLast[byte % std::size(kLast)]))();
}

}  // namespace anydml::test
