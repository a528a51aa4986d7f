// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/move/plan.h"

namespace anydml::move {
namespace {

// Elements inside of the axis; 0 where a tensor has gaps or another order. `order` lists
// the dimensions of more than one element, innermost first.
uint64_t InnerElements(std::span<const uint32_t> order, const Dimensions& sizes,
                       const Dimensions& strides, uint32_t axis) {
  uint64_t expected = 1, inner = 0;
  for (uint32_t i : order) {
    if (i == axis) inner = expected;
    if (sizes[i] != 1 && strides[i] != expected) return 0;
    expected *= sizes[i];
  }
  return inner;
}

}  // namespace

void FindCommonRows(Parts& parts) {
  const TensorDesc& whole = parts.whole;
  parts.rows = parts.inner = 0;
  std::array<uint32_t, kMaxDimensions> order = {};
  uint32_t rank = 0;
  for (uint32_t i = 0; i < whole.dimension_count; ++i) {
    // An axis of one element belongs wherever it is put.
    if (whole.sizes[i] == 1 && i != parts.axis) continue;
    uint32_t k = rank++;
    for (; k > 0 && whole.strides[order[k - 1]] > whole.strides[i]; --k) order[k] = order[k - 1];
    order[k] = i;
  }
  const std::span<const uint32_t> sorted(order.data(), rank);
  const uint64_t inner = InnerElements(sorted, whole.sizes, whole.strides, parts.axis);
  Dimensions sizes = whole.sizes;
  for (uint32_t p = 0; p < parts.count; ++p) {
    sizes[parts.axis] = parts.sizes[p];
    if (InnerElements(sorted, sizes, parts.strides[p], parts.axis) != inner) return;
  }
  if (inner == 0) return;
  parts.inner = inner;
  parts.rows = whole.ElementCount() / parts.RowElements();
}

}  // namespace anydml::move
