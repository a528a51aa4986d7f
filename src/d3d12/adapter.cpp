// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/adapter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <thread>

#include "backends/cpu/instruction_set.h"
#include "d3d12/dxcore_adapter.h"

namespace anydml::d3d12 {
namespace {

// ANYDML_VERSION_MAJOR etc. come from CMake.
constexpr uint64_t kVersion = (uint64_t{ANYDML_VERSION_MAJOR} << 48) |
                              (uint64_t{ANYDML_VERSION_MINOR} << 32) |
                              (uint64_t{ANYDML_VERSION_PATCH} << 16);

AdapterInfo DescribeCpu() {
  AdapterInfo cpu;
  cpu.luid = {1, 0};
  cpu.description = fmt::format("AnyDML CPU with {} cores, {} kernels",
                                std::max(1u, std::thread::hardware_concurrency()),
                                cpu::AvailableInstructionSets().front().name);
  cpu.driver_version = kVersion;
  cpu.shared_system_memory = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                             static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  return cpu;
}

AdapterInfo DescribeCuda(const cuda::DeviceInfo& device) {
  constexpr uint32_t kNvidia = 0x10DE;
  AdapterInfo info;
  info.luid = {static_cast<DWORD>(2 + device.ordinal), 0};
  info.description = fmt::format("AnyDML {}", device.description);
  info.driver_version = kVersion;
  info.hardware.vendorID = kNvidia;
  info.dedicated_adapter_memory = device.memory_bytes;
  info.shared_system_memory = DescribeCpu().shared_system_memory;
  info.is_integrated = false;
  info.cuda = device.ordinal;
  info.performance_rank = 1;
  return info;
}

}  // namespace

// CUDA devices first: a program that takes the default adapter wants a GPU.
const std::vector<std::shared_ptr<const AdapterInfo>>& EnumerateAdapters() {
  static const auto* const adapters = [] {
    auto all = std::make_unique<std::vector<std::shared_ptr<const AdapterInfo>>>();
    for (const cuda::DeviceInfo& device : cuda::Devices()) {
      all->push_back(std::make_shared<const AdapterInfo>(DescribeCuda(device)));
    }
    all->push_back(std::make_shared<const AdapterInfo>(DescribeCpu()));
    return all.release();
  }();
  return *adapters;
}

std::shared_ptr<const AdapterInfo> AdapterOf(IUnknown* adapter) {
  const ComPtr<DxcoreAdapter> ours = As<DxcoreAdapter>(adapter);
  return ours == nullptr ? nullptr : ours->info();
}

}  // namespace anydml::d3d12
