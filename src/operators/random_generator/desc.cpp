// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/random_generator/desc.h"

#include <fmt/format.h>

#include "base/text.h"
#include "kernels/move/cpu/strategies.h"
#include "kernels/move/random_plan.h"
#include "operators/gradient_writer.h"
#include "operators/plain_kernel.h"
#include "operators/random_generator/cases.h"
#include "operators/random_generator/schema.h"
#include "tensor/explain.h"

namespace anydml::random_generator {
namespace {

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {arguments.tensor(kInputStateTensor), arguments.tensor(kOutputTensor),
          arguments.tensor(kOutputStateTensor)};
}

int64_t LastStride(const TensorDesc& tensor) {
  return tensor.present() ? tensor.strides[tensor.dimension_count - 1] : 0;
}

move::RandomWords MakePlan(const Desc& desc) {
  TensorDesc index = desc.output;
  index.strides = PackedStrides(desc.output.Sizes());
  return {.input_step = LastStride(desc.input_state),
          .output_step = LastStride(desc.output_state),
          .loop = ElementwiseLoop<2>({&index, &desc.output})};
}

std::string Explain(const move::RandomWords& plan) {
  return anydml::Explain(plan.loop, {"the logical index", "the output"});
}

constinit const Kernel kKernel = PlainKernel<Desc, move::RandomWords, MakePlan, Explain, Reference>(
    "random_words", kUint32, move::kRandomStrategies);

}  // namespace

Status CheckState(const schema::Arguments& arguments) {
  const TensorDesc& state = arguments.tensor(kInputStateTensor);
  if (state.ElementCount() == 6 && state.Sizes().back() == 6) return {};
  return arguments.Fail(
      fmt::format("InputStateTensor.Sizes = {} must be 6 in the last entry and 1 in the others",
                  BracedList(state.Sizes())));
}

constinit const Definition kRandomGenerator = {
    &kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases, kBenchCases, ZeroGradient};

}  // namespace anydml::random_generator
