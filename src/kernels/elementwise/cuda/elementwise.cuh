// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A formula on every element of tensors of one shape: 16 bytes per thread where
// the output's rows lie packed, one element per thread elsewhere. The last tensor of a loop
// is the output; it may be one of the inputs.
#pragma once

#include "backends/bindings.h"
#include "backends/cuda/launch.cuh"
#include "tensor/strided_loop.h"

namespace anydml::cuda {

// A StridedLoop whose positions are found by multiplications. Sizes and item
// numbers fit 32 bits (T7), offsets need 64.
template <int N>
struct Walk {
  uint32_t rank = 0;
  Divider sizes[kMaxDimensions];
  int64_t strides[N][kMaxDimensions];

  // All dimensions of the loop, or all but the innermost.
  Walk(const StridedLoop<N>& loop, uint32_t dimensions) : rank(dimensions) {
    for (uint32_t i = 0; i < dimensions; ++i) {
      sizes[i] = Divider(loop.sizes[i]);
      for (int t = 0; t < N; ++t) strides[t][i] = loop.strides[t][i];
    }
  }

  __device__ void Offsets(uint32_t number, int64_t (&offsets)[N]) const {
    for (int t = 0; t < N; ++t) offsets[t] = 0;
    for (uint32_t i = rank; i-- > 0;) {
      const uint32_t rest = sizes[i].Quotient(number);
      const int64_t position = number - rest * sizes[i].divisor();
      number = rest;
      for (int t = 0; t < N; ++t) offsets[t] += position * strides[t][i];
    }
  }
};

template <typename T, class F, size_t... kInputs>
__device__ T Evaluate(const F& formula, const T (&inputs)[sizeof...(kInputs)],
                      std::index_sequence<kInputs...>) {
  return formula(inputs[kInputs]...);
}

template <typename T, int N>
struct Pointers {
  T* at[N];  // inputs first; only the last is written
};

template <typename T, int N>
Pointers<T, N> PointersOf(const Bindings& bindings) {
  Pointers<T, N> pointers;
  for (int t = 0; t < N - 1; ++t) {
    pointers.at[t] = static_cast<T*>(const_cast<void*>(bindings.inputs[t]));
  }
  pointers.at[N - 1] = bindings.Output<T>(0);
  return pointers;
}

// The formula of a copy.
struct Copied {
  template <typename T>
  __device__ T operator()(T value) const {
    return value;
  }
};

template <typename T, int N, class F>
__global__ void TransformElements(F formula, Walk<N> walk, Pointers<T, N> pointers,
                                  uint32_t count) {
  const uint64_t number = ThreadNumber();
  if (number >= count) return;
  int64_t offsets[N];
  walk.Offsets(static_cast<uint32_t>(number), offsets);
  T inputs[N - 1];
  for (int t = 0; t < N - 1; ++t) inputs[t] = pointers.at[t][offsets[t]];
  pointers.at[N - 1][offsets[N - 1]] = Evaluate(formula, inputs, std::make_index_sequence<N - 1>());
}

// Distances of a row's elements in the inputs.
template <int N>
struct InnerStrides {
  int64_t of[N - 1];

  explicit InnerStrides(const StridedLoop<N>& loop) {
    for (int t = 0; t < N - 1; ++t) of[t] = loop.inner_stride(t);
  }
};

// One pack of the output per thread. Where all rows begin at the same distance from
// a multiple of 16 bytes, whole packs are aligned in every tensor; the loads for
// other rows would cost those registers.
template <bool kInStep, typename T, int N, class F>
__global__ void TransformPacks(F formula, Walk<N> rows, InnerStrides<N> strides,
                               Pointers<T, N> pointers, uint32_t inner_size, Divider packs_per_row,
                               uint64_t packs) {
  using P = Pack<T>;
  const uint64_t number = ThreadNumber();
  if (number >= packs) return;
  auto pack = static_cast<uint32_t>(number);
  int64_t offsets[N];
  rows.Offsets(packs_per_row.Split(pack), offsets);
  T* row = pointers.at[N - 1] + offsets[N - 1];
  const int64_t row_size = inner_size;
  const int64_t first = int64_t{pack} * P::kSize - Lead<P>(row);
  if (first >= row_size) return;
  P inputs[N - 1] = {};
  const bool whole = first >= 0 && first + P::kSize <= row_size;
  for (int t = 0; t < N - 1; ++t) {
    const T* from = pointers.at[t] + offsets[t];
    if constexpr (!kInStep) {
      inputs[t] = LoadPackApart<P>(from, strides.of[t], first, row_size);
    } else if (whole) {
      inputs[t] = LoadPack<P>(from + first);
    } else {
      for (int i = 0; i < P::kSize; ++i) {
        if (first + i >= 0 && first + i < row_size) inputs[t].values[i] = from[first + i];
      }
    }
  }
  P result;
  for (int i = 0; i < P::kSize; ++i) {
    T values[N - 1];
    for (int t = 0; t < N - 1; ++t) values[t] = inputs[t].values[i];
    result.values[i] = Evaluate(formula, values, std::make_index_sequence<N - 1>());
  }
  StorePackPart(result, row, first, row_size, whole);
}

template <int N>
uint64_t ElementCount(const StridedLoop<N>& loop) {
  return loop.RowCount() * loop.inner_size();
}

// Why TransformPackedRows does not take a loop; empty when it does.
template <int N>
std::string_view RefusePackedRows(const StridedLoop<N>& loop, uint32_t element_size) {
  const uint64_t pack_size = 16 / element_size;
  if (loop.inner_stride(N - 1) != 1) return "the output's innermost stride is not 1";
  if (loop.inner_size() < pack_size && loop.rank > 1) return "rows are shorter than 16 bytes";
  if (loop.RowCount() * PacksPerRow(loop.inner_size(), pack_size) > 0xFFFFFFFFu) {
    return "there are more than 2^32 - 1 blocks of 16 bytes";
  }
  return {};
}

template <typename T, int N, class F>
void TransformStrided(const StridedLoop<N>& loop, const Bindings& bindings, Stream stream,
                      const F& formula) {
  const uint64_t count = ElementCount(loop);
  TransformElements<T, N><<<BlocksFor(count), kThreadsPerBlock, 0, stream>>>(
      formula, Walk<N>(loop, loop.rank), PointersOf<T, N>(bindings), static_cast<uint32_t>(count));
}

// Whether every row of every tensor begins as far behind a multiple of 16 bytes as
// the output's row.
template <typename T, int N>
bool IsInStep(const StridedLoop<N>& loop, const Pointers<T, N>& pointers) {
  uint64_t bits = 0;
  const auto output = reinterpret_cast<uintptr_t>(pointers.at[N - 1]);
  for (int t = 0; t < N - 1; ++t) {
    if (loop.inner_stride(t) != 1) return false;
    bits |= reinterpret_cast<uintptr_t>(pointers.at[t]) - output;
    for (uint32_t i = 0; i + 1 < loop.rank; ++i) {
      bits |= static_cast<uint64_t>(loop.strides[t][i] - loop.strides[N - 1][i]) * sizeof(T);
    }
  }
  return bits % 16 == 0;
}

template <typename T, int N, class F>
void TransformPackedRows(const StridedLoop<N>& loop, const Bindings& bindings, Stream stream,
                         const F& formula) {
  constexpr uint64_t kSize = Pack<T>::kSize;
  const uint64_t packs_per_row = PacksPerRow(loop.inner_size(), kSize);
  const uint64_t packs = loop.RowCount() * packs_per_row;
  const auto pointers = PointersOf<T, N>(bindings);
  const auto transform =
      IsInStep(loop, pointers) ? TransformPacks<true, T, N, F> : TransformPacks<false, T, N, F>;
  transform<<<BlocksFor(packs), kThreadsPerBlock, 0, stream>>>(
      formula, Walk<N>(loop, loop.rank - 1), InnerStrides<N>(loop), pointers,
      static_cast<uint32_t>(loop.inner_size()), Divider(packs_per_row), packs);
}

}  // namespace anydml::cuda
