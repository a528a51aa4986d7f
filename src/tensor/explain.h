// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The geometry of plans in words, for people who want to know what the library
// made of a description. One fact per line, no newline at the end.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "tensor/axis_sums.h"
#include "tensor/strided_loop.h"
#include "tensor/window.h"

namespace anydml {

std::string ExplainLoop(std::span<const uint64_t> sizes,
                        std::span<const std::span<const int64_t>> strides,
                        std::initializer_list<std::string_view> tensors);

// "coalesced to 1 dimension: {24}" and the element strides of each tensor.
template <int N>
std::string Explain(const StridedLoop<N>& loop, std::initializer_list<std::string_view> tensors) {
  std::array<std::span<const int64_t>, N> strides;
  for (int t = 0; t < N; ++t) strides[t] = {loop.strides[t].data(), loop.rank};
  return ExplainLoop({loop.sizes.data(), loop.rank}, strides, tensors);
}

// Planes, and one line per axis: sizes, window, stride, dilation, padding, taps.
std::string Explain(const WindowLoop& loop);

// One line per axis: sizes, sampling, and how many terms its sums have.
std::string Explain(const AxisSums& sums);

}  // namespace anydml
