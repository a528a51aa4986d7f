// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What any object tells of itself, the adapters of DXCore, and the parts of DirectML
// that are not on the way from a description to its result.
#include "fuzz/call_machine.h"

namespace anydml::test {

using Microsoft::WRL::ComPtr;

namespace {

// DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE, which the header declares alone.
constexpr GUID kCoreCompute = {
    0x248e2800, 0xa793, 0x4724, {0xab, 0xaa, 0x23, 0xa6, 0xde, 0x1b, 0xe0, 0x90}};

const IID& AnyInterface(Bytes& bytes) {
  static const IID* const interfaces[] = {
      &__uuidof(IUnknown),      &__uuidof(ID3D12Object),       &__uuidof(ID3D12Pageable),
      &__uuidof(ID3D12Device9), &__uuidof(ID3D12Resource2),    &__uuidof(ID3D12Heap1),
      &__uuidof(ID3D12Fence1),  &__uuidof(ID3D12CommandQueue), &__uuidof(ID3D12InfoQueue),
      &__uuidof(IDMLDevice1),   &__uuidof(IDMLDebugDevice),    &__uuidof(IDMLDispatchable)};
  return *bytes.OneOf(interfaces);
}

// What a method gave out belongs to the caller; a failure gives out nothing.
void LetGo(HRESULT code, void* given) {
  Require(SUCCEEDED(code) || given == nullptr, "a failure gave something out");
  if (given != nullptr) static_cast<IUnknown*>(given)->Release();
}

}  // namespace

void CallMachine::AskInterfaces() {
  const uint32_t slot = bytes_.Below(kSlots);
  ID3D12DeviceChild* const children[] = {
      queues_[slot].Get(), allocators_[slot].Get(), lists_[slot].Get(),   fences_[slot].Get(),
      heaps_[slot].Get(),  buffers_[slot].Get(),    queries_[slot].Get(), descriptors_[slot].Get()};
  ID3D12DeviceChild* child = bytes_.OneOf(children);
  if (child == nullptr) return;
  void* found = nullptr;
  void** given = bytes_.Rarely() ? nullptr : &found;
  HRESULT code = S_OK;
  const IID& wanted = AnyInterface(bytes_);
  if (bytes_.Flip()) {
    Try([&] { return code = child->GetDevice(wanted, given); });
  } else {
    Try([&] { return code = child->QueryInterface(wanted, given); });
  }
  LetGo(code, found);
}

void CallMachine::AskQueue() {
  ID3D12CommandQueue* queue = In(queues_).Get();
  if (queue == nullptr) return;
  UINT64 first = 0, second = 0;
  switch (bytes_.Below(4)) {
    case 0:
      return Try([&] { return queue->GetTimestampFrequency(bytes_.Rarely() ? nullptr : &first); });
    case 1:
      return Try(
          [&] { return queue->GetClockCalibration(&first, bytes_.Rarely() ? nullptr : &second); });
    case 2:
      queue->BeginEvent(0, nullptr, 0);
      queue->SetMarker(0, nullptr, 0);
      return queue->EndEvent();
    default:
      return queue->CopyTileMappings(In(buffers_).Get(), nullptr, In(buffers_).Get(), nullptr,
                                     nullptr, {});
  }
}

void CallMachine::AskBuffer() {
  ID3D12Resource* buffer = In(buffers_).Get();
  ID3D12Heap* heap = In(heaps_).Get();
  if (buffer == nullptr) return;
  D3D12_HEAP_PROPERTIES properties = {};
  D3D12_HEAP_FLAGS flags = {};
  switch (bytes_.Below(4)) {
    case 0:
      Try([&] { return buffer->GetHeapProperties(bytes_.Flip() ? &properties : nullptr, &flags); });
      return;
    case 1:
      Try([&] { return buffer->WriteToSubresource(0, nullptr, &properties, 1, 1); });
      return Try([&] { return buffer->ReadFromSubresource(&properties, 1, 1, 0, nullptr); });
    case 2: {
      if (heap == nullptr) return;
      Require(heap->GetDesc().SizeInBytes != 0, "a heap without bytes");
      ComPtr<ID3D12Heap1> newer;
      Require(heap->QueryInterface(IID_PPV_ARGS(&newer)) == S_OK, "a heap has no newer methods");
      void* session = heap;
      Try([&] { return newer->GetProtectedResourceSession(__uuidof(IUnknown), &session); });
      return Require(session == nullptr, "there is no protected session");
    }
    default: {
      ComPtr<ID3D12Resource2> newer;
      Require(buffer->QueryInterface(IID_PPV_ARGS(&newer)) == S_OK,
              "a buffer has no newer methods");
      Require(newer->GetDesc1().Width == buffer->GetDesc().Width, "two descriptions of one buffer");
    }
  }
}

void CallMachine::AskObject() {
  switch (bytes_.Below(5)) {
    case 0:
      return AskQueue();
    case 1:
      return AskBuffer();
    case 2: {
      ID3D12Device* device = In(devices_).Get();
      if (device == nullptr) return;
      SwitchDebugLayer(true);
      ComPtr<ID3D12InfoQueue1> messages;
      Try([&] { return device->QueryInterface(IID_PPV_ARGS(&messages)); });
      if (messages != nullptr) UseMessageSettings(messages.Get());
      return;
    }
    default:
      return AskInterfaces();
  }
}

void CallMachine::AskAdapter(IDXCoreAdapter* adapter) {
  alignas(8) std::byte data[64];
  const auto property = static_cast<DXCoreAdapterProperty>(Number(bytes_.Below(16)));
  const size_t room = bytes_.Below(sizeof data + 1);
  switch (bytes_.Below(4)) {
    case 0:
      return Try(
          [&] { return adapter->GetProperty(property, room, bytes_.Rarely() ? nullptr : data); });
    case 1: {
      size_t size = 0;
      return Try(
          [&] { return adapter->GetPropertySize(property, bytes_.Rarely() ? nullptr : &size); });
    }
    case 2: {
      const DXCoreAdapterMemoryBudgetNodeSegmentGroup group = {
          static_cast<uint32_t>(Number(0)), static_cast<DXCoreSegmentGroup>(Number(0))};
      const auto state = static_cast<DXCoreAdapterState>(Number(1));
      return Try([&] {
        return adapter->QueryState(state, bytes_.Rarely() ? bytes_.Below(8) : sizeof group,
                                   bytes_.Rarely() ? nullptr : &group, room,
                                   bytes_.Rarely() ? nullptr : data);
      });
    }
    default: {
      ComPtr<ID3D12Device>& device = In(devices_);
      const uint64_t level = Number(D3D_FEATURE_LEVEL_1_0_CORE);
      Try([&] {
        return D3D12CreateDevice(adapter, static_cast<D3D_FEATURE_LEVEL>(level),
                                 IID_PPV_ARGS(device.ReleaseAndGetAddressOf()));
      });
      if (device != nullptr) every_device_.push_back(device);
    }
  }
}

void CallMachine::UseAdapters() {
  ComPtr<IDXCoreAdapterFactory> factory;
  Require(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)) == S_OK, LastErrorOfThread());
  const GUID attributes[] = {kCoreCompute, AnyInterface(bytes_)};
  const uint32_t count = bytes_.Rarely() ? bytes_.Below(3) : 1;
  ComPtr<IDXCoreAdapterList> list;
  Try([&] { return factory->CreateAdapterList(count, attributes, IID_PPV_ARGS(&list)); });
  if (list == nullptr) return;
  const DXCoreAdapterPreference preferences[] = {
      static_cast<DXCoreAdapterPreference>(Number(bytes_.Below(3))),
      static_cast<DXCoreAdapterPreference>(Number(bytes_.Below(3)))};
  Try([&] { return list->Sort(bytes_.Below(3), bytes_.Rarely() ? nullptr : preferences); });
  ComPtr<IDXCoreAdapter> adapter;
  if (bytes_.Flip()) {
    const LUID luid = {static_cast<DWORD>(Number(1)), static_cast<LONG>(Number(0))};
    Try([&] { return factory->GetAdapterByLuid(luid, IID_PPV_ARGS(&adapter)); });
  } else {
    Try([&] { return list->GetAdapter(static_cast<uint32_t>(Number(0)), IID_PPV_ARGS(&adapter)); });
  }
  if (adapter == nullptr) return;
  if (!bytes_.Rarely()) return AskAdapter(adapter.Get());
  uint32_t cookie = 0;
  const auto type = static_cast<DXCoreNotificationType>(Number(bytes_.Below(3)));
  constexpr auto kIgnore = [](DXCoreNotificationType, IUnknown*, void*) {};
  Try([&] {
    return factory->RegisterEventNotification(adapter.Get(), type, +kIgnore, nullptr, &cookie);
  });
  Try([&] { return factory->UnregisterEventNotification(static_cast<uint32_t>(Number(cookie))); });
}

void CallMachine::AskDmlObject() {
  IDMLDevice1* dml = In(dml_).Get();
  if (dml == nullptr) return;
  void* found = nullptr;
  HRESULT code = S_OK;
  const IID& wanted = AnyInterface(bytes_);
  switch (bytes_.Below(6)) {
    case 0:
      Try([&] { return code = dml->GetParentDevice(wanted, &found); });
      break;
    case 1: {
      IDMLDispatchable* dispatchable = Dispatchable();
      if (dispatchable == nullptr) return;
      dispatchable->GetBindingProperties();
      Try([&] { return code = dispatchable->GetDevice(wanted, &found); });
      break;
    }
    case 2: {
      ComPtr<IDMLDebugDevice> debug;
      Try([&] { return dml->QueryInterface(IID_PPV_ARGS(&debug)); });
      if (debug != nullptr) debug->SetMuteDebugOutput(bytes_.Flip() ? TRUE : FALSE);
      return;
    }
    case 3: {
      const uint64_t flags = Number(0), level = Number(DML_FEATURE_LEVEL_5_0);
      ID3D12Device* device = In(devices_).Get();
      Try([&] {
        return code = DMLCreateDevice1(device, static_cast<DML_CREATE_DEVICE_FLAGS>(flags),
                                       static_cast<DML_FEATURE_LEVEL>(level), wanted, &found);
      });
      break;
    }
    case 4: {
      constexpr DML_FEATURE_LEVEL kLevels[] = {DML_FEATURE_LEVEL_1_0, DML_FEATURE_LEVEL_5_0};
      const DML_FEATURE_QUERY_FEATURE_LEVELS query = {bytes_.Below(3), kLevels};
      DML_FEATURE_DATA_FEATURE_LEVELS data = {};
      return Try([&] {
        return dml->CheckFeatureSupport(DML_FEATURE_FEATURE_LEVELS, sizeof query, &query,
                                        static_cast<UINT>(Number(sizeof data)), &data);
      });
    }
    default:
      Try([&] { return code = dml->QueryInterface(wanted, &found); });
  }
  LetGo(code, found);
}

}  // namespace anydml::test
