// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "schema/tensor_bytes.h"

#include <algorithm>

#include "base/text.h"
#include "tensor/tensor_desc.h"

namespace anydml {

Status TensorBytes(DataType type, uint32_t dimension_count, const uint32_t* sizes,
                   const uint32_t* strides, uint64_t& bytes) {
  if (ElementSize(type) == 0) {
    return InvalidArgument(
        fmt::format("data_type = {} is not a type of whole bytes", static_cast<uint32_t>(type)));
  }
  if (dimension_count < 1 || dimension_count > kMaxDimensions) {
    return InvalidArgument(
        fmt::format("dimension_count = {} must be 1 to {}", dimension_count, kMaxDimensions));
  }
  const std::span<const uint32_t> given(sizes, dimension_count);
  if (std::ranges::count(given, 0u) != 0) {
    return InvalidArgument(
        fmt::format("sizes = {} must be at least 1 in every dimension", BracedList(given)));
  }
  if (LogicalElementCount(given).value_or(kMaxElements + 1) > kMaxElements) {
    return InvalidArgument(
        fmt::format("sizes = {} must hold at most {} elements", BracedList(given), kMaxElements));
  }
  const Dimensions packed = PackedStrides(given);
  const std::span<const uint32_t> used(strides != nullptr ? strides : packed.data(),
                                       dimension_count);
  if (Extent(given, used).value_or(kMaxElements + 1) > kMaxElements) {
    return InvalidArgument(fmt::format("strides = {} with sizes = {} must span at most {} elements",
                                       BracedList(used), BracedList(given), kMaxElements));
  }
  bytes = *MinimumTotalBytes(type, given, used);
  return {};
}

}  // namespace anydml
