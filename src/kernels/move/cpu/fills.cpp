// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Outputs that follow from no input: one value, or a sequence of them.
#include <hwy/cache_control.h>

#include <bit>
#include <cmath>

#include "backends/cpu/rows.h"
#include "kernels/move/cpu/filled_rows.h"
#include "kernels/move/cpu/strategies.h"
#include "kernels/move/plan.h"

namespace anydml::move {
namespace {

Refusal AcceptsFilledRows(const Filled& plan) {
  if (plan.loop.inner_stride(0) != 1) return {"the output's innermost stride is not 1"};
  return kAccepted;
}

void FillPackedRows(const Filled& plan, const NoTables&, const Bindings& bindings,
                    const cpu::Executor& executor) {
  const int64_t size = plan.element_size;
  const uint64_t row_bytes = plan.loop.inner_size() * plan.element_size;
  const uint64_t pattern = cpu::FillPattern(plan.value, plan.element_size);
  const bool streams = cpu::MayStreamFills(plan.loop.ElementCount() * plan.element_size, row_bytes);
  const cpu::FillRow fill = cpu::ChooseFillRow();
  cpu::ForEachRowPiece(
      plan.loop, executor,
      [&](const auto& at, uint64_t count) {
        fill(bindings.Output<std::byte>(0) + at[0] * size, count * plan.element_size, pattern,
             streams);
      },
      cpu::kMovedElementsPerUnit<std::byte, 1> / plan.element_size,
      [&] {
        if (streams) hwy::FlushStream();
      });
}

void FillStrided(const Filled& plan, const NoTables&, const Bindings& bindings,
                 const cpu::Executor& executor) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const T value = plan.value.As<T>();
    const int64_t stride = plan.loop.inner_stride(0);
    cpu::ForEachRowPiece(plan.loop, executor, [&](const auto& at, uint64_t count) {
      T* to = bindings.Output<T>(0) + at[0];
      for (uint64_t i = 0; i < count; ++i, to += stride) *to = value;
    });
  });
}

// ---- Sequences.

// To the nearest half in one rounding: the float keeps what it dropped in its last bit,
// which is 13 places below a half's.
Float16 HalfOf(double value) {
  auto rounded = static_cast<float>(value);
  const auto back = static_cast<double>(rounded);
  if (back != value && value == value) {
    uint32_t bits = std::bit_cast<uint32_t>(rounded);
    if (std::abs(back) > std::abs(value)) --bits;
    rounded = std::bit_cast<float>(bits | 1u);
  }
  return ToFloat16(rounded);
}

double NumberOf(float element) { return static_cast<double>(element); }
double NumberOf(Float16 element) { return static_cast<double>(ToFloat(element)); }

template <typename T>
T ElementOf(double value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return HalfOf(value);
  } else {
    return static_cast<T>(value);
  }
}

// `count` elements from a logical index on, which grows by `step` from one to the next.
template <typename T, bool kPacked>
void PutSequence(const Sequence& plan, T* to, int64_t stride, int64_t index, int64_t step,
                 int64_t count) {
  if (kPacked) stride = 1;
  if constexpr (std::numeric_limits<T>::is_integer) {
    // Modulo 2^n: in unsigned numbers, of 32 bits at least so that nothing is promoted to int.
    using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    const U delta = static_cast<U>(plan.delta.As<T>());
    const U first = static_cast<U>(plan.start.As<T>()) + static_cast<U>(index) * delta;
    const U grows = static_cast<U>(step) * delta;
    for (int64_t k = 0; k < count; ++k) {
      to[k * stride] = static_cast<T>(first + static_cast<U>(k) * grows);
    }
  } else {
    const double start = NumberOf(plan.start.As<T>());
    const double delta = NumberOf(plan.delta.As<T>());
    const auto base = static_cast<double>(index), grows = static_cast<double>(step);
    // Every index is exact: below 2^32.
    for (int64_t k = 0; k < count; ++k) {
      const double i = base + static_cast<double>(static_cast<int32_t>(k)) * grows;
      to[k * stride] = ElementOf<T>(start + i * delta);
    }
  }
}

Refusal AcceptsSequenceRows(const Sequence& plan) {
  if (plan.loop.inner_stride(1) != 1) return {"the output's innermost stride is not 1"};
  return kAccepted;
}

using SequenceTypes = TypeList<float, Float16, int64_t, int32_t, int16_t, int8_t, uint64_t,
                               uint32_t, uint16_t, uint8_t>;

template <bool kPacked>
void RunSequence(const Sequence& plan, const NoTables&, const Bindings& bindings,
                 const cpu::Executor& executor) {
  DispatchType(SequenceTypes(), plan.data_type, [&]<typename T>() {
    cpu::ForEachRowPiece(plan.loop, executor, [&](const auto& at, uint64_t count) {
      PutSequence<T, kPacked>(plan, bindings.Output<T>(0) + at[1], plan.loop.inner_stride(1), at[0],
                              plan.loop.inner_stride(0), static_cast<int64_t>(count));
    });
  });
}

using FillStrategy = StrategyOf<Filled, NoTables>;
using SequenceStrategy = StrategyOf<Sequence, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 2> kFilledStrategies = {
    FillStrategy::Named<AcceptsFilledRows, FillPackedRows>("packed_rows"),
    FillStrategy::Named<AcceptsAll<Filled>, FillStrided>("strided"),
};

constinit const std::array<CpuStrategy, 2> kSequenceStrategies = {
    SequenceStrategy::Named<AcceptsSequenceRows, RunSequence<true>>("packed_rows"),
    SequenceStrategy::Named<AcceptsAll<Sequence>, RunSequence<false>>("strided"),
};

}  // namespace anydml::move
