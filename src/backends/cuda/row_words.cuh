// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Neighbouring elements of a row in the registers of one thread, whole 32-bit
// words of them: from 16-byte aligned rows, from rows that begin anywhere, and
// from elements that lie apart.
#pragma once

#include <algorithm>
#include <array>

#include "backends/cuda/launch.cuh"

namespace anydml::cuda {

template <typename T, int kCount>
struct Words {
  static constexpr int kPerWord = 4 / sizeof(T);
  static constexpr int kSize = (kCount + kPerWord - 1) / kPerWord;
  uint32_t values[kSize];
};

// Element `i` of the words as a float.
template <typename T, int kCount>
__device__ inline float FloatAt(const Words<T, kCount>& words, int i) {
  if constexpr (sizeof(T) == 4) {
    return __uint_as_float(words.values[i]);
  } else {
    const uint32_t word = words.values[i / 2];
    return __half2float(__ushort_as_half(static_cast<uint16_t>(i % 2 == 0 ? word : word >> 16)));
  }
}

// The words that hold `kCount` elements from number `own + kBegin` of a row on,
// where kOwn elements from `own` on are aligned to their size. Words outside the
// row are 0. The row's size is a multiple of kOwn, kBegin that of a word, and no
// element is further than kOwn from the own ones.
template <typename T, int kBegin, int kCount, int kOwn>
__device__ inline Words<T, kCount> LoadAround(const T* row, int own, int row_size) {
  using W = Words<T, kCount>;
  using P = Pack<uint32_t, std::min(4, kOwn / W::kPerWord)>;
  constexpr int kFirst = -kBegin / W::kPerWord;  // own words
  constexpr int kOwnWords = kOwn / W::kPerWord;
  static_assert(kBegin % W::kPerWord == 0 && kOwn % W::kPerWord == 0);
  W words;
  P packs[kOwnWords / P::kSize];
  for (int i = 0; i < kOwnWords / P::kSize; ++i) {
    packs[i] = LoadPack<P>(row + own + i * P::kSize * W::kPerWord);
  }
  const bool before = own > 0;
  const bool behind = own + kOwn < row_size;
  const auto* from = reinterpret_cast<const uint32_t*>(row + own + kBegin);
  for (int i = 0; i < W::kSize; ++i) {
    if (i >= kFirst && i < kFirst + kOwnWords) {
      words.values[i] = packs[(i - kFirst) / P::kSize].values[(i - kFirst) % P::kSize];
    } else {
      words.values[i] = (i < kFirst ? before : behind) ? from[i] : 0;
    }
  }
  return words;
}

// The words that begin `bytes`, below 16 and a multiple of kUnit, into `in`, which
// ends with two words more than it has to.
template <int kUnit, int kIn, int kOut>
__device__ inline void ShiftDown(uint32_t (&in)[kIn], unsigned bytes, uint32_t (&out)[kOut]) {
  for (int i = 0; i < kIn - 2; ++i) in[i] = bytes & 8 ? in[i + 2] : in[i];
  for (int i = 0; i < kIn - 2; ++i) in[i] = bytes & 4 ? in[i + 1] : in[i];
  for (int i = 0; i < kOut; ++i) {
    out[i] = kUnit == 4 ? in[i] : __funnelshift_r(in[i], in[i + 1], bytes & 2 ? 16 : 0);
  }
}

// The two halves from number `at` of a row on, whose address is that of a word;
// 0 outside the row.
__device__ inline uint32_t LoadHalves(const Float16* row, int at, int row_size) {
  const bool first = at >= 0 && at < row_size;
  const bool second = at + 1 >= 0 && at + 1 < row_size;
  if (first && second) return *reinterpret_cast<const uint32_t*>(row + at);
  if (first) return row[at].bits;
  return second ? uint32_t{row[at + 1].bits} << 16 : 0;
}

// `kCount` elements from number `first` of a row on, wherever the row begins;
// those outside the row are 0.
template <typename T, int kCount>
__device__ inline Words<T, kCount> LoadAnywhere(const T* row, int first, int row_size) {
  using W = Words<T, kCount>;
  W words;
  if constexpr (sizeof(T) == 4) {
    const auto* from = reinterpret_cast<const uint32_t*>(row + first);
    for (int i = 0; i < kCount; ++i) {
      const bool inside = first + i >= 0 && first + i < row_size;
      words.values[i] = inside ? from[i] : 0;
    }
  } else {
    const bool odd = reinterpret_cast<uintptr_t>(row + first) % 4 != 0;
    const int begin = odd ? first - 1 : first;
    uint32_t in[W::kSize + 1];
    for (int i = 0; i <= W::kSize; ++i) in[i] = LoadHalves(row, begin + 2 * i, row_size);
    for (int i = 0; i < W::kSize; ++i) {
      words.values[i] = __funnelshift_r(in[i], in[i + 1], odd ? 16 : 0);
    }
  }
  return words;
}

// `kCount` elements that lie `stride` apart, from number `first` of a row on;
// those outside the row are 0.
template <typename T, int kCount>
__device__ inline Words<T, kCount> LoadApart(const T* row, int64_t stride, int first,
                                             int row_size) {
  using W = Words<T, kCount>;
  W words = {};
  const T* at = row + first * stride;
  for (int i = 0; i < kCount; ++i, at += stride) {
    if (first + i < 0 || first + i >= row_size) continue;
    if constexpr (sizeof(T) == 4) {
      words.values[i] = *reinterpret_cast<const uint32_t*>(at);
    } else {
      words.values[i / 2] |= uint32_t{at->bits} << (i % 2 * 16);
    }
  }
  return words;
}

// How the elements of rows are reached.
enum class RowAccess : uint8_t {
  kAligned,   // 16 bytes at a time, every row of every tensor aligned
  kAnywhere,  // side by side, rows begin anywhere
  kApart,     // any strides
};

// Strides of a tensor of planes.
struct RowTensor {
  int64_t batch = 0;
  int64_t channel = 0;
  int64_t row = 0;
  int64_t column = 0;

  bool IsAligned(const void* data, uint32_t element_size, uint32_t bytes = 16) const {
    const auto whole = [&](int64_t elements) { return elements * element_size % bytes == 0; };
    return reinterpret_cast<uintptr_t>(data) % bytes == 0 && whole(batch) && whole(channel) &&
           whole(row);
  }
};

// Elements from number `first` of a row on; those outside the row are 0. In
// aligned rows kOwn elements from `own` on are aligned, and `first` is
// own + kBegin.
template <typename T, RowAccess kAccess, int kBegin, int kCount, int kOwn>
__device__ inline Words<T, kCount> LoadRow(const RowTensor& tensor, const T* plane, int row,
                                           int own, int first, int row_size) {
  const T* at = plane + row * tensor.row;
  if constexpr (kAccess == RowAccess::kAligned) {
    return LoadAround<T, kBegin, kCount, kOwn>(at, own, row_size);
  } else if constexpr (kAccess == RowAccess::kAnywhere) {
    return LoadAnywhere<T, kCount>(at, first, row_size);
  } else {
    return LoadApart<T, kCount>(at, tensor.column, first, row_size);
  }
}

// Threads of a warp that hold neighbouring packs of one row.
struct RowNeighbours {
  bool left = false;   // the lane below
  bool right = false;  // the lane above

  // `number` counts threads, `pack` the packs of a row of `packs`.
  __device__ static RowNeighbours Of(uint32_t number, uint32_t threads, int pack, int packs) {
    const unsigned lane = number % 32;
    return {lane > 0 && pack > 0, lane < 31 && pack + 1 < packs && number + 1 < threads};
  }
};

// Stores 16 bytes of a row, from element `first` on, that begin anywhere: whole
// aligned 16 bytes are put together from two neighbours. The whole warp takes
// part; `active` is false where nothing is to be stored.
template <typename T>
__device__ inline void StoreAnywhere(const Pack<T>& own, T* row, int first, int row_size,
                                     const RowNeighbours& neighbours, bool active) {
  using P = Pack<T>;
  const auto words = std::bit_cast<std::array<uint32_t, 4>>(own);
  uint32_t both[10] = {};
  for (int i = 0; i < 4; ++i) {
    both[i] = __shfl_up_sync(0xFFFFFFFFu, words[i], 1);
    both[4 + i] = words[i];
  }
  if (!active) return;
  const int lead = static_cast<int>(Lead<P>(row + first));
  uint32_t shifted[4] = {both[4], both[5], both[6], both[7]};
  if (lead != 0) ShiftDown<sizeof(T)>(both, 16 - lead * sizeof(T), shifted);
  const P pack = std::bit_cast<P>(make_uint4(shifted[0], shifted[1], shifted[2], shifted[3]));
  const int begin = first - lead;
  if ((lead == 0 || neighbours.left) && begin + P::kSize <= row_size) {
    StorePack(pack, row + begin);
  } else {
    for (int i = 0; i < P::kSize; ++i) {
      const bool mine = i >= lead || neighbours.left;
      if (mine && begin + i < row_size) row[begin + i] = pack.values[i];
    }
  }
  if (neighbours.right) return;
  for (int i = 0; i < P::kSize; ++i) {  // no lane stores the rest
    if (i >= P::kSize - lead && first + i < row_size) row[first + i] = own.values[i];
  }
}

}  // namespace anydml::cuda
