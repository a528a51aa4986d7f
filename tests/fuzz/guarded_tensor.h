// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Tensors of fuzz inputs: while an operator runs, their bytes lie against a page
// that nobody may touch.
#pragma once

#include <cstring>
#include <optional>

#include "fuzz/bytes.h"
#include "support/guard_pages.h"
#include "support/tensor_data.h"

namespace anydml::test {

// From the first to the last element: a program may own no byte more.
inline size_t BytesInUse(const TensorDesc& tensor) {
  return Extent(tensor.Sizes(), tensor.Strides()).value_or(0) * ElementSize(tensor.data_type);
}

// The bytes move to guarded memory for a run and back.
class GuardedTensor {
 public:
  GuardedTensor(const TensorDesc& desc, GuardPages::Flush flush)
      : memory(desc), pages_(BytesInUse(desc), flush) {
    Require(pages_.data() != nullptr, "no address space for guard pages");
  }
  void* Enter() {
    std::memcpy(pages_.data(), memory.data(), BytesInUse(memory.desc()));
    return pages_.data();
  }
  void Leave() { std::memcpy(memory.data(), pages_.data(), BytesInUse(memory.desc())); }

  TensorMemory memory;

 private:
  GuardPages pages_;
};

}  // namespace anydml::test
