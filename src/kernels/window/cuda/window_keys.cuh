// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Maxima of windows by ruling B6 on integers. Adding +0 turns -0 into +0 and
// every NaN into the one with all magnitude bits; flipping the negatives then
// makes the order of the integers the rule's, and the least integer, which no
// value has, stands for padding.
//
// A maximum is wanted with its place. Places are numbers that a kernel gives to
// the taps. A FLOAT16 key shares a word with its place, which must fall in
// logical order: one maximum of words settles value and tie. A FLOAT32 key and
// its place are two registers, and the first of equal keys stays.
#pragma once

#include "backends/cuda/row_words.cuh"

namespace anydml::cuda {

template <typename T>
struct Maximum;

template <>
struct Maximum<Float16> {
  uint32_t word = 0;  // key, place
  __device__ uint32_t place() const { return word & 0xFFFFu; }
};

template <>
struct Maximum<float> {
  int32_t key = INT32_MIN;
  uint32_t number = 0;
  __device__ uint32_t place() const { return number; }
};

// The greater of two, of which `first` comes first in logical order.
__device__ inline Maximum<Float16> Greater(Maximum<Float16> first, Maximum<Float16> second) {
  return {max(first.word, second.word)};
}
__device__ inline Maximum<float> Greater(Maximum<float> first, Maximum<float> second) {
  bool first_wins = false;  // also where both are equal
  const int32_t key = __vibmax_s32(first.key, second.key, &first_wins);
  return {key, first_wins ? first.number : second.number};
}

// In one instruction where there is one.
__device__ inline Maximum<Float16> Greatest(Maximum<Float16> a, Maximum<Float16> b,
                                            Maximum<Float16> c) {
  return {__vimax3_u32(a.word, b.word, c.word)};
}
__device__ inline Maximum<float> Greatest(Maximum<float> a, Maximum<float> b, Maximum<float> c) {
  return Greater(Greater(a, b), c);
}

// Of `kSize` maxima that lie `kStep` apart, in logical order.
template <int kSize, int kStep, typename T>
__device__ inline Maximum<T> GreatestOf(const Maximum<T>* maxima) {
  if constexpr (kSize == 1) {
    return maxima[0];
  } else if constexpr (kSize == 2) {
    return Greater(maxima[0], maxima[kStep]);
  } else if constexpr (kSize == 3) {
    return Greatest(maxima[0], maxima[kStep], maxima[2 * kStep]);
  } else {
    const Maximum<T> first = Greatest(maxima[0], maxima[kStep], maxima[2 * kStep]);
    return Greater(first, GreatestOf<kSize - 3, kStep>(maxima + 3 * kStep));
  }
}

// Rows of maxima, of which the first kRows are done with: the others take their
// places. Unrolled, they change names instead of registers.
template <int kRows, typename T, int kLive, int kWindows>
__device__ inline void DropRows(Maximum<T> (&maxima)[kLive][kWindows]) {
#pragma unroll
  for (int k = 0; k + kRows < kLive; ++k) {
    for (int w = 0; w < kWindows; ++w) maxima[k][w] = maxima[k + kRows][w];
  }
}

// Of the rows of a window, in column `w`.
template <int kSize, int kStep, typename T, int kLive, int kWindows>
__device__ inline Maximum<T> GreatestOfColumn(const Maximum<T> (&maxima)[kLive][kWindows], int w) {
  Maximum<T> column[kLive];
  for (int k = 0; k < kLive; ++k) column[k] = maxima[k][w];
  return GreatestOf<kSize, kStep>(column);
}

// The maxima of kWindows windows along a row of taps. FLOAT32 windows of stride 1
// share what lies between the taps that they do not share.
template <int kSize, int kStride, int kDilation, int kWindows, typename T>
__device__ inline void MaximaOfRow(const Maximum<T>* taps, Maximum<T>* maxima) {
  constexpr bool kShares = sizeof(T) == 4 && kStride == 1 && kWindows % (2 * kDilation) == 0;
  if constexpr (kShares && kSize == 3) {
    for (int w = 0; w < kWindows; ++w) {
      if (w / kDilation % 2 != 0) continue;
      const auto pair = Greater(taps[w + kDilation], taps[w + 2 * kDilation]);
      maxima[w] = Greater(taps[w], pair);
      maxima[w + kDilation] = Greater(pair, taps[w + 3 * kDilation]);
    }
  } else if constexpr (kShares && kSize == 5 && kDilation == 1) {
    Maximum<T> pair = Greater(taps[1], taps[2]);
    for (int w = 0; w < kWindows; w += 2) {
      const auto next = Greater(taps[w + 3], taps[w + 4]);
      const auto both = Greater(pair, next);
      maxima[w] = Greater(taps[w], both);
      maxima[w + 1] = Greater(both, taps[w + 5]);
      pair = next;
    }
  } else {
    for (int w = 0; w < kWindows; ++w) {
      maxima[w] = GreatestOf<kSize, kDilation>(taps + w * kStride);
    }
  }
}

// Bytes of two words in any order. Unlike __byte_perm it also knows selectors
// with 8 added: the byte's sign, repeated.
__device__ inline uint32_t Permute(uint32_t a, uint32_t b, uint32_t selectors) {
  uint32_t bytes;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(a), "r"(b), "r"(selectors));
  return bytes;
}

// Two FLOAT16 keys at once, without sign: the order of the whole words is that
// of the values, and 0 is below every value.
__device__ inline uint32_t KeysOf(uint32_t halves) {
  uint32_t bits;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(halves), "r"(0u));
  return bits ^ (Permute(bits, 0, 0xBB99) | 0x80008000u);
}

__device__ inline int32_t KeyOf(uint32_t single) {
  const int32_t bits = __float_as_int(__fadd_rn(__uint_as_float(single), 0.0f));
  return bits ^ ((bits >> 31) & INT32_MAX);
}

// The key of one element, in a word with sign.
__device__ inline int32_t KeyOf(float value) { return KeyOf(__float_as_uint(value)); }
__device__ inline int32_t KeyOf(Float16 value) {
  return static_cast<int32_t>(KeysOf(value.bits) & 0xFFFFu);
}

// Turns the words of a row into maxima of one element each. Which elements count
// is known per thread, not per row: for FLOAT16 it stands in the byte
// permutations that join key and place, for FLOAT32 in masks. Elements
// [kOwnBegin, kOwnEnd), where there are such, always count; then those before
// them do so together, and those behind them.
template <typename T, int kCount, int kOwnBegin = 0, int kOwnEnd = 0>
class TapKeys {
 public:
  // Element i is number first + i of its row.
  __device__ TapKeys(int first, int row_size) {
    const auto inside = [&](int i) { return first + i >= 0 && first + i < row_size; };
    if constexpr (kSides) {
      const bool before = inside(kOwnBegin - 1);
      const bool behind = inside(kOwnEnd);
      for (int odd = 0; odd < 2; ++odd) {
        control_[odd] = ControlOf(odd, before);
        control_[2 + odd] = ControlOf(odd, behind);
      }
    } else {
      for (int i = 0; i < kCount; ++i) control_[i] = ControlOf(i, inside(i));
    }
  }

  // Places are `first_place` - i * kStep, below 2^15 for FLOAT16.
  template <int kStep>
  __device__ void Maxima(const Words<T, kCount>& words, uint32_t first_place,
                         Maximum<T> (&maxima)[kCount]) const {
    if constexpr (sizeof(T) == 4) {
      for (int i = 0; i < kCount; ++i) {
        const uint32_t key = static_cast<uint32_t>(KeyOf(words.values[i]));
        const uint32_t mask = Control(i);
        maxima[i].key = static_cast<int32_t>((key & mask) | (0x80000000u & ~mask));
        maxima[i].number = first_place - i * kStep;
      }
    } else {
      const uint32_t places = first_place * 0x10001u;
      for (int i = 0; i < kCount; ++i) {
        const int even = i / 2 * 2;
        const uint32_t pair = places - (even + ((even + 1) << 16)) * kStep;
        maxima[i].word = Permute(KeysOf(words.values[i / 2]), pair, Control(i));
      }
    }
  }

 private:
  static constexpr bool kSides = kOwnEnd > kOwnBegin;

  __device__ static constexpr uint32_t ControlOf(int i, bool inside) {
    if constexpr (sizeof(T) == 4) {
      return inside ? 0xFFFFFFFFu : 0;
    } else {
      // The place's upper byte has no sign: repeated, its sign is a key of 0.
      if (i % 2 == 0) return inside ? 0x1054 : 0xDD54;
      return inside ? 0x3276 : 0xFF76;
    }
  }

  __device__ uint32_t Control(int i) const {
    if constexpr (!kSides) return control_[i];
    if (i >= kOwnBegin && i < kOwnEnd) return ControlOf(i, true);
    return control_[(i < kOwnBegin ? 0 : 2) + i % 2];
  }

  uint32_t control_[kSides ? 4 : kCount];
};

}  // namespace anydml::cuda
