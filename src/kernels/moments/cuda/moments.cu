// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A step of training: the factors of all elements, then every element once.
#include "kernels/elementwise/cuda/row_packs.cuh"
#include "kernels/moments/cuda/strategies.h"

namespace anydml::moments {
namespace {

__global__ void FindFactors(Plan plan, const uint32_t* step, Factors* factors) {
  *factors = FactorsOf(plan, *step);
}

template <typename T>
struct Step {
  const Factors* factors;
  const T* inputs[4];
  T* outputs[3];

  Step(const Bindings& bindings) : factors(bindings.Temporary<Factors>()) {
    for (int t = 0; t < 4; ++t) inputs[t] = bindings.Input<T>(t);
    for (int t = 0; t < 3; ++t) outputs[t] = bindings.Output<T>(t);
  }

  __device__ int64_t Lead(const int64_t (&offsets)[kTensors]) const {
    return cuda::LeadOf(outputs[0] + offsets[kNewParameters]);
  }
  // All inputs are read before an output is written: outputs may lie over inputs.
  template <int kCount>
  __device__ void operator()(const cuda::Place<kTensors, kCount>& place) const {
    const Factors f = *factors;
    cuda::Pack<T, kCount> in[4], out[3];
    for (int t = 0; t < 4; ++t) in[t] = place.Load(inputs[t], t);
    for (int i = 0; i < kCount; ++i) {
      const float x = cuda::Widen(in[kParameters].values[i]);
      const float m = cuda::Widen(in[kFirst].values[i]);
      const float v = cuda::Widen(in[kSecond].values[i]);
      const float g = cuda::Widen(in[kGradient].values[i]);
      const float new_m = f.beta1 * m + f.rest1 * g;
      const float new_v = f.beta2 * v + f.rest2 * g * g;
      const float change = __fdiv_rn(f.rate * new_m, __fsqrt_rn(new_v) + f.epsilon);
      out[0].values[i] = cuda::Narrow<T>(x - change);
      out[1].values[i] = cuda::Narrow<T>(new_m);
      out[2].values[i] = cuda::Narrow<T>(new_v);
    }
    for (int t = 0; t < 3; ++t) place.Store(out[t], outputs[t], kNewParameters + t);
  }
};

template <bool kPacked>
void Run(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  FindFactors<<<1, 1, 0, stream>>>(plan, bindings.Input<uint32_t>(4),
                                   bindings.Temporary<Factors>());
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() {
    if (kPacked) {
      cuda::RunPacked<16 / sizeof(T)>(plan.loop, stream, Step<T>(bindings));
    } else {
      cuda::RunSingle(plan.loop, stream, Step<T>(bindings));
    }
  });
}

Refusal AcceptsPackedRows(const Plan& plan) {
  if (!plan.loop.HasUnitInnerStrides()) return {"the innermost stride is not 1 in every tensor"};
  return {cuda::RefusePacked(plan.loop, kNewParameters, 16 / ElementSize(plan.data_type))};
}

uint64_t TemporaryBytes(const Plan&) { return sizeof(Factors); }

using Strategy = CudaStrategyOf<Plan, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaStrategies[] = {
    Strategy::Named<AcceptsPackedRows, Run<true>, TemporaryBytes>("packed_rows"),
    Strategy::Named<AcceptsAll<Plan>, Run<false>, TemporaryBytes>("strided"),
};

}  // namespace anydml::moments
