// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Bytes of the host in memory of the current device.
#pragma once

#include <algorithm>

#include "backends/cuda/runtime.h"

namespace anydml::cuda {

// Returns when they are there, so that the host's may go.
inline Result<Memory> Send(const void* from, uint64_t bytes) {
  Result<Memory> memory = Allocate(std::max<uint64_t>(bytes, 1));
  if (!memory.ok() || bytes == 0) return memory;
  Status status = Copy(memory.value().get(), from, bytes, nullptr);
  if (status.ok()) status = Synchronize(nullptr);
  if (!status.ok()) return status.error();
  return memory;
}

}  // namespace anydml::cuda
