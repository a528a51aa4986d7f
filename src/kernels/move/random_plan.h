// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the kernels are given that make random words.
#pragma once

#include "base/philox.h"
#include "tensor/strided_loop.h"

namespace anydml::move {

// Words of Philox by the logical index of the element, and the state behind them.
struct RandomWords {
  int64_t input_step;   // of the state's six words
  int64_t output_step;  // likewise; 0: there is no new state
  StridedLoop<2> loop;  // the logical index, the output
};

// The four words of a counter and the two of a key.
struct RandomState {
  PhiloxCounter counter;
  PhiloxKey key;

  constexpr RandomState(const uint32_t* words, int64_t step)
      : counter{words[0], words[step], words[2 * step], words[3 * step]},
        key{words[4 * step], words[5 * step]} {}

  // Of elements [4 * block, 4 * block + 4).
  constexpr PhiloxCounter Words(uint64_t block) const {
    return Philox(Advanced(counter, block), key);
  }

  // The state behind `count` elements (B58).
  constexpr void PutAdvanced(uint64_t count, uint32_t* words, int64_t step) const {
    const PhiloxCounter next = Advanced(counter, (count + 3) / 4);
    for (int i = 0; i < 4; ++i) words[i * step] = next[i];
    for (int i = 0; i < 2; ++i) words[(4 + i) * step] = key[i];
  }
};

}  // namespace anydml::move
