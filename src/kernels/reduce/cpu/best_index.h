// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The greatest element of a set and its index, block by block (B66).
#pragma once

#include "kernels/reduce/cpu/block_kernels.h"

namespace anydml::reduce {

// The best element so far: its key, and where it is.
struct Best {
  uint64_t key = 0;  // as the key's type, widened
  uint64_t index = 0;
};

// `kernel` is that of extremes of T. Looks into a block only if its best element replaces the one
// so far: it is better or, with `last`, as good.
template <typename T>
void LookForBest(const BlockKernel& kernel, ExtremeSettings settings, bool last, const T* x,
                 uint64_t first, uint64_t count, bool is_first, Best& best) {
  using K = KeyOf<T>;
  K found;
  kernel.block(settings, x, count, &found);
  const K known = static_cast<K>(best.key);
  if (!is_first && (last ? found < known : found <= known)) return;
  uint64_t at = last ? count - 1 : 0;
  while (ExtremeKey(x[at], settings) != found) last ? --at : ++at;
  best = {static_cast<uint64_t>(found), first + at};
}

}  // namespace anydml::reduce
