// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "backends/cpu/instruction_set.h"
#include "c_api/last_error.h"
#include "c_api/sized_struct.h"
#include "model/place.h"
#include "operators/pixel_offsets.h"

namespace anydml::c_api {
namespace {

constexpr uint32_t kMaxThreads = 1024;

// "CPU with 8 cores, AVX2 kernels" and the like.
const std::string& CpuDescription() {
  static const std::string text = fmt::format("CPU with {} cores, {} kernels",
                                              std::max(1u, std::thread::hardware_concurrency()),
                                              cpu::AvailableInstructionSets().front().name);
  return text;
}

// Empty for "cpu"; "cuda" is the first one.
Result<CudaOrdinal> CudaOrdinalOf(std::string_view name) {
  if (name == "cpu") return CudaOrdinal();
  std::string names = "cpu";
  for (const cuda::DeviceInfo& device : cuda::Devices()) {
    if (name == device.name || name == "cuda") return CudaOrdinal(device.ordinal);
    names += ", " + device.name;
  }
  const bool is_cuda = name.starts_with("cuda") && cuda::Devices().empty();
  return Unsupported(fmt::format("there is no device '{}' here{}; there is: {}",
                                 model::Printable(name),
                                 is_cuda ? " (" + cuda::WhyNoDevices() + ")" : "", names));
}

anydml_device_info CpuInfo() {
  anydml_device_info info = {};
  info.name = "cpu";
  info.description = CpuDescription().c_str();
  info.memory_bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  info.threads = static_cast<uint32_t>(cpu::Executor(0).threads());
  return info;
}

anydml_device_info CudaInfo(const cuda::DeviceInfo& device) {
  anydml_device_info info = {};
  info.name = device.name.c_str();
  info.description = device.description.c_str();
  info.memory_bytes = device.memory_bytes;
  return info;
}

Result<FeatureLevel> LevelFrom(uint32_t value) {
  if (value == 0) return kNewestFeatureLevel;
  for (FeatureLevel level : kFeatureLevels) {
    if (static_cast<uint32_t>(level) == value) return level;
  }
  return InvalidArgument(fmt::format(
      "feature_level = {:#x} must be a DML_FEATURE_LEVEL, 0x1000 to 0x6400, or 0", value));
}

Result<bool> ExchangesPixelOffsets(int32_t option) {
  if (option == 0 || option == 1) return option == 1;
  if (option != -1) {
    return InvalidArgument(fmt::format("exchange_pixel_offsets = {} must be 0, 1 or -1", option));
  }
  return ExchangePixelOffsetsFromEnvironment();
}

}  // namespace

Result<std::shared_ptr<Device>> OpenDevice(std::string_view name,
                                           const anydml_device_options* given) {
  anydml_device_options options = {};
  options.struct_size = sizeof options;
  options.exchange_pixel_offsets = -1;
  if (given != nullptr) {
    Status status = CopyIn(given, "anydml_device_options", options);
    if (!status.ok()) return status.error();
  }
  if (!cpu::UseInstructionSetOfEnvironment().ok()) {
    return cpu::UseInstructionSetOfEnvironment().error();
  }
  Result<CudaOrdinal> cuda = CudaOrdinalOf(name);
  if (!cuda.ok()) return cuda.error();
  if (options.threads > kMaxThreads) {
    return InvalidArgument(
        fmt::format("threads = {} must be at most {}", options.threads, kMaxThreads));
  }
  Result<FeatureLevel> level = LevelFrom(options.feature_level);
  if (!level.ok()) return level.error();
  Result<bool> exchange = ExchangesPixelOffsets(options.exchange_pixel_offsets);
  if (!exchange.ok()) return exchange.error();
  return std::make_shared<Device>(
      DeviceOptions{.feature_level = level.value(), .exchange_pixel_offsets = exchange.value()},
      static_cast<int>(options.threads), cuda.value());
}

}  // namespace anydml::c_api

using anydml::Status;
using namespace anydml::c_api;  // NOLINT: this file implements its public face

size_t anydml_device_count(void) {
  size_t count = 1;
  GuardRelease([&count] { count += anydml::cuda::Devices().size(); });
  return count;
}

anydml_status anydml_get_device_info(size_t index, anydml_device_info* info) {
  return Guard([&]() -> Status {
    if (index >= anydml_device_count()) {
      return anydml::InvalidArgument(
          fmt::format("device {} of {} does not exist", index, anydml_device_count()));
    }
    return CopyOut(index == 0 ? CpuInfo() : CudaInfo(anydml::cuda::Devices()[index - 1]),
                   "anydml_device_info", info);
  });
}

anydml_status anydml_open_device(const char* name, const anydml_device_options* options,
                                 anydml_device** device) {
  return Guard([&]() -> Status {
    if (device == nullptr) return anydml::InvalidArgument("the result pointer must not be null");
    *device = nullptr;
    if (name == nullptr) return anydml::InvalidArgument("the device's name must not be null");
    anydml::Result<std::shared_ptr<Device>> opened = OpenDevice(name, options);
    if (!opened.ok()) return opened.error();
    *device = new anydml_device{std::move(opened).value()};
    return {};
  });
}

void anydml_close_device(anydml_device* device) {
  GuardRelease([device] { delete device; });
}
