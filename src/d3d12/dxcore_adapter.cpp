// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/dxcore_adapter.h"

#include <cstring>

#include "base/raw_value.h"
#include "d3d12/memory.h"

namespace anydml::d3d12 {
namespace {

// DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE, and GENERIC_ML, which is newer than
// the header. Not the graphics attributes.
constexpr GUID kAttributes[] = {
    {0x248e2800, 0xa793, 0x4724, {0xab, 0xaa, 0x23, 0xa6, 0xde, 0x1b, 0xe0, 0x90}},
    {0xb71b0d41, 0x1088, 0x422f, {0xa2, 0x7c, 0x02, 0x50, 0xb7, 0xd3, 0xa9, 0x88}},
};

constexpr uint32_t kLastKnownProperty =
    static_cast<uint32_t>(DXCoreAdapterProperty::HardwareIDParts);

// Calls `write` with the bytes of a property; false when it has none.
template <typename Write>
bool WithProperty(const AdapterInfo& info, DXCoreAdapterProperty property, Write&& write) {
  const auto value = [&write](const auto& v) {
    write(&v, sizeof v);
    return true;
  };
  switch (property) {
    case DXCoreAdapterProperty::InstanceLuid:
      return value(info.luid);
    case DXCoreAdapterProperty::DriverVersion:
      return value(info.driver_version);
    case DXCoreAdapterProperty::DriverDescription:
      write(info.description.c_str(), info.description.size() + 1);
      return true;
    case DXCoreAdapterProperty::HardwareID:
      return value(DXCoreHardwareID{info.hardware.vendorID, info.hardware.deviceID,
                                    info.hardware.subSystemID, info.hardware.revisionID});
    case DXCoreAdapterProperty::HardwareIDParts:
      return value(info.hardware);
    case DXCoreAdapterProperty::DedicatedAdapterMemory:
      return value(info.dedicated_adapter_memory);
    case DXCoreAdapterProperty::DedicatedSystemMemory:
      return value(uint64_t{0});
    case DXCoreAdapterProperty::SharedSystemMemory:
      return value(info.shared_system_memory);
    case DXCoreAdapterProperty::IsHardware:
      return value(info.is_hardware);
    case DXCoreAdapterProperty::IsIntegrated:
      return value(info.is_integrated);
    case DXCoreAdapterProperty::IsDetachable:
      return value(false);
    default:
      return false;
  }
}

HRESULT FailUnknown(std::string_view method, DXCoreAdapterProperty property) {
  return RawValue(property) > kLastKnownProperty
             ? SetError(DXGI_ERROR_INVALID_CALL, method, "the property is no known one")
             : SetError(DXGI_ERROR_UNSUPPORTED, method, "this adapter has no such property");
}

// What the whole process may use, and uses of it.
Result<DXCoreAdapterMemoryBudget> LocalBudget(const AdapterInfo& info) {
  DXCoreAdapterMemoryBudget budget = {};
  if (info.cuda) {
    const cuda::ScopedDevice device(*info.cuda);
    const Result<cuda::MemoryUse> use = cuda::QueryMemory();
    if (!use.ok()) return budget;
    budget.currentUsage = use.value().total_bytes - use.value().free_bytes;
    budget.budget = use.value().total_bytes;
  } else {
    budget.currentUsage = Memory::BytesInUse();
    const Result<uint64_t> available = AvailableBytes();
    if (!available.ok()) return available.error();
    budget.budget = budget.currentUsage + available.value();
  }
  budget.availableForReservation = budget.budget / 2;
  return budget;
}

}  // namespace

bool DxcoreAdapter::IsAttributeSupported(REFGUID attribute) {
  for (const GUID& known : kAttributes) {
    if (known == attribute) return true;
  }
  return false;
}

bool DxcoreAdapter::IsPropertySupported(DXCoreAdapterProperty property) {
  return WithProperty(*info_, property, [](const void*, size_t) {});
}

HRESULT DxcoreAdapter::GetProperty(DXCoreAdapterProperty property, size_t size, void* data) {
  constexpr std::string_view kMethod = "GetProperty";
  if (data == nullptr) return Complain(E_POINTER, kMethod, "propertyData must not be null");
  HRESULT result = S_OK;
  const bool found = WithProperty(*info_, property, [&](const void* bytes, size_t length) {
    if (size < length) {
      result = Complain(E_INVALIDARG, kMethod, "bufferSize is smaller than the property");
      return;
    }
    std::memset(data, 0, size);
    std::memcpy(data, bytes, length);
  });
  return found ? result : FailUnknown(kMethod, property);
}

HRESULT DxcoreAdapter::GetPropertySize(DXCoreAdapterProperty property, size_t* size) {
  constexpr std::string_view kMethod = "GetPropertySize";
  if (size == nullptr) return Complain(E_POINTER, kMethod, "bufferSize must not be null");
  *size = 0;
  const bool found =
      WithProperty(*info_, property, [&](const void*, size_t length) { *size = length; });
  return found ? S_OK : FailUnknown(kMethod, property);
}

bool DxcoreAdapter::IsQueryStateSupported(DXCoreAdapterState state) {
  return state == DXCoreAdapterState::AdapterMemoryBudget;
}

HRESULT DxcoreAdapter::QueryState(DXCoreAdapterState state, size_t details_size,
                                  const void* details, size_t size, void* data) {
  constexpr std::string_view kMethod = "QueryState";
  if (!IsQueryStateSupported(state)) {
    return Complain(DXGI_ERROR_UNSUPPORTED, kMethod, "only AdapterMemoryBudget is known here");
  }
  if (details == nullptr || data == nullptr) {
    return Complain(E_POINTER, kMethod, "both pointers must not be null");
  }
  DXCoreAdapterMemoryBudgetNodeSegmentGroup group = {};
  DXCoreAdapterMemoryBudget budget = {};
  if (details_size < sizeof group || size < sizeof budget) {
    return Complain(E_INVALIDARG, kMethod, "a size is smaller than its struct");
  }
  std::memcpy(&group, details, sizeof group);
  if (group.nodeIndex != 0) {
    return Complain(E_INVALIDARG, kMethod, "nodeIndex must be 0: there is one node");
  }
  return Call(kMethod, [&] {
    // The memory is one: what is local is all there is.
    if (group.segmentGroup == DXCoreSegmentGroup::Local) {
      const Result<DXCoreAdapterMemoryBudget> local = LocalBudget(*info_);
      if (!local.ok()) {
        return Complain(ToHresult(local.error().code), kMethod, local.error().message);
      }
      budget = local.value();
    }
    std::memset(data, 0, size);
    std::memcpy(data, &budget, sizeof budget);
    return S_OK;
  });
}

HRESULT DxcoreAdapter::SetState(DXCoreAdapterState, size_t, const void*, size_t, const void*) {
  return Complain(DXGI_ERROR_UNSUPPORTED, "SetState", "this adapter has no state to set");
}

HRESULT DxcoreAdapter::GetFactory(REFIID riid, void** factory) {
  return DXCoreCreateAdapterFactory(riid, factory);
}

}  // namespace anydml::d3d12
