// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A nest of loops over the elements of N tensors that are walked together:
// sizes, and for each tensor a signed element stride per dimension. Made by
// plans, walked by kernels. Knows nothing of operators.
#pragma once

#include <array>
#include <cstdint>

#include "tensor/tensor_desc.h"

namespace anydml {

template <int N>
struct StridedLoop {
  uint32_t rank = 0;  // at least 1 once made
  std::array<uint64_t, kMaxDimensions> sizes = {};
  std::array<std::array<int64_t, kMaxDimensions>, N> strides = {};

  // One row of elements that lie side by side in every tensor.
  static StridedLoop PackedRow(uint64_t count) {
    StridedLoop loop;
    loop.rank = 1;
    loop.sizes[0] = count;
    for (int t = 0; t < N; ++t) loop.strides[t][0] = 1;
    return loop;
  }

  uint64_t inner_size() const { return sizes[rank - 1]; }
  int64_t inner_stride(int tensor) const { return strides[tensor][rank - 1]; }
  uint64_t RowCount() const {
    uint64_t rows = 1;
    for (uint32_t i = 0; i + 1 < rank; ++i) rows *= sizes[i];
    return rows;
  }
  uint64_t ElementCount() const { return RowCount() * inner_size(); }
  bool HasUnitInnerStrides() const {
    for (int t = 0; t < N; ++t) {
      if (inner_stride(t) != 1) return false;
    }
    return true;
  }
};

// Every element is visited once and the order does not matter, so dimensions
// of size 1 are dropped, the others are sorted by the stride of the last tensor
// (the output: rows are written contiguously where possible) and neighbours
// that are contiguous in all tensors become one. An NHWC layout that all
// tensors share thus ends as a single packed row.
template <int N>
StridedLoop<N> Coalesce(const StridedLoop<N>& loop) {
  const auto magnitude = [&](uint32_t i) {
    const int64_t stride = loop.strides[N - 1][i];
    return stride < 0 ? -stride : stride;
  };
  std::array<uint32_t, kMaxDimensions> order = {};
  uint32_t count = 0;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    if (loop.sizes[i] == 1) continue;
    uint32_t k = count++;
    for (; k > 0 && magnitude(order[k - 1]) < magnitude(i); --k) order[k] = order[k - 1];
    order[k] = i;
  }

  StridedLoop<N> out;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t i = order[k];
    const auto contiguous = [&] {
      for (int t = 0; t < N; ++t) {
        const int64_t outer = out.strides[t][out.rank - 1];
        if (outer != loop.strides[t][i] * static_cast<int64_t>(loop.sizes[i])) return false;
      }
      return true;
    };
    if (out.rank > 0 && contiguous()) {
      out.sizes[out.rank - 1] *= loop.sizes[i];
    } else {
      out.sizes[out.rank++] = loop.sizes[i];
    }
    for (int t = 0; t < N; ++t) out.strides[t][out.rank - 1] = loop.strides[t][i];
  }
  if (out.rank == 0) return StridedLoop<N>::PackedRow(1);  // a single element
  return out;
}

// The loop over tensors of equal sizes; the last one is the output.
template <int N>
StridedLoop<N> ElementwiseLoop(const std::array<const TensorDesc*, N>& tensors) {
  StridedLoop<N> loop;
  loop.rank = tensors[0]->dimension_count;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    loop.sizes[i] = tensors[0]->sizes[i];
    for (int t = 0; t < N; ++t) loop.strides[t][i] = tensors[t]->strides[i];
  }
  return Coalesce(loop);
}

// Walks the rows (all dimensions but the innermost) of a loop in order,
// starting anywhere: one division per dimension at the start, additions after.
template <int N>
class RowWalk {
 public:
  RowWalk(const StridedLoop<N>& loop, uint64_t first_row) : loop_(loop) {
    for (uint32_t i = loop.rank - 1; i-- > 0;) {
      position_[i] = first_row % loop.sizes[i];
      first_row /= loop.sizes[i];
      for (int t = 0; t < N; ++t) {
        offsets_[t] += static_cast<int64_t>(position_[i]) * loop.strides[t][i];
      }
    }
  }

  // Element offsets of the row's first element in each tensor.
  const std::array<int64_t, N>& offsets() const { return offsets_; }

  void Next() {
    for (uint32_t i = loop_.rank - 1; i-- > 0;) {
      for (int t = 0; t < N; ++t) offsets_[t] += loop_.strides[t][i];
      if (++position_[i] < loop_.sizes[i]) return;
      for (int t = 0; t < N; ++t) {
        offsets_[t] -= static_cast<int64_t>(loop_.sizes[i]) * loop_.strides[t][i];
      }
      position_[i] = 0;
    }
  }

 private:
  const StridedLoop<N>& loop_;
  std::array<uint64_t, kMaxDimensions> position_ = {};
  std::array<int64_t, N> offsets_ = {};
};

}  // namespace anydml
