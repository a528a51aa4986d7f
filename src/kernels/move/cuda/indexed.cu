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

// The first elements of a sequence in the opposite order.
template <typename T>
struct Reversing {
  Indices lengths;
  int64_t axis_size;
  int64_t axis_stride;
  const T* x;
  T* y;

  __device__ int64_t Lead(const int64_t (&offsets)[4]) const {
    return cuda::LeadOf(y + offsets[3]);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<4, kCount>& place) const {
    const auto length_at = [&](int64_t at) {
      const int64_t length = lengths.At(at);
      return length < axis_size ? length : axis_size;
    };
    const auto source = [&](int64_t coordinate, int64_t length) {
      return x + ReversedCoordinate(coordinate, length) * axis_stride;
    };
    const bool is_one = place.strides[0] == 0;  // one length for all
    const int64_t of_all = is_one ? length_at(place.offsets[0]) : 0;
    if (is_one && place.strides[1] == 0) {
      place.Store(place.Load(source(place.offsets[1], of_all), 2), y, 3);
      return;
    }
    cuda::Pack<T, kCount> out = {};
    for (int i = 0; i < kCount; ++i) {
      if (!place.IsInside(i)) continue;
      const int64_t length = is_one ? of_all : length_at(place.OffsetOf(0, i));
      out.values[i] = source(place.OffsetOf(1, i), length)[place.OffsetOf(2, i)];
    }
    place.Store(out, y, 3);
  }
};

template <class Plan, int kOutput>
Refusal AcceptsPackedRows(const Plan& plan) {
  return {cuda::RefusePacked(plan.loop, kOutput, 16 / plan.element_size)};
}

template <bool kPacked, typename T, int N, class Body>
void Run(const StridedLoop<N>& loop, const Body& body, cuda::Stream stream) {
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

template <bool kPacked>
void RunReversed(const Reversed& plan, const NoTables&, const Bindings& bindings,
                 cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const Reversing<T> body = {{bindings.inputs[1], plan.length_type},
                               static_cast<int64_t>(plan.axis_size),
                               plan.axis_stride,
                               bindings.Input<T>(0),
                               bindings.Output<T>(0)};
    Run<kPacked, T>(plan.loop, body, stream);
  });
}

using GatherStrategy = CudaStrategyOf<Gathered, NoTables>;
using ChosenStrategy = CudaStrategyOf<Chosen, NoTables>;
using ReversedStrategy = CudaStrategyOf<Reversed, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaGathered[] = {
    GatherStrategy::Named<AcceptsPackedRows<Gathered, 2>, RunGathered<true>>("packed_rows"),
    GatherStrategy::Named<AcceptsAll<Gathered>, RunGathered<false>>("strided"),
};
constinit const CudaStrategy kCudaChosen[] = {
    ChosenStrategy::Named<AcceptsPackedRows<Chosen, 2>, RunChosen<true>>("packed_rows"),
    ChosenStrategy::Named<AcceptsAll<Chosen>, RunChosen<false>>("strided"),
};
constinit const CudaStrategy kCudaReversed[] = {
    ReversedStrategy::Named<AcceptsPackedRows<Reversed, 3>, RunReversed<true>>("packed_rows"),
    ReversedStrategy::Named<AcceptsAll<Reversed>, RunReversed<false>>("strided"),
};

}  // namespace anydml::move
