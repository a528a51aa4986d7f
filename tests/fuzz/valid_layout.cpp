// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "fuzz/valid_description.h"
#include "operators/describe.h"

namespace anydml::test {
namespace {

// Dimensions from outermost to innermost, in any order, and gaps wherever the
// bytes want one. No two elements meet.
Dimensions SeparateStrides(const TensorDesc& tensor, Bytes& bytes) {
  std::array<uint32_t, kMaxDimensions> order;
  std::iota(order.begin(), order.end(), 0u);
  for (uint32_t i = tensor.dimension_count; i > 1; --i) {
    std::swap(order[i - 1], order[bytes.Below(i)]);
  }
  Dimensions strides = {};
  uint32_t reach = 1 + (bytes.Rarely() ? bytes.Below(4) : 0);
  for (uint32_t i = tensor.dimension_count; i-- > 0;) {
    strides[order[i]] = reach;
    reach *= tensor.sizes[order[i]];
    if (bytes.Byte() % 4 == 3) reach += bytes.Below(5);
  }
  return strides;
}

// Of a tensor that is only read: elements may share addresses.
Dimensions SharedStrides(const TensorDesc& tensor, Bytes& bytes) {
  Dimensions strides = PackedStrides(tensor.Sizes());
  for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
    const uint32_t kind = bytes.Below(4);
    if (kind == 0) strides[i] = 0;
    if (kind == 1) strides[i] = bytes.Below(5);
    // Nobody walks along a dimension of one element, so anything may stand there.
    if (kind == 2 && tensor.sizes[i] == 1) strides[i] = EdgeWord(bytes);
  }
  return strides;
}

}  // namespace

void ChooseLayout(TensorDesc& tensor, bool is_output, Bytes& bytes) {
  const uint32_t kind = bytes.Below(4);
  std::optional<Dimensions> strides;
  if (kind == 1) strides = PackedStrides(tensor.Sizes());
  if (kind == 2) strides = SeparateStrides(tensor, bytes);
  if (kind == 3) {
    strides = is_output ? SeparateStrides(tensor, bytes) : SharedStrides(tensor, bytes);
  }
  if (strides) {
    const std::span<const uint32_t> given(strides->data(), tensor.dimension_count);
    if (Extent(tensor.Sizes(), given).value_or(UINT64_MAX) > 16 * kMaxFuzzElements) strides.reset();
  }
  SetStrides(tensor, strides);
  if (bytes.Rarely()) tensor.total_bytes += 4 * bytes.Below(9);
}

uint32_t EdgeWord(Bytes& bytes) {
  constexpr uint32_t kEdges[] = {0,          1,          2,          3,          8,
                                 9,          0x7FFF,     0xFFFF,     0x10000,    0x7FFFFFFE,
                                 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF};
  const uint32_t kind = bytes.Below(std::size(kEdges) + 1);
  return kind < std::size(kEdges) ? kEdges[kind] : bytes.Word();
}

uint32_t EdgeFloat(Bytes& bytes) {
  using Limits = std::numeric_limits<float>;
  constexpr float kEdges[] = {0.0f,
                              -0.0f,
                              1.0f,
                              -1.0f,
                              0.5f,
                              -0.5f,
                              2.0f,
                              1e-3f,
                              1e9f,
                              -1e9f,
                              4294967296.0f,
                              Limits::min(),
                              Limits::max(),
                              Limits::lowest(),
                              Limits::denorm_min(),
                              Limits::infinity(),
                              -Limits::infinity(),
                              Limits::quiet_NaN()};
  const uint32_t kind = bytes.Below(std::size(kEdges) + 1);
  return kind < std::size(kEdges) ? std::bit_cast<uint32_t>(kEdges[kind]) : bytes.Word();
}

}  // namespace anydml::test
