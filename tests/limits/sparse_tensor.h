// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A tensor whose elements may lie anywhere in a large address space.
#pragma once

#include <cstring>
#include <vector>

#include "operators/reference.h"
#include "support/sparse_memory.h"

namespace anydml::test {

class SparseTensor {
 public:
  explicit SparseTensor(const TensorDesc& desc)
      : desc_(desc), memory_(desc.present() ? desc.total_bytes : 1) {}

  bool ok() const { return memory_.ok(); }
  const TensorDesc& desc() const { return desc_; }
  uint8_t* data() const {
    return desc_.present() ? static_cast<uint8_t*>(memory_.data()) : nullptr;
  }

  // In logical order.
  void SetElements(const std::vector<uint8_t>& elements) {
    size_t next = 0;
    ForEach([&](uint8_t* element, size_t size) {
      std::memcpy(element, elements.data() + next, size);
      next += size;
    });
  }
  std::vector<uint8_t> Elements() const {
    std::vector<uint8_t> elements;
    ForEach([&](const uint8_t* element, size_t size) {
      elements.insert(elements.end(), element, element + size);
    });
    return elements;
  }

 private:
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    if (!desc_.present()) return;
    const size_t size = ElementSize(desc_.data_type);
    reference::ForEachCoordinate(desc_, [&](const reference::Coordinate& c) {
      visit(data() + reference::ElementOffset(desc_, c) * size, size);
    });
  }

  TensorDesc desc_;
  SparseMemory memory_;
};

}  // namespace anydml::test
