// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Bands of diagonals: every element by its own diagonal.
#include "kernels/elementwise/cuda/row_packs.cuh"
#include "kernels/move/cuda/strategies.h"

namespace anydml::move {
namespace {

template <typename T>
struct Banding {
  Band band;
  T value;
  const T* x;  // null: zeros
  T* y;

  __device__ int64_t Lead(const int64_t (&offsets)[3]) const {
    return cuda::LeadOf(y + offsets[2]);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<3, kCount>& place) const {
    cuda::Pack<T, kCount> out = {};
    if (x != nullptr) out = place.Load(x, 0);
    for (int i = 0; i < kCount; ++i) {
      if (band.IsFilled(place.OffsetOf(1, i))) out.values[i] = value;
    }
    place.Store(out, y, 2);
  }
};

Refusal AcceptsPackedRows(const Banded& plan) {
  return {cuda::RefusePacked(plan.loop, 2, 16 / plan.element_size)};
}

template <bool kPacked>
void Run(const Banded& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const Banding<T> body = {plan.band, plan.value.As<T>(),
                             plan.has_input ? bindings.Input<T>(0) : nullptr,
                             bindings.Output<T>(0)};
    if (kPacked) {
      cuda::RunPacked<16 / sizeof(T)>(plan.loop, stream, body);
    } else {
      cuda::RunSingle(plan.loop, stream, body);
    }
  });
}

using Strategy = CudaStrategyOf<Banded, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaBanded[] = {
    Strategy::Named<AcceptsPackedRows, Run<true>>("packed_rows"),
    Strategy::Named<AcceptsAll<Banded>, Run<false>>("strided"),
};

}  // namespace anydml::move
