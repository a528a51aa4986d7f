// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a chain on a CUDA device computes per element, here on the CPU: every operator that a step
// is found for has the results of its page.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "kernels/elementwise/steps.h"
#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/tensor_data.h"

namespace anydml {
namespace {

using elementwise::FindStep;
using elementwise::Plan;

template <typename T>
void Interpret(const cuda::ElementStep& step, const Bindings& bindings, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    T x[1] = {bindings.Input<T>(0)[i]};
    const T y[1] = {step.inputs == 2 ? bindings.Input<T>(1)[i] : T{}};
    if (step.scaled) x[0] = elementwise::ScaleBias<T>(step.scale_bias)(x[0]);
    elementwise::ApplyStep<true>(step.formula, step.attributes, x, y);
    bindings.Output<T>(0)[i] = x[0];
  }
}

void ExpectResultsOfThePage(const Operator& op, const cuda::ElementStep& step) {
  std::mt19937 random(29);
  Bindings bindings;
  std::vector<test::TensorMemory> inputs;
  for (size_t field : op.arguments->inputs()) {
    inputs.emplace_back(op.arguments->tensor(field)).FillRandom(random);
  }
  for (size_t i = 0; i < inputs.size(); ++i) bindings.inputs[i] = inputs[i].data();
  const TensorDesc& desc = op.arguments->tensor(op.arguments->outputs().front());
  test::TensorMemory expected(desc), actual(desc);
  bindings.outputs[0] = expected.data();
  op.definition->kernel->reference(op.desc.get(), bindings);
  bindings.outputs[0] = actual.data();
  ASSERT_TRUE(DispatchType(elementwise::StepTypes(), step.data_type, [&]<typename T>() {
    Interpret<T>(step, bindings, desc.ElementCount());
  }));
  const bool nan_is_nan = !op.definition->kernel->preserves_nan_bits;
  EXPECT_EQ(test::FindDifference(desc, expected.Elements(), actual.Elements(), nan_is_nan),
            std::nullopt);
}

class ElementStep : public testing::TestWithParam<const Definition*> {
 protected:
  template <typename Visit>
  static void ForEachStep(const Definition& definition, const Visit& visit) {
    for (const test::TypeAssignment& types : test::AdmittedTypes(*definition.schema)) {
      for (const Case& c : definition.cases) {
        auto arguments = test::Describe(*definition.schema, c, types);
        if (!arguments) continue;
        Result<Operator> op = CreateOperator(definition, *arguments, {});
        if (!op.ok()) continue;
        const auto plan = definition.kernel->make_plan(op.value().desc.get());
        cuda::ElementStep step;
        if (!FindStep(*static_cast<const Plan*>(plan.get()), &step)) continue;
        SCOPED_TRACE(testing::Message()
                     << c.name << " " << test::TypeName(*definition.schema, types));
        visit(op.value(), step);
      }
    }
  }
};

TEST_P(ElementStep, HasTheResultsOfThePage) { ForEachStep(*GetParam(), ExpectResultsOfThePage); }

// Where all tensors are FLOAT32, or all FLOAT16, an operator joins chains. POW and CAST have
// kernels of several types alone.
TEST_P(ElementStep, IsFoundForFloats) {
  const Definition& definition = *GetParam();
  if (definition.schema->name == "CAST" || definition.schema->name == "ELEMENT_WISE_POW") return;
  std::set<DataType> found, wanted;
  ForEachStep(definition, [&](const Operator&, const cuda::ElementStep& step) {
    found.insert(step.data_type);
  });
  for (const test::TypeAssignment& types : test::AdmittedTypes(*definition.schema)) {
    std::set<DataType> of_tensors;
    for (size_t i = 0; i < types.size(); ++i) {
      if (definition.schema->fields[i].is_tensor()) of_tensors.insert(types[i]);
    }
    for (DataType type : {DataType::kFloat32, DataType::kFloat16}) {
      if (of_tensors == std::set{type}) wanted.insert(type);
    }
  }
  EXPECT_TRUE(std::ranges::includes(found, wanted));
}

std::vector<const Definition*> OfTheTable() {
  std::vector<const Definition*> found;
  for (const Definition* definition : Registry()) {
    if (definition->kernel->cuda_name == "elementwise") found.push_back(definition);
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Operators, ElementStep, testing::ValuesIn(OfTheTable()),
                         [](const testing::TestParamInfo<const Definition*>& info) {
                           return std::string(info.param->schema->name);
                         });

}  // namespace
}  // namespace anydml
