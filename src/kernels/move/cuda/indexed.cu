// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Elements that an index tensor chooses.
#include "kernels/elementwise/cuda/row_packs.cuh"
#include "kernels/move/cuda/index.cuh"
#include "kernels/move/cuda/strategies.h"

namespace anydml::move {
namespace {

template <typename T>
struct Gathering {
  Indices indices;
  IndexedAxes axes;
  const T* x;
  T* y;

  __device__ int64_t Lead(const int64_t (&offsets)[3]) const {
    return cuda::LeadOf(y + offsets[2]);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<3, kCount>& place) const {
    const auto chosen = [&](int64_t at) { return x + NearestElement(axes, indices, at); };
    if (place.strides[0] == 0) {  // one index for all
      place.Store(place.Load(chosen(place.offsets[0]), 1), y, 2);
      return;
    }
    cuda::Pack<T, kCount> out = {};
    for (int i = 0; i < kCount; ++i) {
      if (!place.IsInside(i)) continue;
      out.values[i] = chosen(place.OffsetOf(0, i))[place.OffsetOf(1, i)];
    }
    place.Store(out, y, 2);
  }
};

// One of two values: whether an index is the element's coordinate.
template <typename T>
struct Choosing {
  Indices indices;
  int64_t axis_size;
  const T* off;
  const T* on;
  T* y;

  __device__ int64_t Lead(const int64_t (&offsets)[3]) const {
    return cuda::LeadOf(y + offsets[2]);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<3, kCount>& place) const {
    const T values[2] = {*off, *on};
    const bool is_one = place.strides[0] == 0;  // one index for all
    const int64_t of_all = is_one ? indices.At(place.offsets[0]) : 0;
    cuda::Pack<T, kCount> out = {};
    for (int i = 0; i < kCount; ++i) {
      if (!place.IsInside(i)) continue;
      const int64_t index = is_one ? of_all : indices.At(place.OffsetOf(0, i));
      const int64_t coordinate = index < 0 ? index + axis_size : index;
      out.values[i] = coordinate == place.OffsetOf(1, i) ? values[1] : values[0];
    }
    place.Store(out, y, 2);
  }
};

template <class Plan>
Refusal AcceptsPackedRows(const Plan& plan) {
  return {cuda::RefusePacked(plan.loop, 2, 16 / plan.element_size)};
}

template <bool kPacked, typename T, class Body>
void Run(const StridedLoop<3>& loop, const Body& body, cuda::Stream stream) {
  if (kPacked) {
    cuda::RunPacked<16 / sizeof(T)>(loop, stream, body);
  } else {
    cuda::RunSingle(loop, stream, body);
  }
}

template <bool kPacked>
void RunGathered(const Gathered& plan, const NoTables&, const Bindings& bindings,
                 cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const Gathering<T> body = {{bindings.inputs[1], plan.axes.index_type},
                               plan.axes,
                               bindings.Input<T>(0),
                               bindings.Output<T>(0)};
    Run<kPacked, T>(plan.loop, body, stream);
  });
}

template <bool kPacked>
void RunChosen(const Chosen& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const T* const values = bindings.Input<T>(1);
    const Choosing<T> body = {{bindings.inputs[0], plan.index_type},
                              plan.axis_size,
                              values,
                              values + plan.on_offset,
                              bindings.Output<T>(0)};
    Run<kPacked, T>(plan.loop, body, stream);
  });
}

using GatherStrategy = CudaStrategyOf<Gathered, NoTables>;
using ChosenStrategy = CudaStrategyOf<Chosen, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaGathered[] = {
    GatherStrategy::Named<AcceptsPackedRows<Gathered>, RunGathered<true>>("packed_rows"),
    GatherStrategy::Named<AcceptsAll<Gathered>, RunGathered<false>>("strided"),
};
constinit const CudaStrategy kCudaChosen[] = {
    ChosenStrategy::Named<AcceptsPackedRows<Chosen>, RunChosen<true>>("packed_rows"),
    ChosenStrategy::Named<AcceptsAll<Chosen>, RunChosen<false>>("strided"),
};

}  // namespace anydml::move
