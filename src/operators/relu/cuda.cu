// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of ACTIVATION_RELU.
#include "operators/cuda_elementwise.cuh"
#include "operators/relu/formula.h"
#include "operators/relu/plan.h"

namespace anydml::relu {
namespace {

// Relu() of formula.h on the bits of a float: as integers, what becomes 0 lies
// from -infinity up to +0, and NaN with its sign set below that. A selection
// among floats would end as a maximum, which loses the bits of a NaN.
template <typename Signed, typename Bits, Bits kMinusInfinity>
__device__ Bits ReluOfBits(Bits bits) {
  return static_cast<Signed>(bits) <= 0 && bits <= kMinusInfinity ? Bits{0} : bits;
}

struct Formula {
  template <typename T>
  static Formula Of(const Plan&) {
    return {};
  }
  template <typename T>
  __device__ T operator()(T x) const {
    if constexpr (std::is_same_v<T, float>) {
      const auto bits = std::bit_cast<uint32_t>(x);
      return std::bit_cast<T>(ReluOfBits<int32_t, uint32_t, 0xFF800000u>(bits));
    } else if constexpr (std::is_same_v<T, Float16>) {
      return {ReluOfBits<int16_t, uint16_t, 0xFC00u>(x.bits)};
    } else {
      return Relu(x);
    }
  }
};

}  // namespace

constinit const CudaKernel kCudaKernel = CudaElementwise<Plan, Types, Formula>::KernelNamed("relu");

}  // namespace anydml::relu
