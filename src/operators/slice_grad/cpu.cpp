// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of SLICE_GRAD. Each writes every output element once.
#include <cstring>

#include "operators/slice_grad/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/slice_grad/cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace anydml::slice_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One value and kStep - 1 zeros per lane.
template <int kStep, class D, class V, typename T>
HWY_INLINE void StoreSpread(D d, V values, T* out) {
  const V zero = hn::Zero(d);
  if constexpr (kStep == 2) {
    hn::StoreInterleaved2(values, zero, d, out);
  } else if constexpr (kStep == 3) {
    hn::StoreInterleaved3(values, zero, zero, d, out);
  } else {
    hn::StoreInterleaved4(values, zero, zero, zero, d, out);
  }
}

template <int kStep, typename T>
HWY_INLINE void SteppedRow(const Axis& axis, const RowPiece& piece, const T* input, T* output) {
  const hn::ScalableTag<T> d;
  const size_t N = hn::Lanes(d);
  const T* values = input + piece.input;
  T* row = output + piece.output;
  uint64_t o = piece.begin;
  uint64_t q = piece.from;
  if (q < piece.to) {
    const uint64_t first = CoordinateOf(axis, q);
    for (; o < first; ++o) row[o] = 0;
  }
  // From here on o is the coordinate of q.
  for (; q + N <= piece.to && o + N * kStep <= piece.end; q += N, o += N * kStep) {
    StoreSpread<kStep>(d, hn::LoadU(d, values + q), row + o);
  }
  for (; q < piece.to && o + kStep <= piece.end; ++q, o += kStep) {
    row[o] = values[q];
    for (int k = 1; k < kStep; ++k) row[o + k] = 0;
  }
  if (q < piece.to) row[o++] = values[q];  // closer to the end than a step, so the last one
  std::memset(row + o, 0, (piece.end - o) * sizeof(T));
}

template <int kStep>
void SteppedRowsOf(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchWidth(plan.element_size, [&]<typename T>() HWY_ATTR {
    const auto* input = bindings.Input<T>(0);
    auto* output = bindings.Output<T>(0);
    ForEachRowPiece(plan, executor, [&plan, input, output](const RowPiece& piece) HWY_ATTR {
      SteppedRow<kStep>(plan.inner(), piece, input, output);
    });
  });
}

void PackedRowsOfStep2To4(const Plan& plan, const Bindings& bindings,
                          const cpu::Executor& executor) {
  switch (plan.inner().step) {
    case 2:
      return SteppedRowsOf<2>(plan, bindings, executor);
    case 3:
      return SteppedRowsOf<3>(plan, bindings, executor);
    default:
      return SteppedRowsOf<4>(plan, bindings, executor);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::slice_grad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::slice_grad {
namespace {

HWY_EXPORT(PackedRowsOfStep2To4);

constexpr Refusal kNotPacked = {"the innermost stride is not 1 in both tensors"};

bool HasUnitInnerStrides(const Plan& plan) {
  return plan.inner().output_stride == 1 && plan.inner().input_stride == 1;
}

Refusal AcceptsPackedRows(const Plan& plan) {
  if (!HasUnitInnerStrides(plan)) return kNotPacked;
  if (plan.inner().step != 1) return {"the innermost window stride is not 1"};
  return kAccepted;
}

// memset and memcpy know the processor's widest registers, and stores that pass
// by the caches.
void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  const auto* input = bindings.Input<char>(0);
  auto* output = bindings.Output<char>(0);
  const auto size = static_cast<int64_t>(plan.element_size);
  const uint64_t first = plan.inner().first;
  ForEachRowPiece(plan, executor, [=](const RowPiece& piece) {
    char* row = output + piece.output * size;
    if (piece.from == piece.to) {
      std::memset(row + piece.begin * size, 0, (piece.end - piece.begin) * size);
      return;
    }
    const uint64_t from = first + piece.from;
    const uint64_t to = first + piece.to;
    if (piece.begin < from) std::memset(row + piece.begin * size, 0, (from - piece.begin) * size);
    std::memcpy(row + from * size, input + (piece.input + piece.from) * size, (to - from) * size);
    if (to < piece.end) std::memset(row + to * size, 0, (piece.end - to) * size);
  });
}

Refusal AcceptsPackedRowsOfStep2To4(const Plan& plan) {
  if (!HasUnitInnerStrides(plan)) return kNotPacked;
  if (plan.inner().step < 2 || plan.inner().step > 4) {
    return {"the innermost window stride is not 2 to 4"};
  }
  return kAccepted;
}

void RunPackedRowsOfStep2To4(const Plan& plan, const NoTables&, const Bindings& bindings,
                             const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(PackedRowsOfStep2To4)(plan, bindings, executor);
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
    Strategy::Named<AcceptsPackedRowsOfStep2To4, RunPackedRowsOfStep2To4>(
        "packed_rows_of_step_2_to_4"),
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
