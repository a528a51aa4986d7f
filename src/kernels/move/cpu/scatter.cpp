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
    const int64_t outer = by_lines ? count : 1, inner = by_lines ? 1 : count;
    for (int64_t line = 0; line < outer; ++line) {
      std::array<int64_t, 3> first;
      for (int t = 0; t < 3; ++t) first[t] = at[t] + line * apart_[t];
      reduce::ForEachRun(ordered_, 0, ordered_.ElementCount(),
                         [&](const auto& offsets, uint64_t, uint64_t length) {
                           for (int64_t j = 0; j < static_cast<int64_t>(length); ++j) {
                             std::array<int64_t, 3> run;
                             for (int t = 0; t < 3; ++t) {
                               run[t] = first[t] + offsets[t] + j * steps_[t];
                             }
                             WriteRow(run, inner);
                           }
                         });
    }
  }

 private:
  void WriteRow(const std::array<int64_t, 3>& at, int64_t count) const {
    const T* from = updates_ + at[2];
    int64_t place = 0;
    if (apart_[0] != 0 || count == 1) {
      for (int64_t i = 0; i < count; ++i) {
        if (!FindElement(axes_, indices_ + at[0] + i * apart_[0], place)) continue;
        output_[at[1] + i * apart_[1] + place] = from[i * apart_[2]];
      }
    } else if (FindElement(axes_, indices_ + at[0], place)) {
      T* to = output_ + at[1] + place;
      if (apart_[1] == 1 && apart_[2] == 1) {
        std::copy_n(from, count, to);
      } else {
        for (int64_t i = 0; i < count; ++i) to[i * apart_[1]] = from[i * apart_[2]];
      }
    }
  }

  IndexedAxes axes_;
  const StridedLoop<5>& ordered_;
  const I* indices_;
  const T* updates_;
  T* output_;
  std::array<int64_t, 3> apart_;  // the indices, the output, the updates
  std::array<int64_t, 3> steps_;
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
