// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Updates that indices send to their places in a copy of the input.
#include "backends/cpu/rows.h"
#include "kernels/elementwise/cpu/walk.h"
#include "kernels/move/cpu/index.h"
#include "kernels/move/cpu/strategies.h"
#include "kernels/reduce/sets.h"

namespace anydml::move {
namespace {

// Updates that may meet are written by one thread, in their order.
template <typename I, typename T>
class Writer {
 public:
  Writer(const Scattered& plan, const Bindings& bindings)
      : axes_(plan.axes),
        ordered_(plan.ordered),
        indices_(bindings.Input<I>(1)),
        updates_(bindings.Input<T>(2)),
        output_(bindings.Output<T>(0)) {
    for (int t = 0; t < 3; ++t) {
      apart_[t] = plan.apart.inner_stride(t);
      steps_[t] = plan.ordered.inner_stride(t);
    }
  }

  // `count` neighbours that are apart, and all that is ordered.
  void Write(const std::array<int64_t, 5>& at, int64_t count) const {
    const bool by_lines = apart_[2] > steps_[2] && steps_[2] > 0;
    const int64_t lines = by_lines ? count : 1;
    for (int64_t line = 0; line < lines; ++line) {
      const auto write = [&](const auto& offsets, uint64_t, uint64_t length) {
        Strides first;
        for (int t = 0; t < 3; ++t) first[t] = at[t] + line * apart_[t] + offsets[t];
        if (by_lines) return WriteRow(first, steps_, static_cast<int64_t>(length));
        for (uint64_t j = 0; j < length; ++j) {
          WriteRow(first, apart_, count);
          for (int t = 0; t < 3; ++t) first[t] += steps_[t];
        }
      };
      reduce::ForEachRun(ordered_, 0, ordered_.ElementCount(), write);
    }
  }

 private:
  using Strides = std::array<int64_t, 3>;  // the indices, the output, the updates

  void WriteRow(const Strides& at, const Strides& strides, int64_t count) const {
    const I* index = indices_ + at[0];
    const T* from = updates_ + at[2];
    T* to = output_ + at[1];
    const auto [index_stride, to_stride, from_stride] = strides;
    if (index_stride == 0) {  // one element, or all to one place
      int64_t place = 0;
      if (!FindElement(axes_, index, place)) return;
      if (to_stride == 1 && from_stride == 1) {
        std::copy_n(from, count, to + place);
      } else {
        for (int64_t i = 0; i < count; ++i) to[place + i * to_stride] = from[i * from_stride];
      }
    } else if (axes_.count == 1) {
      const int64_t size = axes_.sizes[0], stride = axes_.strides[0];
      for (int64_t i = 0; i < count; ++i) {
        const int64_t coordinate = CoordinateOf(index[i * index_stride], size);
        if (coordinate < 0) continue;
        to[i * to_stride + coordinate * stride] = from[i * from_stride];
      }
    } else {
      for (int64_t i = 0; i < count; ++i) {
        int64_t place = 0;
        if (!FindElement(axes_, index + i * index_stride, place)) continue;
        to[i * to_stride + place] = from[i * from_stride];
      }
    }
  }

  IndexedAxes axes_;
  const StridedLoop<5>& ordered_;
  const I* indices_;
  const T* updates_;
  T* output_;
  Strides apart_;
  Strides steps_;
};

void RunScattered(const Scattered& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor) {
  if (bindings.inputs[0] != bindings.outputs[0]) {
    elementwise::CopyElements(plan.copy, plan.element_size, bindings.inputs[0], bindings.outputs[0],
                              executor);
  }
  const uint64_t per_unit =
      std::max(cpu::kElementsPerUnit / plan.ordered.ElementCount(),
               CeilDivide(plan.apart.ElementCount(), static_cast<uint64_t>(executor.threads())));
  DispatchType(IndexTypes(), plan.axes.index_type, [&]<typename I>() {
    DispatchWidth(plan.element_size, [&]<typename T>() {
      const Writer<I, T> writer(plan, bindings);
      cpu::ForEachRowPiece(
          plan.apart, executor,
          [&](const auto& at, uint64_t count) { writer.Write(at, static_cast<int64_t>(count)); },
          per_unit);
    });
  });
}

using Strategy = StrategyOf<Scattered, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 1> kScatteredStrategies = {
    Strategy::Named<AcceptsAll<Scattered>, RunScattered>("strided"),
};

}  // namespace anydml::move
