// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What every kernel needs: one thread per item, division by numbers that the
// host knows, 16 bytes at a time.
#pragma once

#include <cuda_fp16.h>

#include <bit>
#include <cstdint>
#include <type_traits>

#include "backends/cuda/interface.h"
#include "base/float16.h"

namespace anydml::cuda {

inline constexpr unsigned kThreadsPerBlock = 256;

// Items are numbered within 64 bits; a grid has room for 2^31 - 1 blocks, which
// is more than any tensor needs.
inline unsigned BlocksFor(uint64_t items, unsigned threads = kThreadsPerBlock) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

__device__ inline uint64_t ThreadNumber() {
  return uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

// n / divisor for any n below 2^32 by one wide multiplication: the multiplier
// is ceil(2^(32 + shift) / divisor) - 2^32, so the quotient is
// (n * multiplier / 2^32 + n) >> shift.
class Divider {
 public:
  Divider() = default;
  explicit Divider(uint64_t divisor) : divisor_(static_cast<uint32_t>(divisor)) {
    while (shift_ < 32 && (uint64_t{1} << shift_) < divisor) ++shift_;
    const uint64_t excess = (uint64_t{1} << shift_) - divisor;
    multiplier_ = static_cast<uint32_t>((excess << 32) / divisor + 1);
  }

  __device__ uint32_t divisor() const { return divisor_; }
  __device__ uint32_t Quotient(uint32_t n) const {
    return static_cast<uint32_t>((uint64_t{__umulhi(n, multiplier_)} + n) >> shift_);
  }
  // The quotient; `n` becomes the remainder.
  __device__ uint32_t Split(uint32_t& n) const {
    const uint32_t quotient = Quotient(n);
    n -= quotient * divisor_;
    return quotient;
  }

 private:
  uint32_t divisor_ = 1;
  uint32_t multiplier_ = 1;
  uint32_t shift_ = 0;
};

// As many elements as 16 bytes hold, loaded and stored at once.
template <typename T, int kCount = 16 / sizeof(T)>
struct alignas(kCount * sizeof(T)) Pack {
  static constexpr int kSize = kCount;
  T values[kCount];
};

template <typename P>
__device__ inline P LoadPack(const void* address) {
  static_assert(sizeof(P) == 16 || sizeof(P) == 8 || sizeof(P) == 4);
  if constexpr (sizeof(P) == 16) {
    return std::bit_cast<P>(*static_cast<const uint4*>(address));
  } else if constexpr (sizeof(P) == 8) {
    return std::bit_cast<P>(*static_cast<const uint2*>(address));
  } else {
    return std::bit_cast<P>(*static_cast<const uint32_t*>(address));
  }
}

template <typename P>
__device__ inline void StorePack(const P& pack, void* address) {
  static_assert(sizeof(P) == 16 || sizeof(P) == 8 || sizeof(P) == 4);
  if constexpr (sizeof(P) == 16) {
    *static_cast<uint4*>(address) = std::bit_cast<uint4>(pack);
  } else if constexpr (sizeof(P) == 8) {
    *static_cast<uint2*>(address) = std::bit_cast<uint2>(pack);
  } else {
    *static_cast<uint32_t*>(address) = std::bit_cast<uint32_t>(pack);
  }
}

template <typename T>
__host__ __device__ inline bool IsAligned(const T* address, unsigned bytes = 16) {
  return reinterpret_cast<uintptr_t>(address) % bytes == 0;
}

// A row is written in packs at multiples of 16 bytes. The first begins before the
// row where the row does not begin there, by so many elements:
template <typename P, typename T>
__device__ inline int64_t Lead(const T* row) {
  return reinterpret_cast<uintptr_t>(row) % sizeof(P) / sizeof(T);
}

// At most so many packs touch a row:
constexpr uint64_t PacksPerRow(uint64_t row_size, uint64_t pack_size) {
  return (row_size + pack_size - 1 + pack_size - 1) / pack_size;
}

// 16 bytes of a row, from element `first` on, that begin inside a word: words are
// loaded and shifted into place, neighbours inside the row with them.
template <typename P, typename T, typename Index>
__device__ inline bool LoadShifted(const T* row, Index first, Index row_size, P& pack) {
  const auto address = reinterpret_cast<uintptr_t>(row + first);
  const unsigned bytes = address % 4;
  const Index before = bytes / sizeof(T);
  const Index behind = bytes == 0 ? 0 : 4 / sizeof(T) - before;
  if (first < before || first + P::kSize + behind > row_size) return false;
  const auto* words = reinterpret_cast<const uint32_t*>(address - bytes);
  uint32_t shifted[4];
  for (int i = 0; i < 4; ++i) {
    shifted[i] = __funnelshift_r(words[i], bytes == 0 ? 0 : words[i + 1], bytes * 8);
  }
  pack = std::bit_cast<P>(make_uint4(shifted[0], shifted[1], shifted[2], shifted[3]));
  return true;
}

// The elements [first, first + size) of a row; those outside it are 0.
template <typename P, typename T, typename Index>
__device__ inline P LoadPackPart(const T* row, Index first, Index row_size) {
  if (first >= 0 && first + P::kSize <= row_size && IsAligned(row + first)) {
    return LoadPack<P>(row + first);
  }
  P pack = {};
  if (sizeof(T) < 4 && LoadShifted(row, first, row_size, pack)) return pack;
  for (int i = 0; i < P::kSize; ++i) {
    if (first + i >= 0 && first + i < row_size) pack.values[i] = row[first + i];
  }
  return pack;
}

// The same where the elements of the row lie `stride` apart.
template <typename P, typename T, typename Index>
__device__ inline P LoadPackApart(const T* row, int64_t stride, Index first, Index row_size) {
  if (stride == 1) return LoadPackPart<P>(row, first, row_size);
  P pack = {};
  const bool whole = first >= 0 && first + P::kSize <= row_size;
  const T* from = row + first * stride;
  if (whole && stride == -1 && IsAligned(from - (P::kSize - 1))) {
    const P turned = LoadPack<P>(from - (P::kSize - 1));
    for (int i = 0; i < P::kSize; ++i) pack.values[i] = turned.values[P::kSize - 1 - i];
    return pack;
  }
  for (int i = 0; i < P::kSize; ++i) {
    if (first + i >= 0 && first + i < row_size) pack.values[i] = from[i * stride];
  }
  return pack;
}

// Stores the elements [first, first + size) of a row, without those outside it.
template <typename P, typename T, typename Index>
__device__ inline void StorePackPart(const P& pack, T* row, Index first,
                                     std::type_identity_t<Index> row_size, bool whole) {
  if (whole) {
    StorePack(pack, row + first);
    return;
  }
  for (int i = 0; i < P::kSize; ++i) {
    if (first + i >= 0 && first + i < row_size) row[first + i] = pack.values[i];
  }
}

// The device's own conversions: exact, to nearest even, NaN to NaN.
__device__ inline float Widen(float value) { return value; }
__device__ inline float Widen(Float16 value) {
  return __half2float(std::bit_cast<__half>(value.bits));
}
template <typename T>
__device__ inline T Narrow(float value) {
  if constexpr (sizeof(T) == 2) {
    return Float16{std::bit_cast<uint16_t>(__float2half_rn(value))};
  } else {
    return value;
  }
}

}  // namespace anydml::cuda
