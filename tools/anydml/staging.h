// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The memory of a model on a CUDA device, for the time of one dispatch.
#pragma once

#include <map>

#include "backends/cuda/runtime.h"

namespace anydml::tool {

class Staging {
 public:
  explicit Staging(int ordinal) : ordinal_(ordinal) {}

  // Where the bytes at `data` are on the device; copies them there once.
  Result<uint8_t*> Send(uint8_t* data, uint64_t bytes);
  // Copies everything back.
  Status Fetch();

 private:
  struct Copied {
    uint64_t bytes;
    cuda::Memory memory;
  };

  int ordinal_;
  std::map<uint8_t*, Copied> copies_;
};

}  // namespace anydml::tool
