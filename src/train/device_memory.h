// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Where a training lives, and its memory there.
#pragma once

#include <memory>
#include <span>

#include "backends/cpu/executor.h"
#include "operators/device_program.h"

namespace anydml::train {

struct Place {
  CudaOrdinal cuda;                         // empty: the CPU
  const cpu::Executor* executor = nullptr;  // the CPU's; outlives what is made here
  DeviceOptions options;
};

class DeviceMemory {
 public:
  DeviceMemory() = default;
  // Aligned to 256 bytes; none for 0 bytes.
  static Result<DeviceMemory> Allocate(const Place& place, uint64_t bytes);

  void* get() const { return memory_.get(); }
  uint64_t bytes() const { return bytes_; }
  // From and to the host, all of it or the first bytes. On a CUDA device after the work that was
  // put there.
  Status Write(const void* from) const { return Copy(memory_.get(), from, bytes_); }
  Status Write(const void* from, uint64_t bytes) const { return Copy(memory_.get(), from, bytes); }
  Status Read(void* to) const { return Copy(to, memory_.get(), bytes_); }
  Status Read(void* to, uint64_t bytes) const { return Copy(to, memory_.get(), bytes); }

 private:
  Status Copy(void* to, const void* from, uint64_t bytes) const;

  std::shared_ptr<void> memory_;
  uint64_t bytes_ = 0;
  CudaOrdinal cuda_;
};

}  // namespace anydml::train
