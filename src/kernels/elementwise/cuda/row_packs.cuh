// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A body on every element of tensors of one shape whose types may differ: some neighbouring
// elements per thread where one tensor's rows lie packed, one element elsewhere. The body is told
// where its elements are, and loads and stores them itself.
#pragma once

#include "kernels/elementwise/cuda/elementwise.cuh"

namespace anydml::cuda {

// Elements [first, first + kCount) of a row, as far as they are inside of it.
template <int N, int kCount>
struct Place {
  static constexpr int kSize = kCount;
  int64_t offsets[N];  // of the row's first element
  int64_t strides[N];
  int64_t first;
  int64_t row_size;

  __device__ bool IsInside(int i) const { return first + i >= 0 && first + i < row_size; }
  // Of tensor t.
  __device__ int64_t OffsetOf(int t, int i) const { return offsets[t] + (first + i) * strides[t]; }

  template <typename T>
  __device__ Pack<T, kCount> Load(const T* tensor, int t) const {
    using P = Pack<T, kCount>;
    const T* const row = tensor + offsets[t];
    if constexpr (sizeof(P) == 16) {
      if (strides[t] == 1) return LoadPackPart<P>(row, first, row_size);
    } else if constexpr (kCount > 1) {
      using Unit = Pack<T, sizeof(P) < 16 ? kCount : 16 / sizeof(T)>;
      if (strides[t] == 1 && IsWhole() && IsAligned(row + first, sizeof(Unit))) {
        P pack;
        for (int i = 0; i < kCount; i += Unit::kSize) {
          const Unit unit = *reinterpret_cast<const Unit*>(row + first + i);
          for (int k = 0; k < Unit::kSize; ++k) pack.values[i + k] = unit.values[k];
        }
        return pack;
      }
    }
    P pack = {};
    if (strides[t] == 0) {
      const T value = row[0];
      for (int i = 0; i < kCount; ++i) pack.values[i] = value;
      return pack;
    }
    for (int i = 0; i < kCount; ++i) {
      if (IsInside(i)) pack.values[i] = row[(first + i) * strides[t]];
    }
    return pack;
  }

  template <typename T>
  __device__ void Store(const Pack<T, kCount>& pack, T* tensor, int t) const {
    T* const row = tensor + offsets[t];
    using Unit = Pack<T, sizeof(pack) < 16 ? kCount : 16 / sizeof(T)>;
    if (kCount > 1 && strides[t] == 1 && IsWhole() && IsAligned(row + first, sizeof(Unit))) {
      for (int i = 0; i < kCount; i += Unit::kSize) {
        Unit unit;
        for (int k = 0; k < Unit::kSize; ++k) unit.values[k] = pack.values[i + k];
        *reinterpret_cast<Unit*>(row + first + i) = unit;
      }
      return;
    }
    for (int i = 0; i < kCount; ++i) {
      if (IsInside(i)) row[(first + i) * strides[t]] = pack.values[i];
    }
  }

  __device__ bool IsWhole() const { return first >= 0 && first + kCount <= row_size; }
};

template <int kCount, int N, class Body>
__global__ void ForEachPlace(Body body, Walk<N> rows, std::array<int64_t, N> strides,
                             uint32_t row_size, Divider packs_per_row, uint64_t packs) {
  const uint64_t number = ThreadNumber();
  if (number >= packs) return;
  auto pack = static_cast<uint32_t>(number);
  Place<N, kCount> place;
  rows.Offsets(packs_per_row.Split(pack), place.offsets);
  for (int t = 0; t < N; ++t) place.strides[t] = strides[t];
  place.row_size = row_size;
  place.first = int64_t{pack} * kCount;
  if constexpr (kCount > 1) place.first -= body.Lead(place.offsets) % kCount;
  if (place.first < row_size) body(place);
}

// Elements between the last multiple of 16 bytes and a row's first.
template <typename T>
__device__ inline int64_t LeadOf(const T* row) {
  return reinterpret_cast<uintptr_t>(row) % 16 / sizeof(T);
}

// kCount elements per thread. Tensor `packed` of the loop has an innermost stride of 1 and is the
// one whose rows body.Lead(offsets) looks at.
template <int kCount, int N, class Body>
void RunPacked(const StridedLoop<N>& loop, Stream stream, const Body& body) {
  std::array<int64_t, N> strides;
  for (int t = 0; t < N; ++t) strides[t] = loop.inner_stride(t);
  const uint64_t packs_per_row = PacksPerRow(loop.inner_size(), kCount);
  const uint64_t packs = loop.RowCount() * packs_per_row;
  ForEachPlace<kCount, N><<<BlocksFor(packs), kThreadsPerBlock, 0, stream>>>(
      body, Walk<N>(loop, loop.rank - 1), strides, static_cast<uint32_t>(loop.inner_size()),
      Divider(packs_per_row), packs);
}

// One element per thread, whatever the layout.
template <int N, class Body>
void RunSingle(const StridedLoop<N>& loop, Stream stream, const Body& body) {
  const uint64_t count = ElementCount(loop);
  ForEachPlace<1, N><<<BlocksFor(count), kThreadsPerBlock, 0, stream>>>(
      body, Walk<N>(loop, loop.rank), std::array<int64_t, N>{}, 1u, Divider(1), count);
}

// Why RunPacked does not take a loop; empty when it does.
template <int N>
std::string_view RefusePacked(const StridedLoop<N>& loop, int packed, uint64_t pack_size) {
  if (loop.inner_stride(packed) != 1) return "the output's innermost stride is not 1";
  if (loop.inner_size() < pack_size && loop.rank > 1) return "rows are shorter than 16 bytes";
  if (loop.RowCount() * PacksPerRow(loop.inner_size(), pack_size) > 0xFFFFFFFFu) {
    return "there are more than 2^32 - 1 blocks of 16 bytes";
  }
  return {};
}

}  // namespace anydml::cuda
