// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is known of the machines that a device can run on: the CPU, and every CUDA
// device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "d3d12/internal.h"

namespace anydml::d3d12 {

struct AdapterInfo {
  LUID luid = {};
  std::string description;
  uint64_t driver_version = 0;  // four 16-bit numbers, the highest first
  DXCoreHardwareIDParts hardware = {};
  uint64_t dedicated_adapter_memory = 0;
  uint64_t shared_system_memory = 0;
  bool is_hardware = true;
  bool is_integrated = true;
  std::optional<int> cuda;  // the number of a CUDA device; empty for the CPU
  // Orders adapters for DXCoreAdapterPreference; the higher, the faster.
  int performance_rank = 0;
};

// The same objects in every call; the first is the default adapter.
const std::vector<std::shared_ptr<const AdapterInfo>>& EnumerateAdapters();

// The adapter behind an IDXCoreAdapter of ours; null for a foreign object.
std::shared_ptr<const AdapterInfo> AdapterOf(IUnknown* adapter);

}  // namespace anydml::d3d12
