// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The bytes behind heaps and buffers. Shared by the objects and by submitted
// work, so that a buffer released too early is no access to freed memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "backends/cuda/runtime.h"
#include "base/result.h"

namespace anydml::d3d12 {

// D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT.
inline constexpr uint64_t kPlacementAlignment = 65536;

class Memory {
 public:
  // Zeroed and aligned to 64 KiB.
  static Result<std::shared_ptr<Memory>> Allocate(uint64_t size);
  // The same on a CUDA device, or of the host where the device can reach it.
  static Result<std::shared_ptr<Memory>> AllocateForCuda(uint64_t size, int ordinal,
                                                         cuda::Place place);
  // Memory of the program, which keeps it alive.
  static std::shared_ptr<Memory> Borrow(void* address, uint64_t size);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::byte* data() const { return data_; }
  uint64_t size() const { return size_; }

  // Of all devices together.
  static uint64_t BytesInUse();

 private:
  Memory(std::byte* data, uint64_t size, bool owned) : data_(data), size_(size), owned_(owned) {}
  Memory(cuda::Memory memory, std::byte* data, uint64_t size)
      : data_(data), size_(size), owned_(false), cuda_(std::move(memory)) {}

  std::byte* data_;
  uint64_t size_;
  bool owned_;
  cuda::Memory cuda_;  // empty for the CPU's and the program's
};

// The number of bytes from `address` to the end of the readable and writable
// mappings around it; 0 when it lies in none. Fails when no descriptor is left to look, and
// where there is no /proc to look into.
Result<uint64_t> AccessibleBytesFrom(const void* address);

// What the system can give without swapping: MemAvailable of /proc/meminfo, or what is free
// where there is no /proc. Fails when no descriptor is left to look.
Result<uint64_t> AvailableBytes();

}  // namespace anydml::d3d12
