// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Random words, every one from its index alone.
#include "kernels/elementwise/cuda/elementwise.cuh"
#include "kernels/move/cuda/strategies.h"

namespace anydml::move {
namespace {

Refusal AcceptsPackedRow(const RandomWords& plan) {
  const StridedLoop<2>& loop = plan.loop;
  if (loop.rank > 1 || loop.inner_stride(0) != 1 || loop.inner_stride(1) != 1) {
    return {"the output is not packed"};
  }
  return kAccepted;
}

struct States {
  const uint32_t* from;
  int64_t input_step;
  uint32_t* to;
  int64_t output_step;
  uint64_t count;

  // The first thread writes the new one.
  __device__ RandomState Load(uint64_t thread) const {
    const RandomState state(from, input_step);
    if (thread == 0 && output_step != 0) state.PutAdvanced(count, to, output_step);
    return state;
  }
};

// The words of a counter per thread.
__global__ void PutPacked(States states, uint32_t* y) {
  const uint64_t block = cuda::ThreadNumber(), first = 4 * block;
  if (first >= states.count) return;
  const PhiloxCounter words = states.Load(block).Words(block);
  if (cuda::IsAligned(y) && first + 4 <= states.count) {
    *reinterpret_cast<uint4*>(y + first) = make_uint4(words[0], words[1], words[2], words[3]);
    return;
  }
  for (uint64_t i = 0; i < 4 && first + i < states.count; ++i) y[first + i] = words[i];
}

// One word per thread, whatever the layout.
__global__ void PutSingle(States states, cuda::Walk<2> walk, uint32_t* y) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= states.count) return;
  int64_t at[2];
  walk.Offsets(static_cast<uint32_t>(number), at);
  const auto index = static_cast<uint64_t>(at[0]);
  y[at[1]] = states.Load(number).Words(index / 4)[index % 4];
}

template <bool kPacked>
void RunRandom(const RandomWords& plan, const NoTables&, const Bindings& bindings,
               cuda::Stream stream) {
  const uint64_t count = plan.loop.ElementCount();
  const States states = {bindings.Input<uint32_t>(0), plan.input_step, bindings.Output<uint32_t>(1),
                         plan.output_step, count};
  auto* const y = bindings.Output<uint32_t>(0);
  if (kPacked) {
    PutPacked<<<cuda::BlocksFor((count + 3) / 4), cuda::kThreadsPerBlock, 0, stream>>>(states, y);
  } else {
    PutSingle<<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
        states, cuda::Walk<2>(plan.loop, plan.loop.rank), y);
  }
}

using Strategy = CudaStrategyOf<RandomWords, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaRandom[] = {
    Strategy::Named<AcceptsPackedRow, RunRandom<true>>("packed_rows"),
    Strategy::Named<AcceptsAll<RandomWords>, RunRandom<false>>("strided"),
};

}  // namespace anydml::move
