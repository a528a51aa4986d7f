// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Programs for CUDA devices: every step is put on the stream, and nobody waits
// between them.
#include <new>

#include "graph/fusion.h"
#include "graph/program.h"
#include "kernels/elementwise/cuda/copy.h"

namespace anydml::graph {
namespace {

static_assert(kMaxStages <= cuda::kMaxFusedStages);
static_assert(kMaxBlocks <= cuda::kMaxRegisters);

// What a stage of a fused step reads; blocks become registers.
cuda::FusedOperand OperandOf(const Program& program, const Addresses& addresses,
                             const Place& place) {
  if (place.kind == Place::Kind::kBlock) {
    return {nullptr, static_cast<uint32_t>(place.at / kBlockBytes)};
  }
  return {addresses.Read(program, place), 0};
}

void LaunchFused(const Program& program, const Step& step, const Addresses& addresses,
                 cuda::Stream stream) {
  cuda::FusedChain chain;
  chain.elements = step.elements;
  chain.element_size = step.stages[0].outputs[0].element_size;
  chain.output = addresses.Write(step.stages.back().outputs[0]);
  for (const Stage& stage : step.stages) {
    const CudaProgram& compiled = *stage.program.cuda();
    cuda::FusedStage& fused = chain.stages[chain.stage_count++];
    fused.step = *ElementStepOf(compiled);
    for (size_t i = 0; i < stage.inputs.size(); ++i) {
      fused.operands[i] = OperandOf(program, addresses, stage.inputs[i]);
    }
    fused.result = static_cast<uint32_t>(stage.outputs[0].at / kBlockBytes);
  }
  cuda::RunFused(chain, stream);
}

Status LaunchStep(const Program& program, const Step& step, const Addresses& addresses,
                  cuda::Stream stream) {
  if (step.elements != 0) {
    LaunchFused(program, step, addresses, stream);
  } else {
    const Stage& stage = step.stages[0];
    Status status =
        anydml::Launch(*stage.program.cuda(), BindingsOf(program, stage, addresses), stream);
    if (!status.ok()) return status;
  }
  for (const Copy& copy : step.copies) {
    cuda::CopyElements(ElementwiseLoop<2>({&copy.tensor, &copy.tensor}),
                       ElementSize(copy.tensor.data_type), addresses.outputs[copy.from],
                       addresses.outputs[copy.to], stream);
  }
  return cuda::LaunchStatus();
}

std::vector<const void*> AllOf(const Addresses& addresses) {
  std::vector<const void*> all(addresses.inputs.begin(), addresses.inputs.end());
  all.insert(all.end(), addresses.outputs.begin(), addresses.outputs.end());
  all.push_back(addresses.temporary);
  return all;
}

}  // namespace

Status Launch(const Program& program, const Addresses& addresses, cuda::Stream stream) {
  // A graph of fewer costs as much as their launches.
  constexpr size_t kMinSteps = 3;
  const cuda::ScopedDevice device(program.cuda.value_or(0));
  const auto launches = [&](cuda::Stream to) {
    for (const Step& step : program.steps) {
      Status status = LaunchStep(program, step, addresses, to);
      if (!status.ok()) return status;
    }
    return Status();
  };
  if (program.steps.size() < kMinSteps) return launches(stream);
  try {
    return program.replays.Run(AllOf(addresses), stream, launches);
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow("graph: not enough memory to run it");
  }
}

}  // namespace anydml::graph
