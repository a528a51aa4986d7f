// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The functions of anydml.h that handle memory of devices.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "base/aligned_memory.h"
#include "c_api/device.h"
#include "c_api/last_error.h"

namespace anydml::c_api {
namespace {

constexpr uint64_t kAlignment = 256;

Result<void*> AllocateOnCpu(uint64_t bytes) {
  void* memory = AllocateAligned(bytes, kAlignment);
  if (memory == nullptr) return OutOfMemory(fmt::format("not enough memory for {} bytes", bytes));
  return memory;
}

Result<void*> AllocateOnCuda(uint64_t bytes, int ordinal) {
  const cuda::ScopedDevice device(ordinal);
  Result<cuda::Memory> memory = cuda::Allocate(bytes);
  if (!memory.ok()) return memory.error();
  return memory.value().release();
}

Status CopyOnCuda(void* to, const void* from, uint64_t bytes, int ordinal) {
  const cuda::ScopedDevice device(ordinal);
  Status status = cuda::Copy(to, from, bytes, nullptr);
  return status.ok() ? cuda::Synchronize(nullptr) : status;
}

}  // namespace
}  // namespace anydml::c_api

using anydml::InvalidArgument;
using anydml::Status;
using namespace anydml::c_api;  // NOLINT: this file implements its public face

anydml_status anydml_allocate(anydml_device* device, uint64_t bytes, void** memory) {
  return Guard([&]() -> Status {
    if (memory == nullptr) return InvalidArgument("the result pointer must not be null");
    *memory = nullptr;
    if (device == nullptr) return InvalidArgument("the device must not be null");
    if (bytes == 0) return InvalidArgument("bytes = 0 must be at least 1");
    Status fork = device->device->CheckFork();
    if (!fork.ok()) return fork;
    const anydml::CudaOrdinal cuda = device->device->cuda;
    anydml::Result<void*> allocated = cuda ? AllocateOnCuda(bytes, *cuda) : AllocateOnCpu(bytes);
    if (!allocated.ok()) return allocated.error();
    *memory = allocated.value();
    return {};
  });
}

void anydml_free(anydml_device* device, void* memory) {
  if (device == nullptr || memory == nullptr) return;
  GuardRelease([&] {
    if (!device->device->cuda) return std::free(memory);
    if (!device->device->CheckFork().ok()) return;
    const anydml::cuda::ScopedDevice scope(*device->device->cuda);
    anydml::cuda::FreeMemory{anydml::cuda::Place::kDevice}(memory);
  });
}

anydml_status anydml_copy(anydml_device* device, void* to, const void* from, uint64_t bytes) {
  return Guard([&]() -> Status {
    if (device == nullptr) return InvalidArgument("the device must not be null");
    if (bytes == 0) return {};
    if (to == nullptr || from == nullptr) return InvalidArgument("both addresses must not be null");
    Status fork = device->device->CheckFork();
    if (!fork.ok()) return fork;
    const anydml::CudaOrdinal cuda = device->device->cuda;
    if (cuda) return CopyOnCuda(to, from, bytes, *cuda);
    std::memmove(to, from, bytes);
    return {};
  });
}

anydml_status anydml_memory_device(const void* memory, const char** name) {
  return Guard([&]() -> Status {
    if (name == nullptr) return InvalidArgument("the result pointer must not be null");
    const anydml::cuda::DeviceInfo* owner = anydml::cuda::OwnerOf(memory);
    *name = owner != nullptr ? owner->name.c_str() : "cpu";
    return {};
  });
}
