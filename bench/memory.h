// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Memory of a benchmark's tensors, and data that all contestants agree on: no
// ties inside a window, no zeros, no values at the bounds of a clip, since peers
// define other results there.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "backends/bindings.h"
#include "backends/cpu/executor.h"
#include "schema/arguments.h"
#include "tensor/tensor_desc.h"

namespace anydml::bench {

inline constexpr uint64_t kCacheLine = 64;

// Begins at a cache line. Zeroed, so that no page is missing when the clock runs.
class Buffer {
 public:
  explicit Buffer(uint64_t bytes);

  uint8_t* data() { return data_.get(); }
  const uint8_t* data() const { return data_.get(); }
  uint64_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(uint8_t* data) const { std::free(data); }
  };
  uint64_t bytes_;
  std::unique_ptr<uint8_t, Free> data_;
};

// Fills the elements, not the gaps. Elements that are less than 8 apart along the
// last two dimensions, and 2 along the one before, differ. Magnitudes are in
// [0.25, 4); the last bit of a significand is always set, so no value is a small
// multiple of a power of two. Integers are odd: 1 or 3, of either sign.
void FillRandom(const TensorDesc& tensor, uint64_t seed, const cpu::Executor& executor,
                uint8_t* data);

// The tensors of one description: inputs at random, outputs zero.
struct Arena {
  Arena(const schema::Arguments& arguments, uint64_t seed, const cpu::Executor& executor);

  Bindings Bind();

  std::vector<Buffer> inputs;  // in binding order; empty where a tensor is absent
  std::vector<Buffer> outputs;
};

}  // namespace anydml::bench
