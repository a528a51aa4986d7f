// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Outputs that follow from no input: one value, or a sequence of them.
#include "kernels/elementwise/arithmetic.h"
#include "kernels/elementwise/cuda/row_packs.cuh"
#include "kernels/move/cuda/strategies.h"

namespace anydml::move {
namespace {

// The same bits in every element.
template <typename T>
struct Constant {
  T value;
  T* y;
  __device__ int64_t Lead(const int64_t (&offsets)[1]) const {
    return cuda::LeadOf(y + offsets[0]);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<1, kCount>& place) const {
    cuda::Pack<T, kCount> out;
    for (int i = 0; i < kCount; ++i) out.values[i] = value;
    place.Store(out, y, 0);
  }
};

// start + index * delta: of floats in double, rounded once; of integers modulo 2^n (B57).
template <typename T>
struct Progress {
  using Number = std::conditional_t<elementwise::kIsFloat<T>, double,
                                    std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>;
  Number start;
  Number delta;
  T* y;

  static Number NumberOf(const Scalar& scalar) {
    if constexpr (std::is_same_v<T, Float16>) {
      return static_cast<double>(ToFloat(scalar.As<T>()));
    } else {
      return static_cast<Number>(scalar.As<T>());
    }
  }
  Progress(const Sequence& plan, T* y)
      : start(NumberOf(plan.start)), delta(NumberOf(plan.delta)), y(y) {}

  __device__ int64_t Lead(const int64_t (&offsets)[2]) const {
    return cuda::LeadOf(y + offsets[1]);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<2, kCount>& place) const {
    cuda::Pack<T, kCount> out;
    for (int i = 0; i < kCount; ++i) {
      const Number value = start + static_cast<Number>(place.OffsetOf(0, i)) * delta;
      if constexpr (std::is_same_v<T, Float16>) {
        out.values[i] = ToFloat16(elementwise::RoundToOdd(value));
      } else {
        out.values[i] = static_cast<T>(value);
      }
    }
    place.Store(out, y, 1);
  }
};

Refusal AcceptsFilledRows(const Filled& plan) {
  return {cuda::RefusePacked(plan.loop, 0, 16 / plan.element_size)};
}

template <bool kPacked>
void RunFilled(const Filled& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const Constant<T> body = {plan.value.As<T>(), bindings.Output<T>(0)};
    if (kPacked) {
      cuda::RunPacked<16 / sizeof(T)>(plan.loop, stream, body);
    } else {
      cuda::RunSingle(plan.loop, stream, body);
    }
  });
}

Refusal AcceptsSequenceRows(const Sequence& plan) {
  return {cuda::RefusePacked(plan.loop, 1, 16 / ElementSize(plan.data_type))};
}

template <bool kPacked>
void RunSequence(const Sequence& plan, const NoTables&, const Bindings& bindings,
                 cuda::Stream stream) {
  const auto run = [&]<typename T>() {
    const Progress<T> body(plan, bindings.Output<T>(0));
    if (kPacked) {
      cuda::RunPacked<16 / sizeof(T)>(plan.loop, stream, body);
    } else {
      cuda::RunSingle(plan.loop, stream, body);
    }
  };
  // Integers of either sign have the same low bits.
  if (!DispatchType(TypeList<float, Float16>(), plan.data_type, run)) {
    DispatchWidth(ElementSize(plan.data_type), run);
  }
}

using FillStrategy = CudaStrategyOf<Filled, NoTables>;
using SequenceStrategy = CudaStrategyOf<Sequence, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaFilled[] = {
    FillStrategy::Named<AcceptsFilledRows, RunFilled<true>>("packed_rows"),
    FillStrategy::Named<AcceptsAll<Filled>, RunFilled<false>>("strided"),
};
constinit const CudaStrategy kCudaSequences[] = {
    SequenceStrategy::Named<AcceptsSequenceRows, RunSequence<true>>("packed_rows"),
    SequenceStrategy::Named<AcceptsAll<Sequence>, RunSequence<false>>("strided"),
};

}  // namespace anydml::move
