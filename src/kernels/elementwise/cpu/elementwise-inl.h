// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of vectors for operators whose outputs depend on nothing but the inputs
// at the same coordinate. Included once per instruction set. The formula is the
// operator's own: a function object called with a tag and one vector per input.
// The twin for any strides is elementwise.h.

#if defined(ANYDML_KERNELS_ELEMENTWISE_CPU_ELEMENTWISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_ELEMENTWISE_CPU_ELEMENTWISE_INL_H_
#undef ANYDML_KERNELS_ELEMENTWISE_CPU_ELEMENTWISE_INL_H_
#else
#define ANYDML_KERNELS_ELEMENTWISE_CPU_ELEMENTWISE_INL_H_
#endif

#include <hwy/highway.h>

#include <type_traits>
#include <utility>

#include "backends/bindings.h"
#include "backends/cpu/float16-inl.h"
#include "backends/cpu/rows.h"
#include "backends/cpu/streaming-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Halves that are selected or moved are vectors of their bits.
template <typename T>
using LaneOf = std::conditional_t<std::is_same_v<T, Float16>, int16_t, T>;

// output[i] = f(inputs[i]...). The output may be one of the inputs (in-place
// execution), hence no HWY_RESTRICT.
template <class F, typename Lane, typename... Inputs>
HWY_INLINE void TransformRow(const F& f, size_t count, Lane* output, const Inputs*... inputs) {
  const hn::ScalableTag<Lane> d;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= count; i += N) {
    hn::StoreU(f(d, hn::LoadU(d, inputs + i)...), d, output + i);
  }
  const hn::CappedTag<Lane, 1> d1;
  for (; i < count; ++i) hn::StoreU(f(d1, hn::LoadU(d1, inputs + i)...), d1, output + i);
}

// The same past the caches, for an output that is none of the inputs.
template <class F, typename Lane, typename... Inputs>
HWY_INLINE void StreamTransformedRow(const F& f, size_t count, Lane* output,
                                     const Inputs*... inputs) {
  const hn::ScalableTag<Lane> d;
  const size_t N = hn::Lanes(d);
  const auto [head, lines_end] = SplitIntoLines(output, count);
  TransformRow(f, head, output, inputs...);
  for (size_t i = head; i < lines_end; i += N) {
    hn::Stream(f(d, hn::LoadU(d, inputs + i)...), d, output + i);
  }
  TransformRow(f, count - lines_end, output + lines_end, inputs + lines_end...);
}

// The same for formulas that calculate: the elements, FLOAT32 or FLOAT16, are
// vectors of float.
template <class F, typename T, typename... Inputs>
HWY_INLINE void TransformFloatRow(const F& f, size_t count, T* output, const Inputs*... inputs) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= count; i += N) StoreFloats(d, f(d, LoadFloats(d, inputs + i)...), output + i);
  const hn::CappedTag<float, 1> d1;
  for (; i < count; ++i) StoreFloats(d1, f(d1, LoadFloats(d1, inputs + i)...), output + i);
}

// TransformRow over a loop with unit inner strides; the last tensor is the
// output.
template <typename Lane, int N, class F>
HWY_INLINE void TransformPackedRows(const StridedLoop<N>& loop, const Bindings& bindings,
                                    const Executor& executor, const F& f) {
  [&]<size_t... kInputs>(std::index_sequence<kInputs...>) HWY_ATTR {
    Lane* const output = bindings.Output<Lane>(0);
    const std::array<const Lane*, N - 1> inputs = {bindings.Input<Lane>(kInputs)...};
    const bool in_place = ((inputs[kInputs] == output) || ...);
    constexpr uint64_t kUnit = kMovedElementsPerUnit<Lane, N>;
    const bool long_rows =
        loop.inner_size() * sizeof(Lane) >= kShortestStreamedRow || loop.RowCount() == 1;
    if (!in_place && long_rows && ShouldStream(loop.ElementCount() * N * sizeof(Lane))) {
      const auto row = [&](const std::array<int64_t, N>& at, uint64_t count) HWY_ATTR {
        StreamTransformedRow(f, count, output + at[N - 1], inputs[kInputs] + at[kInputs]...);
      };
      ForEachRowPiece(loop, executor, row, kUnit, hwy::FlushStream);
    } else {
      const auto row = [&](const std::array<int64_t, N>& at, uint64_t count) HWY_ATTR {
        TransformRow(f, count, output + at[N - 1], inputs[kInputs] + at[kInputs]...);
      };
      ForEachRowPiece(loop, executor, row, kUnit);
    }
  }
  (std::make_index_sequence<N - 1>());
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
