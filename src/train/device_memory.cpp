// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/device_memory.h"

#include <fmt/format.h>

#include <cstring>

#include "backends/cuda/runtime.h"
#include "base/aligned_memory.h"

namespace anydml::train {
namespace {

constexpr uint64_t kAlignment = 256;

Result<std::shared_ptr<void>> AllocateOnCpu(uint64_t bytes) {
  void* memory = AllocateAligned(bytes, kAlignment);
  if (memory == nullptr) return OutOfMemory(fmt::format("not enough memory for {} bytes", bytes));
  return std::shared_ptr<void>(memory, [](void* own) { std::free(own); });
}

Result<std::shared_ptr<void>> AllocateOnCuda(uint64_t bytes, int ordinal) {
  const cuda::ScopedDevice device(ordinal);
  Result<cuda::Memory> memory = cuda::Allocate(bytes);
  if (!memory.ok()) return memory.error();
  return std::shared_ptr<void>(std::move(memory).value());
}

}  // namespace

Result<DeviceMemory> DeviceMemory::Allocate(const Place& place, uint64_t bytes) {
  DeviceMemory memory;
  if (bytes == 0) return memory;
  Result<std::shared_ptr<void>> allocated =
      place.cuda ? AllocateOnCuda(bytes, *place.cuda) : AllocateOnCpu(bytes);
  if (!allocated.ok()) return allocated.error();
  memory.memory_ = std::move(allocated).value();
  memory.bytes_ = bytes;
  memory.cuda_ = place.cuda;
  return memory;
}

Status DeviceMemory::Copy(void* to, const void* from, uint64_t bytes) const {
  if (!cuda_) {
    std::memcpy(to, from, bytes);
    return {};
  }
  const cuda::ScopedDevice device(*cuda_);
  Status status = cuda::Copy(to, from, bytes, nullptr);
  return status.ok() ? cuda::Synchronize(nullptr) : status;
}

}  // namespace anydml::train
