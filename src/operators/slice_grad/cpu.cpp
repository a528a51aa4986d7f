// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of SLICE_GRAD. Each writes every output element once.
#include "operators/slice_grad/blocks.h"
#include "operators/slice_grad/input_ahead.h"
#include "operators/slice_grad/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/slice_grad/cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/run_writers-inl.h"
#include "backends/cpu/runs-inl.h"
#include "backends/cpu/streaming-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::slice_grad {
namespace HWY_NAMESPACE {
namespace hw = cpu::HWY_NAMESPACE;

// Writes positions [begin, end) of a block to `to`, in ascending order. `rows` is
// at the first row of the window that reaches behind `begin`. make_run(offset,
// count) gives elements and the zeros between them as a run (runs-inl.h).
template <class Runs, typename T, class MakeRun>
HWY_INLINE void WriteRange(const Axis& axis, const MakeRun& make_run, WindowRows& rows,
                           const InputAhead& ahead, uint64_t begin, uint64_t end, T* block) {
  Runs runs(block + begin, block + end);
  const uint64_t row_end = CoordinateOf(axis, axis.count - 1) + 1;
  const uint64_t distance = rows.RowDistance();
  const int64_t input_distance = rows.InputDistance();
  uint64_t at = begin;
  while (!rows.done() && rows.start() + axis.first < end) {
    uint64_t start = rows.start();
    int64_t input = rows.input();
    const uint64_t count = rows.RowsOfGroup();
    rows.NextGroup();
    InputAhead::Rows rows_ahead = ahead.Of(input, count, input_distance, rows.input());
    for (uint64_t k = 0; k < count && start + axis.first < end; ++k) {
      rows_ahead.AskForOne();
      const uint64_t from = at <= start + axis.first ? 0 : ElementsBelow(axis, at - start);
      const uint64_t to = start + row_end <= end ? axis.count : ElementsBelow(axis, end - start);
      if (from != to) {
        const uint64_t first = start + CoordinateOf(axis, from);
        if (first != at) runs.Append(hw::Zeros<T>{first - at});
        runs.Append(make_run(input + static_cast<int64_t>(from) * axis.input_stride, to - from));
        at = start + CoordinateOf(axis, to - 1) + 1;
      }
      start += distance;
      input += input_distance;
    }
  }
  if (at != end) runs.Append(hw::Zeros<T>{end - at});
  runs.Finish();
}

// Of blocks of 224 bytes every third line is shared with a neighbour, and they take
// three times as long.
constexpr uint64_t kShortestStreamedBlock = 384;

// Whether blocks go past the caches.
HWY_INLINE bool Streams(const Plan& plan) {
  const uint64_t elements = plan.ElementCount() + plan.input_elements;
  return plan.BlockSize() * plan.element_size >= kShortestStreamedBlock &&
         cpu::ShouldStream(elements * plan.element_size);
}

template <typename T, class MakeRun>
HWY_INLINE void WriteBlocks(const Plan& plan, const T* input, T* output,
                            const cpu::Executor& executor, const MakeRun& make_run) {
  const bool streams = Streams(plan);
  const InputAhead ahead(plan, input);
  const std::span axes(plan.axes.data() + plan.rank - plan.block_rank, plan.block_rank);
  const auto write = [&](const BlockPiece& piece) HWY_ATTR {
    WindowRows rows(axes, piece.input, piece.begin);
    if (!piece.has_elements) rows.SkipAll();
    T* const block = output + piece.output;
    if (streams) {
      WriteRange<hw::StreamedRuns<T>>(plan.inner(), make_run, rows, ahead, piece.begin, piece.end,
                                      block);
    } else {
      WriteRange<hw::PlainRuns<T>>(plan.inner(), make_run, rows, ahead, piece.begin, piece.end,
                                   block);
    }
  };
  ForEachBlockPiece(plan, executor, write, [&] {
    if (streams) hwy::FlushStream();
  });
}

void PackedRows(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchWidth(plan.element_size, [&]<typename T>() HWY_ATTR {
    const T* const input = bindings.Input<T>(0);
    T* const output = bindings.Output<T>(0);
    const Axis& axis = plan.inner();
    hw::Readable<T> readable;
    if (plan.input_is_dense) readable = {input, input + plan.input_elements};
    const auto forwards = [=](int64_t offset, uint64_t count) HWY_ATTR {
      return hw::Forwards<T>{input + offset, count, readable};
    };
    const int64_t below = InputAhead::TakesRows(plan) ? 0 : InputAhead::kBytes / sizeof(T);
    const auto backwards = [=](int64_t offset, uint64_t count) HWY_ATTR {
      return hw::Backwards<T>{input + offset, count, readable, below};
    };
    const auto write = [&](const auto& make_run)
                           HWY_ATTR { WriteBlocks(plan, input, output, executor, make_run); };
    const auto write_spread = [&](const auto& make_run) HWY_ATTR {
      write([=](int64_t offset, uint64_t count) HWY_ATTR {
        return hw::SpreadByTwo<T, decltype(make_run(offset, count))>(make_run(offset, count));
      });
    };
    if (axis.step == 1 && axis.input_stride == 1) return write(forwards);
    if constexpr (sizeof(T) > 1) {  // Highway cannot reverse bytes
      if (axis.step == 1 && axis.input_stride == -1) return write(backwards);
    }
    if constexpr (sizeof(T) < 8) {
      if (axis.step == 2 && axis.input_stride == 1) return write_spread(forwards);
    }
    if constexpr (sizeof(T) == 2 || sizeof(T) == 4) {
      if (axis.step == 2 && axis.input_stride == -1) return write_spread(backwards);
    }
    const auto scattered = [=](int64_t offset, uint64_t count) HWY_ATTR {
      return hw::Scattered<T>{input + offset, axis.input_stride, axis.step,
                              (count - 1) * axis.step + 1};
    };
    WriteBlocks(plan, input, output, executor, scattered);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::slice_grad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::slice_grad {
namespace {

HWY_EXPORT(PackedRows);

Refusal AcceptsPackedRows(const Plan& plan) {
  if (plan.block_rank == 0) return {"the output's innermost stride is not 1"};
  return kAccepted;
}

void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(PackedRows)(plan, bindings, executor);
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const auto* input = bindings.Input<T>(0);
    auto* output = bindings.Output<T>(0);
    const Axis& axis = plan.inner();
    ForEachRowPiece(plan, executor, [&axis, input, output](const RowPiece& piece) {
      const auto at = [&](uint64_t o) {
        return piece.output + static_cast<int64_t>(o) * axis.output_stride;
      };
      uint64_t o = piece.begin;
      for (uint64_t q = piece.from; q < piece.to; ++q) {
        for (; o < CoordinateOf(axis, q); ++o) output[at(o)] = 0;
        output[at(o++)] = input[piece.input + static_cast<int64_t>(q) * axis.input_stride];
      }
      for (; o < piece.end; ++o) output[at(o)] = 0;
    });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {
    .name = "slice_grad",
    .data_types = SetOf(IntegerTypes()) | SetOf(TypeList<double, float, Float16>()),
    .preserves_nan_bits = true,
    .make_plan = ErasePlan<Desc, Plan, MakePlan>,
    .explain = EraseExplain<Plan, Explain>,
    .make_tables = WithoutTables,
    .reference = EraseReference<Desc, Reference>,
    .cpu_strategies = kStrategies};

}  // namespace anydml::slice_grad
#endif  // HWY_ONCE
