// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <array>
#include <bit>

#include "operators/gradient_writer.h"
#include "operators/resample/desc.h"
#include "operators/resample/schema.h"

namespace anydml::resample {
namespace {

// Each direction is linear, and the other one with the same settings is its gradient (B10).
// `name` is the operator that gives the gradient, `output` the field of its output tensor.
Result<std::vector<GraphValue>> OtherDirection(std::string_view name, std::string_view output,
                                               const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc& x = node.inputs[0].tensor;
  schema::Settings settings = GradientWriter::Call(name);
  settings.Copy(node.arguments, {"InterpolationMode", "RoundingDirection", "Scales",
                                 "InputPixelOffsets", "OutputPixelOffsets"});
  settings.Tensor(output, PackedTensor(x.data_type, x.Sizes()));
  return write.Finish({write.Output(settings, {node.output_gradients[0]})});
}

}  // namespace

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder) {
  return OtherDirection("RESAMPLE_GRAD", "OutputGradientTensor", node, builder);
}
Result<std::vector<GraphValue>> Gradient2(const ForwardNode& node, GradientBuilder& builder) {
  return OtherDirection("RESAMPLE_GRAD1", "OutputGradientTensor", node, builder);
}

Result<std::vector<GraphValue>> GradientOfGradient(const ForwardNode& node,
                                                   GradientBuilder& builder) {
  return OtherDirection("RESAMPLE1", "OutputTensor", node, builder);
}
Result<std::vector<GraphValue>> GradientOfGradient1(const ForwardNode& node,
                                                    GradientBuilder& builder) {
  return OtherDirection("RESAMPLE2", "OutputTensor", node, builder);
}

// RESAMPLE_GRAD has no five dimensions: the two outermost, which keep their sizes, become one.
Result<std::vector<GraphValue>> UpsampleGradient(const ForwardNode& node,
                                                 GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc& x = node.inputs[0].tensor;
  const std::span<const uint32_t> scale_size = node.arguments.Uints(upsample_2d::kScaleSize);
  const auto width = static_cast<float>(scale_size[0]), height = static_cast<float>(scale_size[1]);
  const auto with_four = [](std::span<const uint32_t> sizes) {
    std::vector<uint32_t> four(sizes.end() - 4, sizes.end());
    if (sizes.size() == 5) four[0] *= sizes[0];
    return four;
  };
  schema::Settings settings = GradientWriter::Call("RESAMPLE_GRAD");
  settings.Copy(node.arguments, {"InterpolationMode"});
  settings.Uints("Scales",
                 std::array{std::bit_cast<uint32_t>(1.0f), std::bit_cast<uint32_t>(1.0f),
                            std::bit_cast<uint32_t>(height), std::bit_cast<uint32_t>(width)});
  settings.Tensor("OutputGradientTensor", PackedTensor(x.data_type, with_four(x.Sizes())));
  const GraphValue& gradient = node.output_gradients[0];
  const GraphValue four = write.Reshape(gradient, with_four(gradient.tensor.Sizes()));
  return write.Finish({write.Reshape(write.Output(settings, {four}), x.Sizes())});
}

}  // namespace anydml::resample
