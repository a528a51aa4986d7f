// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/tensor_desc.h"

#include <algorithm>
#include <utility>

#include "base/checked_math.h"

namespace anydml {

uint64_t TensorDesc::ElementCount() const {
  uint64_t count = 1;
  for (uint32_t size : Sizes()) count *= size;
  return count;
}

Dimensions PackedStrides(std::span<const uint32_t> sizes) {
  Dimensions strides = {};
  uint64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = static_cast<uint32_t>(step);
    step *= sizes[i];
  }
  return strides;
}

TensorDesc PackedTensor(DataType type, std::span<const uint32_t> sizes) {
  TensorDesc tensor;
  tensor.data_type = type;
  tensor.dimension_count = static_cast<uint32_t>(sizes.size());
  std::ranges::copy(sizes, tensor.sizes.begin());
  tensor.strides = PackedStrides(sizes);
  tensor.total_bytes = MinimumTotalBytes(type, sizes, tensor.Strides()).value_or(0);
  return tensor;
}

std::optional<uint64_t> LogicalElementCount(std::span<const uint32_t> sizes) {
  std::optional<uint64_t> count = 1;
  for (uint32_t size : sizes) count = CheckedMultiply(count, size);
  return count;
}

std::optional<uint64_t> Extent(std::span<const uint32_t> sizes, std::span<const uint32_t> strides) {
  std::optional<uint64_t> extent = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    extent = CheckedAdd(extent, CheckedMultiply(uint64_t{sizes[i]} - 1, strides[i]));
  }
  return extent;
}

std::optional<uint64_t> MinimumTotalBytes(DataType type, std::span<const uint32_t> sizes,
                                          std::span<const uint32_t> strides) {
  return CheckedRoundUp(CheckedMultiply(Extent(sizes, strides), ElementSize(type)), 4);
}

bool HaveSameLayout(const TensorDesc& a, const TensorDesc& b) {
  if (!std::ranges::equal(a.Sizes(), b.Sizes())) return false;
  for (uint32_t i = 0; i < a.dimension_count; ++i) {
    if (a.sizes[i] > 1 && a.strides[i] != b.strides[i]) return false;
  }
  return true;
}

bool IsDense(const TensorDesc& tensor) {
  // Sorted by their strides, the dimensions follow one another without gaps.
  uint64_t stride = 1;
  for (bool found = true; found;) {
    found = false;
    for (uint32_t i = 0; i < tensor.dimension_count && !found; ++i) {
      found = tensor.sizes[i] > 1 && tensor.strides[i] == stride;
      if (found) stride *= tensor.sizes[i];
    }
  }
  return stride == tensor.ElementCount();
}

bool MayOverlap(std::span<const uint32_t> sizes, std::span<const uint32_t> strides) {
  std::array<std::pair<uint64_t, uint64_t>, kMaxDimensions> steps;  // stride, size
  steps.fill({0, 1});
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 1) steps[i] = {strides[i], sizes[i]};
  }
  std::sort(steps.begin(), steps.end());
  uint64_t reach = 0;  // fits: the extent was checked by T7 before
  for (const auto& [stride, size] : steps) {
    if (size == 1) continue;
    if (stride <= reach) return true;
    reach += (size - 1) * stride;
  }
  return false;
}

}  // namespace anydml
