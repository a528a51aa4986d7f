// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Tensors of equal sizes, cut into sets: the elements of a set have the kept
// coordinates in common and are in ascending order of the reduced ones. Knows
// nothing of operators.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tensor/strided_loop.h"

namespace anydml::reduce {

// Of blocked sums (B61): element r of a block is added to slot r mod 128.
inline constexpr uint64_t kSlots = 128;
inline constexpr uint64_t kBlock = 4096;  // elements

template <int N>
struct Sets {
  StridedLoop<N> kept;     // in any order
  StridedLoop<N> reduced;  // in logical order

  uint64_t count() const { return kept.ElementCount(); }
  uint64_t size() const { return reduced.ElementCount(); }  // of each
};

// As Coalesce, but the order of the elements matters and stays.
template <int N>
StridedLoop<N> CoalesceInOrder(const StridedLoop<N>& loop) {
  StridedLoop<N> out;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    if (loop.sizes[i] == 1) continue;
    bool contiguous = out.rank > 0;
    for (int t = 0; t < N && contiguous; ++t) {
      contiguous =
          out.strides[t][out.rank - 1] == loop.strides[t][i] * static_cast<int64_t>(loop.sizes[i]);
    }
    if (contiguous) {
      out.sizes[out.rank - 1] *= loop.sizes[i];
    } else {
      out.sizes[out.rank++] = loop.sizes[i];
    }
    for (int t = 0; t < N; ++t) out.strides[t][out.rank - 1] = loop.strides[t][i];
  }
  if (out.rank == 0) return StridedLoop<N>::PackedRow(1);
  return out;
}

// The sizes are those of the first tensor. A tensor of size 1 in a dimension repeats along it.
// `reduced` says which dimensions are.
template <int N>
Sets<N> MakeSets(const std::array<const TensorDesc*, N>& tensors,
                 const std::array<bool, kMaxDimensions>& reduced) {
  StridedLoop<N> kept, inside;
  for (uint32_t i = 0; i < tensors[0]->dimension_count; ++i) {
    StridedLoop<N>& loop = reduced[i] ? inside : kept;
    loop.sizes[loop.rank] = tensors[0]->sizes[i];
    for (int t = 0; t < N; ++t) {
      const bool repeats = tensors[t]->sizes[i] == 1;
      loop.strides[t][loop.rank] = repeats ? 0 : int64_t{tensors[t]->strides[i]};
    }
    ++loop.rank;
  }
  return {Coalesce(kept), CoalesceInOrder(inside)};
}

// Walks all elements of a loop, starting anywhere.
template <int N>
class ElementWalk {
 public:
  ElementWalk(const StridedLoop<N>& loop, uint64_t first) : loop_(loop) {
    for (uint32_t i = loop.rank; i-- > 0;) {
      position_[i] = first % loop.sizes[i];
      first /= loop.sizes[i];
      for (int t = 0; t < N; ++t) {
        offsets_[t] += static_cast<int64_t>(position_[i]) * loop.strides[t][i];
      }
    }
  }

  const std::array<int64_t, N>& offsets() const { return offsets_; }

  void Next() {
    for (uint32_t i = loop_.rank; i-- > 0;) {
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

// Calls body(offsets, position, count) for the pieces of rows that elements [first, first + count)
// of the loop consist of; position counts from `first`.
template <int N, typename Body>
void ForEachRun(const StridedLoop<N>& loop, uint64_t first, uint64_t count, const Body& body) {
  const uint64_t length = loop.inner_size();
  uint64_t at = first % length;
  RowWalk<N> walk(loop, first / length);
  for (uint64_t done = 0; done < count;) {
    const uint64_t taken = std::min(count - done, length - at);
    std::array<int64_t, N> offsets = walk.offsets();
    for (int t = 0; t < N; ++t) offsets[t] += static_cast<int64_t>(at) * loop.inner_stride(t);
    body(offsets, done, taken);
    done += taken;
    at = 0;
    walk.Next();
  }
}

// The sets side by side along a kept dimension in which tensor 0 has stride 1.
template <int N>
struct Columns {
  StridedLoop<N> outer;  // the other kept dimensions
  uint64_t lanes = 0;    // 0: there is no such dimension
  std::array<int64_t, N> lane_strides = {};
};

template <int N>
Columns<N> FindColumns(const StridedLoop<N>& kept) {
  Columns<N> columns;
  for (uint32_t i = 0; i < kept.rank; ++i) {
    const bool taken = columns.lanes == 0 && kept.strides[0][i] == 1 && kept.sizes[i] > 1;
    if (taken) {
      columns.lanes = kept.sizes[i];
      for (int t = 0; t < N; ++t) columns.lane_strides[t] = kept.strides[t][i];
      continue;
    }
    StridedLoop<N>& outer = columns.outer;
    outer.sizes[outer.rank] = kept.sizes[i];
    for (int t = 0; t < N; ++t) outer.strides[t][outer.rank] = kept.strides[t][i];
    ++outer.rank;
  }
  if (columns.outer.rank == 0) columns.outer = StridedLoop<N>::PackedRow(1);
  return columns;
}

}  // namespace anydml::reduce
