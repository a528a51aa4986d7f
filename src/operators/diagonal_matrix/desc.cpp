// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From descriptions to plans, and the gradient.
#include "operators/diagonal_matrix/desc.h"

#include "kernels/move/cpu/strategies.h"
#include "operators/diagonal_matrix/cases.h"
#include "operators/diagonal_matrix/schema.h"
#include "operators/gradient_writer.h"
#include "operators/plain_kernel.h"
#include "tensor/explain.h"

namespace anydml::diagonal_matrix {
namespace {

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  const TensorDesc& output = arguments.tensor(kOutputTensor);
  const int64_t offset = arguments.IntAt(kOffset, 0);
  return {.input = {},
          .output = output,
          .value = ScalarFromFloat(output.data_type, arguments.Float(kValue)),
          .band = {offset, offset + 1}};
}

Desc MakeDesc1(const schema::Arguments& arguments, const DeviceOptions&) {
  const TensorDesc& output = arguments.tensor(kOutputTensor1);
  return {.input = arguments.tensor(kInputTensor1),
          .output = output,
          .value = ScalarFromUnion(output.data_type, arguments.Scalar(kValue1)),
          .band = {arguments.IntAt(kBegin1, 0), arguments.IntAt(kEnd1, 0)}};
}

move::Banded MakePlan(const Desc& desc) {
  const uint32_t rank = desc.output.dimension_count;
  StridedLoop<3> loop;
  loop.rank = rank;
  for (uint32_t i = 0; i < rank; ++i) {
    loop.sizes[i] = desc.output.sizes[i];
    loop.strides[0][i] = (desc.input.present() ? desc.input : desc.output).strides[i];
    loop.strides[2][i] = desc.output.strides[i];
  }
  loop.strides[1][rank - 2] = -1;
  loop.strides[1][rank - 1] = 1;
  return {ElementSize(desc.output.data_type), desc.input.present(), desc.band, desc.value,
          Coalesce(loop)};
}

std::string Explain(const move::Banded& plan) {
  const auto& [begin, end] = plan.band;
  const std::string filled = begin == end ? "no diagonal is filled"
                                          : fmt::format("diagonals {}[{}, {}) are filled",
                                                        begin < end ? "" : "outside of ",
                                                        std::min(begin, end), std::max(begin, end));
  if (plan.has_input) {
    return fmt::format("{}\n{}", filled,
                       anydml::Explain(plan.loop, {"the input", "the diagonal", "the output"}));
  }
  const StridedLoop<2> loop = {.rank = plan.loop.rank,
                               .sizes = plan.loop.sizes,
                               .strides = {plan.loop.strides[1], plan.loop.strides[2]}};
  return fmt::format("{}\n{}", filled, anydml::Explain(loop, {"the diagonal", "the output"}));
}

// The gradient where the input was kept; 0 where it was filled.
Result<std::vector<GraphValue>> Gradient1(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue& d = node.output_gradients[0];
  schema::Settings settings = GradientWriter::Call("DIAGONAL_MATRIX1");
  settings.Copy(node.arguments, {"DiagonalFillBegin", "DiagonalFillEnd"});
  settings.Scalar("Value", d.tensor.data_type, 0);
  return write.Finish(ForWanted(node, [&](size_t) { return write.Output(settings, {d}); }));
}

constinit const Kernel kKernel = PlainKernel<Desc, move::Banded, MakePlan, Explain, Reference>(
    "bands", kElevenTypes, move::kBandedStrategies);

}  // namespace

Result<std::vector<TensorDesc>> OutputTensors1(const schema::Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(kInputTensor1);
  if (!input.present()) {
    return arguments.Fail("OutputTensor is required, since there is no InputTensor");
  }
  return std::vector{PackedTensor(input.data_type, input.Sizes())};
}

constinit const Definition kDiagonalMatrix = {
    &kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases, kBenchCases, ZeroGradient};
constinit const Definition kDiagonalMatrix1 = {
    &kSchema1, EraseDesc<Desc, MakeDesc1>, &kKernel, kCases1, kBenchCases1, Gradient1};

}  // namespace anydml::diagonal_matrix
