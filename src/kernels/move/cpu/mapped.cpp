// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows that are put together from runs of the input's rows and a value.
#include <hwy/cache_control.h>

#include "backends/cpu/rows.h"
#include "backends/cpu/streaming.h"
#include "kernels/move/cpu/strategies.h"
#include "kernels/move/mapped_plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/move/cpu/mapped.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/move/cpu/runs-inl.h"

#ifndef ANYDML_KERNELS_MOVE_CPU_MAPPED_ONCE_
#define ANYDML_KERNELS_MOVE_CPU_MAPPED_ONCE_
namespace anydml::move {
namespace {

// Runs of elements [begin, end) of a row. Mostly all rows have the same, which are found once.
struct RunList {
  static constexpr uint32_t kMaxRuns = 32;
  std::array<RowRun, kMaxRuns> runs;
  uint32_t count = 0;
  uint64_t begin = ~uint64_t{0};
  uint64_t end = 0;

  // Those from `first` on; as many as there is room for, up to `last`.
  void Find(const Mapped& plan, uint64_t first, uint64_t last) {
    if (begin == first && end == last) return;
    count = 0;
    begin = end = first;
    for (RowRuns all(plan, false, first, last); !all.done() && count < kMaxRuns; all.Next()) {
      runs[count++] = all.run();
      end += all.run().count;
    }
  }
};

}  // namespace
}  // namespace anydml::move
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::move {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace runs = cpu::HWY_NAMESPACE;

// Writes runs that follow one another in memory by plain stores.
template <typename T>
class StoredRuns {
 public:
  HWY_INLINE void BeginAt(T* to) { to_ = to; }

  template <class Run>
  HWY_INLINE void Append(const Run& run) {
    const hn::ScalableTag<T> d;
    const hn::CappedTag<T, 16 / sizeof(T)> few;
    if (run.count >= hn::Lanes(d)) {
      Store(run, d);
    } else if (run.count >= hn::Lanes(few)) {
      Store(run, few);
    } else {
      for (uint64_t i = 0; i < run.count; ++i) to_[i] = run.At(i);
    }
    to_ += run.count;
  }

 private:
  // The last vector overlaps the one before it.
  template <class Run, class D>
  HWY_INLINE void Store(const Run& run, D d) const {
    const auto N = static_cast<int64_t>(hn::Lanes(d));
    const int64_t last = static_cast<int64_t>(run.count) - N;
    for (int64_t i = 0; i < last; i += N) hn::StoreU(run.Load(d, i), d, to_ + i);
    hn::StoreU(run.Load(d, last), d, to_ + last);
  }

  T* to_ = nullptr;
};

// Elements [begin, end) of the output in its order. The value's elements wait for those of the next
// row.
template <typename T, class Writer>
HWY_INLINE void AppendRange(const Mapped& plan, const Bindings& bindings, uint64_t begin,
                            uint64_t end, Writer& to) {
  const T* const input = bindings.Input<T>(0);
  const T value = plan.value.As<T>();
  const runs::Readable<T> readable = {input, input + plan.dense_elements};
  const uint64_t length = plan.RowElements();
  constexpr bool kHasGaps = requires { to.BeginAt(nullptr); };
  RunList list;
  uint64_t values = 0;
  MappedRows row(plan, begin / length);
  for (uint64_t skip = begin % length; begin < end; row.Next(), skip = 0) {
    const uint64_t stop = std::min(length, skip + (end - begin));
    begin += stop - skip;
    if constexpr (kHasGaps) to.BeginAt(bindings.Output<T>(0) + row.output() + skip);
    if (row.IsValue()) values += stop - skip;
    for (uint64_t at = row.IsValue() ? stop : skip; at < stop; at = list.end) {
      list.Find(plan, at, stop);
      for (uint32_t i = 0; i < list.count; ++i) {
        const auto [source, step, count] = list.runs[i];
        if (source < 0) {
          values += count;
          continue;
        }
        const T* const from = input + row.input() + source;
        if (values != 0) to.Append(runs::Same<T>{value, values});
        values = 0;
        if (step == 1) {
          to.Append(runs::Forwards<T>{from, count, readable});
        } else if (step == 0) {
          to.Append(runs::Same<T>{*from, count});
        } else {
          to.Append(runs::Backwards<T>{from, count, readable});
        }
      }
    }
    if ((kHasGaps || begin == end) && values != 0) {
      to.Append(runs::Same<T>{value, values});
      values = 0;
    }
  }
}

template <typename T>
void MoveRange(const Mapped& plan, const Bindings& bindings, uint64_t begin, uint64_t end,
               bool streams) {
  if (!streams) {
    StoredRuns<T> to;
    return AppendRange<T>(plan, bindings, begin, end, to);
  }
  const cpu::StreamState state = {.to = bindings.Output<std::byte>(0) +
                                        begin * sizeof(T)};  // there are no gaps
  runs::StreamedRuns<T> to(state);
  AppendRange<T>(plan, bindings, begin, end, to);
  to.Finish();
}

using Move = void (*)(const Mapped&, const Bindings&, uint64_t begin, uint64_t end, bool streams);

Move Choose(uint32_t element_size) {
  Move move = nullptr;
  DispatchWidth(element_size, [&]<typename T>() { move = MoveRange<T>; });
  return move;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::move
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::move {
namespace {

HWY_EXPORT(Choose);

Refusal AcceptsPackedRows(const Mapped& plan) {
  if (!plan.HasPackedRows()) return {"the innermost stride is not 1 in the input and the output"};
  return kAccepted;
}

bool Streams(const Mapped& plan, uint64_t elements) {
  return plan.is_packed && cpu::ShouldStream((elements + plan.input_elements) * plan.element_size);
}

template <class Body>
void ForRanges(const Mapped& plan, const cpu::Executor& executor, const Body& body) {
  executor.ParallelFor(plan.RowCount() * plan.RowElements(),
                       cpu::kMovedElementsPerUnit<std::byte, 2> / plan.element_size, body);
}

void RunPackedRows(const Mapped& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  const auto move = HWY_DYNAMIC_DISPATCH(Choose)(plan.element_size);
  const bool streams = Streams(plan, plan.RowCount() * plan.RowElements());
  ForRanges(plan, executor, [&](uint64_t begin, uint64_t end) {
    move(plan, bindings, begin, end, streams);
    if (streams) hwy::FlushStream();
  });
}

void RunStrided(const Mapped& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  const uint64_t length = plan.RowElements();
  const int64_t apart = plan.OutputStep();
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const T value = plan.value.As<T>();
    ForRanges(plan, executor, [&](uint64_t begin, uint64_t end) {
      MappedRows row(plan, begin / length);
      for (uint64_t skip = begin % length; begin < end; row.Next(), skip = 0) {
        const uint64_t count = std::min(length - skip, end - begin);
        for (RowRuns runs(plan, row.IsValue(), skip, skip + count); !runs.done(); runs.Next()) {
          const auto [source, step, size] = runs.run();
          T* const to =
              bindings.Output<T>(0) + row.output() + static_cast<int64_t>(runs.at()) * apart;
          const T* const from = source < 0 ? &value : bindings.Input<T>(0) + row.input() + source;
          for (int64_t i = 0; i < static_cast<int64_t>(size); ++i) to[i * apart] = from[i * step];
        }
        begin += count;
      }
    });
  });
}

using Strategy = StrategyOf<Mapped, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 2> kMappedStrategies = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsAll<Mapped>, RunStrided>("strided"),
};

}  // namespace anydml::move
#endif  // HWY_ONCE
