// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A tensor as described, after validation: logical sizes, element strides,
// bytes. Owns no data. Rule numbers (T..) are those of docs/rules.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "tensor/data_type.h"

namespace anydml {

inline constexpr uint32_t kMaxDimensions = 8;
inline constexpr uint64_t kMaxElements = 0xFFFFFFFFu;  // 2^32 - 1, T7

using Dimensions = std::array<uint32_t, kMaxDimensions>;

struct TensorDesc {
  DataType data_type = DataType::kUnknown;
  uint32_t flags = 0;
  uint32_t dimension_count = 0;  // 0: an optional tensor that is absent
  bool has_strides = false;
  Dimensions sizes = {};
  Dimensions strides = {};  // in elements; filled with the packed ones when none were given
  uint64_t total_bytes = 0;
  uint32_t base_offset_alignment = 0;

  bool present() const { return dimension_count != 0; }
  std::span<const uint32_t> Sizes() const { return {sizes.data(), dimension_count}; }
  std::span<const uint32_t> Strides() const { return {strides.data(), dimension_count}; }
  uint64_t ElementCount() const;
};

// Packed: the last dimension is contiguous. Wraps silently for tensors beyond
// kMaxElements, which T7 refuses.
Dimensions PackedStrides(std::span<const uint32_t> sizes);

// A packed tensor of the least legal size.
TensorDesc PackedTensor(DataType type, std::span<const uint32_t> sizes);

// Number of elements, and 1 + sum((size - 1) * stride); empty when the true
// number does not fit 64 bits.
std::optional<uint64_t> LogicalElementCount(std::span<const uint32_t> sizes);
std::optional<uint64_t> Extent(std::span<const uint32_t> sizes, std::span<const uint32_t> strides);

// The least legal TotalTensorSizeInBytes (T8); never wraps, unlike the helper
// that DirectML's programs carry with them.
std::optional<uint64_t> MinimumTotalBytes(DataType type, std::span<const uint32_t> sizes,
                                          std::span<const uint32_t> strides);

// Equal sizes, and equal strides wherever a dimension has more than one element.
bool HaveSameLayout(const TensorDesc& a, const TensorDesc& b);

// Whether the elements fill the memory from the first to the last, each with one
// of its own, in whatever order.
bool IsDense(const TensorDesc& tensor);

// T9, the conservative test for written tensors: true when some dimension's
// stride does not clear all that the smaller strides can reach.
bool MayOverlap(std::span<const uint32_t> sizes, std::span<const uint32_t> strides);

}  // namespace anydml
