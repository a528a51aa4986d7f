// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The average of a window, and its gradient, and its Lp norm: what the kernels are given, and the
// order of a window's sum. Knows nothing of threads or vectors.
#pragma once

#include <array>
#include <cmath>

#include "kernels/math/scalar.h"
#include "tensor/window.h"

namespace anydml::window::average {

// Of the taps of a window, those in padding included. More than 2^64 of them may be legal.
__extension__ using TapCount = unsigned __int128;

struct Plan {
  DataType data_type;
  bool include_padding;  // in the divisor
  WindowLoop loop;
  PlaneStrides wide;    // of the tensor that the window slides over
  PlaneStrides narrow;  // of the tensor with an element per window
  uint32_t p = 0;       // the root of the sum of |x|^p instead of the average; 0: the average

  constexpr TapCount Taps() const {
    TapCount taps = 1;
    for (const WindowAxis& axis : loop.axes) taps *= static_cast<TapCount>(axis.window_size);
    return taps;
  }
};

// Up to so many taps a sum is one chain (B31).
inline constexpr TapCount kMaxChain = 64;

// float32(n); `kept` taps lie inside of the input. Without any, the sum is +0 and stays it (B35).
constexpr float Divisor(const Plan& plan, int64_t kept) {
  if (plan.include_padding) return static_cast<float>(plan.Taps());
  return static_cast<float>(kept == 0 ? 1 : kept);
}

// What an element is in the sum of a norm, and what the sum becomes (B34, B37).
constexpr float PowerOf(float x, uint32_t p) {
  if (p == 2) return x * x;
  const float size = std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0x7FFFFFFF);
  return p == 1 ? size : math::RoundedOf<math::Pow>(double{size}, static_cast<double>(p));
}
constexpr float RootOf(float sum, uint32_t p) {
  if (p == 1) return sum;
#ifdef __CUDA_ARCH__
  if (p == 2) return __fsqrt_rn(sum);
#endif
  return p == 2 ? std::sqrt(sum) : math::RoundedOf<math::Root>(double{sum}, static_cast<double>(p));
}

// The slots of one block of 4096 terms, to their sum.
inline constexpr uint32_t kSlots = 128;
inline constexpr uint32_t kBlockTerms = 4096;
constexpr float SumOfSlots(float* slots) {
  for (uint32_t half = kSlots / 2; half != 0; half /= 2) {
    for (uint32_t j = 0; j < half; ++j) slots[j] += slots[j + half];
  }
  return slots[0];
}

// The blocked sum (B31) of terms that come in ascending order of their index; those that do not
// come are +0.
class BlockedSum {
 public:
  constexpr explicit BlockedSum(TapCount terms) {
    for (; terms > kBlockTerms; terms = (terms - 1) / kBlockTerms + 1) ++levels_;
  }

  constexpr void Add(TapCount index, float term) { AddAt(0, index, term); }
  // The sum of a whole block of terms, of more than one; all terms come so, or none.
  constexpr void AddBlock(TapCount number, float sum) {
    first_level_ = 1;
    AddAt(1, number, sum);
  }

  constexpr float Finish() {
    for (uint32_t level = first_level_; level + 1 < levels_; ++level) Carry(level);
    return SumOfSlots(blocks_[levels_ - 1].slots.data());
  }

 private:
  struct Block {
    TapCount number = 0;
    std::array<float, kSlots> slots = {};
  };

  constexpr void AddAt(uint32_t level, TapCount index, float term) {
    Block& block = blocks_[level];
    const TapCount number = index / kBlockTerms;
    if (number != block.number) {
      Carry(level);
      block.number = number;
    }
    block.slots[static_cast<uint32_t>(index % kSlots)] += term;
  }

  // The sum of a block is a term of the next level.
  constexpr void Carry(uint32_t level) {
    Block& block = blocks_[level];
    const float sum = SumOfSlots(block.slots.data());
    block.slots.fill(0);
    AddAt(level + 1, block.number, sum);
  }

  uint32_t levels_ = 1;
  uint32_t first_level_ = 0;
  std::array<Block, 9> blocks_ = {};  // 4096^9 = 2^108 terms
};

}  // namespace anydml::window::average
