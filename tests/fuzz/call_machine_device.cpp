// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a device tells of itself.
#include <sys/eventfd.h>
#include <unistd.h>

#include "fuzz/call_machine.h"
#include "fuzz/valid_description.h"

namespace anydml::test {

using Microsoft::WRL::ComPtr;

// One of the sizes is that of the struct, and nothing behind it is written.
void CallMachine::AskFeature(ID3D12Device* device) {
  constexpr size_t kMax = 128;
  constexpr uint8_t kUntouched = 0xA5;
  constexpr D3D_FEATURE_LEVEL kLevels[] = {D3D_FEATURE_LEVEL_1_0_CORE, D3D_FEATURE_LEVEL_11_0,
                                           D3D_FEATURE_LEVEL_12_2};
  const uint32_t feature = bytes_.Rarely() ? EdgeWord(bytes_) : bytes_.Below(64);
  const uint8_t asked = bytes_.Byte();
  const UINT levels = bytes_.Below(4);
  const bool no_levels = bytes_.Rarely();
  for (UINT size = 0; size <= kMax; size += 4) {
    alignas(8) uint8_t data[kMax + 8];
    std::memset(data, kUntouched, sizeof data);
    std::memset(data, asked, size);
    if (feature == D3D12_FEATURE_FEATURE_LEVELS &&
        size == sizeof(D3D12_FEATURE_DATA_FEATURE_LEVELS)) {
      const D3D12_FEATURE_DATA_FEATURE_LEVELS wanted = {levels, no_levels ? nullptr : kLevels, {}};
      std::memcpy(data, &wanted, sizeof wanted);
    }
    Try([&] {
      return device->CheckFeatureSupport(static_cast<D3D12_FEATURE>(feature), data, size);
    });
    for (size_t i = size; i < sizeof data; ++i)
      Require(data[i] == kUntouched, "written behind the struct");
  }
  Try([&] { return device->CheckFeatureSupport(static_cast<D3D12_FEATURE>(feature), nullptr, 4); });
}

void CallMachine::AskAllocations(ID3D12Device9* device) {
  D3D12_RESOURCE_DESC descs[3];
  D3D12_RESOURCE_DESC1 newer[3] = {};
  D3D12_RESOURCE_ALLOCATION_INFO1 infos[3] = {};
  for (int i = 0; i < 3; ++i) {
    descs[i] = d3d12::BufferOf(Number(1 + bytes_.Below(200) * 1000));
    if (bytes_.Rarely()) SetEnum(descs[i].Dimension, 5);
    if (bytes_.Rarely()) SetEnum(descs[i].Flags, 64);
    std::memcpy(&newer[i], &descs[i], sizeof descs[i]);
  }
  const UINT count = bytes_.Below(4);
  const UINT mask = static_cast<UINT>(Number(0));
  D3D12_RESOURCE_ALLOCATION_INFO total = {};
  switch (bytes_.Below(4)) {
    case 0:
      total = device->GetResourceAllocationInfo(mask, count, bytes_.Rarely() ? nullptr : descs);
      break;
    case 1:
      total =
          device->GetResourceAllocationInfo2(mask, count, bytes_.Rarely() ? nullptr : newer, infos);
      break;
    default:
      total = device->GetResourceAllocationInfo1(mask, count, bytes_.Rarely() ? nullptr : descs,
                                                 bytes_.Rarely() ? nullptr : infos);
  }
  if (total.SizeInBytes == UINT64_MAX) return;
  for (UINT i = 0; i < count; ++i) {
    Require(infos[i].Offset <= total.SizeInBytes &&
                infos[i].SizeInBytes <= total.SizeInBytes - infos[i].Offset,
            "a buffer lies outside of the whole");
  }
}

void CallMachine::AskFootprints(ID3D12Device9* device) {
  constexpr UINT kMax = 3;
  D3D12_RESOURCE_DESC desc = d3d12::BufferOf(Number(1 + bytes_.Below(200)));
  if (bytes_.Rarely()) SetEnum(desc.Dimension, 5);
  D3D12_RESOURCE_DESC1 newer = {};
  std::memcpy(&newer, &desc, sizeof desc);
  D3D12_PLACED_SUBRESOURCE_FOOTPRINT layouts[kMax];
  UINT rows[kMax];
  UINT64 row_sizes[kMax];
  UINT64 total = 0;
  const UINT first = static_cast<UINT>(Number(0));
  const UINT count = bytes_.Rarely() ? bytes_.Below(kMax + 1) : 1;
  const UINT64 base = Number(0);
  const auto given = [this](auto* pointer) { return bytes_.Rarely() ? nullptr : pointer; };
  if (bytes_.Flip()) {
    device->GetCopyableFootprints(given(&desc), first, count, base, given(layouts), given(rows),
                                  given(row_sizes), given(&total));
  } else {
    device->GetCopyableFootprints1(given(&newer), first, count, base, given(layouts), given(rows),
                                   given(row_sizes), given(&total));
  }
}

void CallMachine::AskSettings(ID3D12Device9* device) {
  switch (bytes_.Below(7)) {
    case 0: {
      UINT count = 0;
      return Try([&] {
        return device->EnumerateMetaCommands(bytes_.Rarely() ? nullptr : &count, nullptr);
      });
    }
    case 1:
      return Try([&] { return device->GetDeviceRemovedReason(); });
    case 2:
      return Try([&] { return device->SetStablePowerState(TRUE); });
    case 3: {
      const int event = eventfd(0, EFD_NONBLOCK);
      const intptr_t handle = bytes_.Rarely() ? 0x7FFFFFFF : bytes_.Flip() ? event : 0;
      BOOL further = TRUE;
      Try([&] {
        return device->SetBackgroundProcessingMode(
            D3D12_BACKGROUND_PROCESSING_MODE_ALLOWED, D3D12_MEASUREMENTS_ACTION_KEEP_ALL,
            reinterpret_cast<HANDLE>(handle), bytes_.Flip() ? &further : nullptr);
      });
      close(event);
      return;
    }
    case 4:
      return Try([&] { return device->ShaderCacheControl({}, {}); });
    case 5:
      device->GetCustomHeapProperties(0, static_cast<D3D12_HEAP_TYPE>(Number(bytes_.Below(5))));
      return;
    default:
      device->GetDescriptorHandleIncrementSize(
          static_cast<D3D12_DESCRIPTOR_HEAP_TYPE>(Number(bytes_.Below(4))));
      Require(device->GetNodeCount() == 1, "there is one node");
      Require(device->GetAdapterLuid().LowPart != 0, "the adapter has no number");
  }
}

void CallMachine::AskRefused(ID3D12Device9* device) {
  void* result = device;
  void** given = bytes_.Rarely() ? nullptr : &result;
  const IID& iid = __uuidof(IUnknown);
  switch (bytes_.Below(5)) {
    case 0:
      Try([&] { return device->CreateRootSignature(0, nullptr, 0, iid, given); });
      break;
    case 1:
      Try([&] { return device->OpenSharedHandle(nullptr, iid, given); });
      break;
    case 2:
      Try([&] {
        return device->CreateSharedHandle(In(buffers_).Get(), nullptr, 0, nullptr, given);
      });
      break;
    case 3:
      return device->CreateSampler(nullptr, AnyHandle());
    default: {
      UINT tiles = 1, tilings = 1;
      D3D12_SUBRESOURCE_TILING tiling = {};
      return device->GetResourceTiling(In(buffers_).Get(), &tiles, nullptr, nullptr, &tilings, 0,
                                       &tiling);
    }
  }
  Require(given == nullptr || result == nullptr, "a method that refuses left its result as it was");
}

void CallMachine::AskDevice() {
  const ComPtr<ID3D12Device9> device = AnyDevice();
  if (device == nullptr) return;
  switch (bytes_.Below(5)) {
    case 0:
      return AskFeature(device.Get());
    case 1:
      return AskAllocations(device.Get());
    case 2:
      return AskFootprints(device.Get());
    case 3:
      return AskSettings(device.Get());
    default:
      return AskRefused(device.Get());
  }
}

}  // namespace anydml::test
