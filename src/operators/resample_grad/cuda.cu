// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of RESAMPLE_GRAD and RESAMPLE_GRAD1. The sums themselves are
// those of backends/cuda/axis_sums.h.
#include "backends/cuda/axis_sums.h"
#include "operators/cuda_operator.h"
#include "operators/resample_grad/plan.h"

namespace anydml::resample_grad {
namespace {

Refusal AcceptsContiguousRows(const Plan& plan) { return {cuda::RefuseSumAxesOfRows(plan.sums)}; }

uint64_t ContiguousRowsTemporaryBytes(const Plan& plan) {
  return cuda::SumAxesOfRowsTemporaryBytes(plan.sums);
}

void RunContiguousRows(const Plan& plan, const cuda::AxisSumsOnDevice& tables,
                       const Bindings& bindings, cuda::Stream stream) {
  cuda::SumAxesOfRows(plan.sums, tables, bindings, stream);
}

void RunStrided(const Plan& plan, const cuda::AxisSumsOnDevice& tables, const Bindings& bindings,
                cuda::Stream stream) {
  cuda::SumAxesStrided(plan.sums, tables, bindings, stream);
}

Result<cuda::AxisSumsOnDevice> Upload(const Plan& plan, const AxisSumsTables& tables) {
  return cuda::Upload(plan.sums, tables);
}

using Strategy = CudaStrategyOf<Plan, cuda::AxisSumsOnDevice>;
constexpr CudaStrategy kStrategies[] = {
    Strategy::Named<AcceptsContiguousRows, RunContiguousRows, ContiguousRowsTemporaryBytes>(
        "contiguous_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const CudaKernel kCudaKernel = {
    .kernel = &kKernel,
    .upload_tables = UploadWith<Plan, AxisSumsTables, cuda::AxisSumsOnDevice, Upload>,
    .strategies = kStrategies};

}  // namespace anydml::resample_grad
