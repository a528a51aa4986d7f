// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/adam_optimizer/desc.h"

#include <algorithm>

#include "base/text.h"
#include "kernels/moments/cpu/strategies.h"
#include "operators/adam_optimizer/cases.h"
#include "operators/adam_optimizer/schema.h"
#include "tensor/explain.h"

namespace anydml::adam_optimizer {
namespace {

using moments::Plan;

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = {.tensors = {},
               .step = arguments.tensor(kTrainingStepTensor),
               .learning_rate = arguments.Float(kLearningRate),
               .beta1 = arguments.Float(kBeta1),
               .beta2 = arguments.Float(kBeta2),
               .epsilon = arguments.Float(kEpsilon)};
  constexpr size_t kOrder[] = {
      kInputParametersTensor,  kInputFirstMomentTensor,  kInputSecondMomentTensor, kGradientTensor,
      kOutputParametersTensor, kOutputFirstMomentTensor, kOutputSecondMomentTensor};
  for (size_t i = 0; i < std::size(kOrder); ++i) desc.tensors[i] = arguments.tensor(kOrder[i]);
  return desc;
}

Plan MakePlan(const Desc& desc) {
  std::array<const TensorDesc*, moments::kTensors> tensors;
  for (size_t i = 0; i < tensors.size(); ++i) tensors[i] = &desc.tensors[i];
  return {.data_type = desc.tensors[0].data_type,
          .loop = ElementwiseLoop<moments::kTensors>(tensors),
          .learning_rate = desc.learning_rate,
          .beta1 = desc.beta1,
          .beta2 = desc.beta2,
          .epsilon = desc.epsilon};
}

std::string Explain(const Plan& plan) {
  return anydml::Explain(plan.loop,
                         {"the parameters", "the first moment", "the second moment", "the gradient",
                          "the new parameters", "the new first moment", "the new second moment"});
}

constinit const Kernel kKernel = {.name = "adam_optimizer",
                                  .data_types = kFloats,
                                  .preserves_nan_bits = false,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = moments::kStrategies};

}  // namespace

Status CheckStep(const schema::Arguments& arguments) {
  const TensorDesc& step = arguments.tensor(kTrainingStepTensor);
  if (step.ElementCount() == 1) return {};
  return arguments.Fail(fmt::format("TrainingStepTensor.Sizes = {} must be 1 in every entry",
                                    BracedList(step.Sizes())));
}

constinit const Definition kAdamOptimizer = {&kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases,
                                             kBenchCases};

}  // namespace anydml::adam_optimizer
