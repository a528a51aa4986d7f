// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Element by element over tensors of any strides, for operators whose outputs
// depend on nothing but the inputs at the same coordinate. The formula is the
// operator's own. The twin for packed rows is elementwise-inl.h.
#pragma once

#include <utility>

#include "backends/bindings.h"
#include "backends/cpu/rows.h"

namespace anydml::cpu {

// Output 0 = f(input 0, input 1 ...), where the last tensor of the loop is the
// output. An output that is laid over an input works: an element is read before
// it is written, and never again.
template <typename T, int N, typename F>
void TransformStrided(const StridedLoop<N>& loop, const Bindings& bindings,
                      const Executor& executor, const F& f) {
  [&]<size_t... kInputs>(std::index_sequence<kInputs...>) {
    T* const output = bindings.Output<T>(0);
    const std::array<const T*, N - 1> inputs = {bindings.Input<T>(kInputs)...};
    const std::array<int64_t, N> steps = {loop.inner_stride(kInputs)..., loop.inner_stride(N - 1)};
    ForEachRowPiece(loop, executor, [&](const std::array<int64_t, N>& at, uint64_t count) {
      for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
        output[at[N - 1] + i * steps[N - 1]] =
            f(inputs[kInputs][at[kInputs] + i * steps[kInputs]]...);
      }
    });
  }
  (std::make_index_sequence<N - 1>());
}

}  // namespace anydml::cpu
