// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Parts of a whole tensor: one copy between layouts each.
#include "kernels/elementwise/cuda/elementwise.cuh"
#include "kernels/move/cuda/strategies.h"

namespace anydml::move {
namespace {

Bindings BindingsOf(const Parts& plan, const Part& part, uint32_t number,
                    const Bindings& bindings) {
  const int64_t size = plan.element_size;
  Bindings own;
  own.inputs[0] = bindings.Input<char>(plan.join ? number : 0) + part.input_start * size;
  own.outputs[0] = bindings.Output<char>(plan.join ? 0 : number) + part.output_start * size;
  return own;
}

template <bool kPacked>
void Run(const Parts& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  for (uint32_t p = 0; p < plan.count; ++p) {
    const Part part = PartOf(plan, p);
    const Bindings own = BindingsOf(plan, part, p, bindings);
    DispatchWidth(plan.element_size, [&]<typename T>() {
      if (kPacked) {
        cuda::TransformPackedRows<T>(part.loop, own, stream, cuda::Copied());
      } else {
        cuda::TransformStrided<T>(part.loop, own, stream, cuda::Copied());
      }
    });
  }
}

Refusal AcceptsPackedRows(const Parts& plan) {
  for (uint32_t p = 0; p < plan.count; ++p) {
    const Refusal refusal = {cuda::RefusePackedRows(PartOf(plan, p).loop, plan.element_size)};
    if (!refusal.accepted()) return refusal;
  }
  return kAccepted;
}

using Strategy = CudaStrategyOf<Parts, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaParts[] = {
    Strategy::Named<AcceptsPackedRows, Run<true>>("packed_rows"),
    Strategy::Named<AcceptsAll<Parts>, Run<false>>("strided"),
};

}  // namespace anydml::move
