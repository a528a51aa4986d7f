// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Programs for CUDA devices: every step is put on the stream, and nobody waits
// between them.
#include <algorithm>
#include <new>

#include "graph/fusion.h"
#include "graph/program.h"
#include "kernels/elementwise/cuda/copy.h"

namespace anydml::graph {
namespace {

static_assert(kMaxBlocks <= cuda::kMaxRegisters);

bool ReadsBlock(const Stage& stage, uint64_t block) {
  return std::ranges::any_of(
      stage.inputs, [&](const Place& place) { return place.Is(Place::Kind::kBlock, block); });
}

// What a stage of a fused step reads; blocks become registers.
cuda::FusedOperand OperandOf(const Program& program, const Addresses& addresses, const Stage& stage,
                             size_t input, const Stage* before) {
  const Place& place = stage.inputs[input];
  if (place.kind == Place::Kind::kBlock) {
    if (before != nullptr && before->outputs[0].at == place.at) return {};
    return {.kind = cuda::FusedOperand::Kind::kRegister,
            .place = static_cast<uint8_t>(place.at / kBlockBytes)};
  }
  cuda::FusedOperand operand = {.kind = cuda::FusedOperand::Kind::kMemory};
  operand.memory = addresses.Read(program, place);
  for (const Spread& spread : stage.spread) {
    if (spread.input != input) continue;
    operand.kind = cuda::FusedOperand::Kind::kSpread;
    operand.loop = &spread.loop;
  }
  return operand;
}

// Of a block there is one reader, so the next stage or a later one.
void LaunchFused(const Program& program, const Step& step, const Addresses& addresses,
                 cuda::Stream stream) {
  cuda::FusedChain chain;
  chain.elements = step.elements;
  chain.output = addresses.Write(step.stages.back().outputs[0]);
  for (size_t k = 0; k < step.stages.size(); ++k) {
    const Stage& stage = step.stages[k];
    const ElementSteps formulas = ElementStepsOf(*stage.program.cuda());
    for (uint32_t i = 0; i < formulas.count; ++i) {
      chain.stages[chain.stage_count + i].step = formulas.steps[i];
    }
    for (size_t i = 0; i < stage.inputs.size(); ++i) {
      chain.stages[chain.stage_count].operands[i] =
          OperandOf(program, addresses, stage, i, k == 0 ? nullptr : &step.stages[k - 1]);
    }
    chain.stage_count += formulas.count;
    const uint64_t block = stage.outputs[0].at;
    if (k + 1 < step.stages.size() && !ReadsBlock(step.stages[k + 1], block)) {
      chain.stages[chain.stage_count - 1].result = static_cast<uint8_t>(block / kBlockBytes);
    }
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
