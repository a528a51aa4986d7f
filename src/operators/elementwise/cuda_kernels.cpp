// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The element-wise operators on NVIDIA devices.
#include "kernels/elementwise/cuda/strategies.h"
#include "operators/cuda_operator.h"
#include "operators/elementwise/definitions.h"

namespace anydml::elementwise {
namespace {

// The formulas that chains of a graph know.
std::optional<cuda::ElementStep> StepOf(const Plan& plan) {
  using Kind = cuda::ElementStep::Kind;
  const DataType type = static_cast<DataType>(plan.types & 15);
  switch (plan.formula) {
    case Formula::kIdentity:
      return cuda::ElementStep{.data_type = type, .low = {}, .high = {}};
    case Formula::kReluGrad:  // open above 0 alone
      return cuda::ElementStep{
          .kind = Kind::kGate, .data_type = type, .nan_closes = true, .low = {}, .high = {}};
    case Formula::kClipGrad:  // a NaN bound closes nothing, and neither does a NaN x
      return cuda::ElementStep{.kind = Kind::kGate,
                               .data_type = type,
                               .has_high = true,
                               .low = plan.attributes.values[0],
                               .high = plan.attributes.values[1]};
    default:
      return std::nullopt;
  }
}

constexpr CudaKernel KernelOf(const Kernel& kernel) {
  return {.kernel = &kernel,
          .element_step = [](const void* plan) { return StepOf(*static_cast<const Plan*>(plan)); },
          .upload_tables = NoTablesToUpload,
          .strategies = kCudaStrategies};
}

}  // namespace

constinit const std::array<CudaKernel, kKernelCount> kCudaKernels =
    []<size_t... k>(std::index_sequence<k...>) {
  return std::array{KernelOf(kKernels[k])...};
}
(std::make_index_sequence<kKernelCount>());

}  // namespace anydml::elementwise
