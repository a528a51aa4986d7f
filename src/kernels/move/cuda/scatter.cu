// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Updates that indices send to their places in a copy of the input. Every slot remembers the last
// update that wants it, by a maximum of integers; then that one writes (B77).
#include "kernels/elementwise/cuda/copy.h"
#include "kernels/elementwise/cuda/row_packs.cuh"
#include "kernels/move/cuda/index.cuh"
#include "kernels/move/cuda/strategies.h"

namespace anydml::move {
namespace {

// Numbers of updates from 1 on; 0 where there is none.
struct Slots {
  Indices indices;
  IndexedAxes axes;
  std::array<int64_t, kMaxDimensions> strides;
  uint32_t* winners;

  // -1 where an index is outside.
  __device__ int64_t Find(const int64_t (&offsets)[5]) const {
    const int64_t slot = FindElement(axes, strides, indices, offsets[0]);
    return slot < 0 ? -1 : offsets[3] + slot;
  }
};

struct Voting {
  Slots slots;

  template <int kCount>
  __device__ void operator()(const cuda::Place<5, kCount>& place) const {
    const int64_t slot = slots.Find(place.offsets);
    if (slot >= 0) atomicMax(slots.winners + slot, static_cast<uint32_t>(place.offsets[4] + 1));
  }
};

template <typename T>
struct Writing {
  Slots slots;
  const T* updates;
  T* y;

  template <int kCount>
  __device__ void operator()(const cuda::Place<5, kCount>& place) const {
    const int64_t slot = slots.Find(place.offsets);
    if (slot < 0 || slots.winners[slot] != static_cast<uint32_t>(place.offsets[4] + 1)) return;
    const int64_t to = FindElement(slots.axes, slots.axes.strides, slots.indices, place.offsets[0]);
    y[place.offsets[1] + to] = updates[place.offsets[2]];
  }
};

// All dimensions of the updates, or those in which slots differ and the ordered ones.
StridedLoop<5> Dimensions(const Scattered& plan, bool all) {
  StridedLoop<5> loop;
  for (const StridedLoop<5>* part : {&plan.apart, &plan.ordered}) {
    for (uint32_t i = 0; i < part->rank; ++i) {
      if (part->sizes[i] == 1) continue;
      if (!all && part == &plan.apart && part->strides[3][i] == 0) continue;
      loop.sizes[loop.rank] = part->sizes[i];
      for (int t = 0; t < 5; ++t) loop.strides[t][loop.rank] = part->strides[t][i];
      ++loop.rank;
    }
  }
  return loop.rank == 0 ? StridedLoop<5>::PackedRow(1) : loop;
}

uint64_t SlotBytes(const Scattered& plan) { return plan.slots * sizeof(uint32_t); }

void RunScattered(const Scattered& plan, const NoTables&, const Bindings& bindings,
                  cuda::Stream stream) {
  if (bindings.inputs[0] != bindings.outputs[0]) {
    cuda::CopyElements(plan.copy, plan.element_size, bindings.inputs[0], bindings.outputs[0],
                       stream);
  }
  const Slots slots = {{bindings.inputs[1], plan.axes.index_type},
                       plan.axes,
                       plan.slot_strides,
                       bindings.Temporary<uint32_t>()};
  cudaMemsetAsync(slots.winners, 0, SlotBytes(plan), stream);
  cuda::RunSingle(Dimensions(plan, false), stream, Voting{slots});
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const Writing<T> body = {slots, bindings.Input<T>(2), bindings.Output<T>(0)};
    cuda::RunSingle(Dimensions(plan, true), stream, body);
  });
}

using Strategy = CudaStrategyOf<Scattered, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaScattered[] = {
    Strategy::Named<AcceptsAll<Scattered>, RunScattered, SlotBytes>("strided"),
};

}  // namespace anydml::move
