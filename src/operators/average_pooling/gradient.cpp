// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <directml.h>

#include <algorithm>

#include "operators/average_pooling/desc.h"
#include "operators/average_pooling/schema.h"
#include "operators/gradient_writer.h"

namespace anydml::average_pooling {
namespace {

using Gradients = Result<std::vector<GraphValue>>;
using Numbers = std::vector<uint32_t>;

bool IsDilated(const ForwardNode& node) {
  return std::ranges::any_of(node.arguments.Uints(kDilations), [](uint32_t d) { return d != 1; });
}

// One channel per plane, so that one filter serves all.
GraphValue PlanesOf(GradientWriter& write, const GraphValue& value) {
  Dimensions sizes = value.tensor.sizes;
  sizes[0] *= sizes[1];
  sizes[1] = 1;
  return write.Reshape(value, {sizes.data(), value.tensor.dimension_count});
}

float CountTaps(const ForwardNode& node) {
  float taps = 1;
  for (uint32_t size : node.arguments.Uints(kWindowSize)) taps *= static_cast<float>(size);
  return taps;
}

// AVERAGE_POOLING_GRAD has no dilations. Windows are also those of a convolution with a filter of
// ones: BACKWARD it adds the gradients of the windows that an element is in, and FORWARD, of ones,
// it counts the elements of a window that are not padding. `d` is divided as the averages are, or
// not at all.
enum class DividedBy { kAllTaps, kKeptTaps, kNothing };
GraphValue DilatedGradient(GradientWriter& write, const ForwardNode& node, GraphValue d,
                           DividedBy divided_by) {
  const TensorDesc &x = node.inputs[0].tensor, &y = node.outputs[0].tensor;
  const auto window = node.arguments.Uints(kWindowSize);
  Dimensions filter_sizes = {1, 1};
  std::ranges::copy(window, filter_sizes.begin() + 2);
  const GraphValue one = write.Fill(node.inputs[0], 1);
  const auto ones = [&](const Dimensions& sizes) {
    return write.View(one, {sizes.data(), x.dimension_count}, Numbers(x.dimension_count, 0));
  };
  const GraphValue filter = ones(filter_sizes);
  schema::Settings settings = GradientWriter::Call("CONVOLUTION");
  settings.Copy(node.arguments, {"Strides", "Dilations", "StartPadding", "EndPadding"});
  // Windows may overhang, where sizes were rounded up (B15).
  Numbers end(window.size());
  Dimensions one_plane = x.sizes, one_map = y.sizes;
  one_plane[0] = one_plane[1] = one_map[0] = one_map[1] = 1;
  for (size_t i = 0; i < end.size(); ++i) {
    const uint32_t reached = (window[i] - 1) * node.arguments.Uints(kDilations)[i] + 1 +
                             (y.sizes[2 + i] - 1) * node.arguments.Uints(kStrides)[i];
    const uint32_t before = x.sizes[2 + i] + node.arguments.Uints(kStartPadding)[i];
    end[i] =
        std::max(node.arguments.Uints(kEndPadding)[i], reached > before ? reached - before : 0);
  }
  settings.Uints("EndPadding", end);
  if (divided_by == DividedBy::kAllTaps) {
    d = write.Scale(d, 1 / CountTaps(node));
  } else if (divided_by == DividedBy::kKeptTaps) {
    schema::Settings count = settings;
    count.Tensor("OutputTensor", PackedTensor(y.data_type, {one_map.data(), y.dimension_count}));
    const GraphValue counts = write.Output(count, {ones(one_plane), filter});
    // A window without elements has no gradient (B35).
    const GraphValue at_least_one = write.Apply("MAX", {counts, write.Fill(counts, 1)});
    d = write.Divide(d, write.Broadcast(at_least_one, y.Sizes()));
  }
  Dimensions planes = x.sizes;
  planes[0] *= planes[1];
  planes[1] = 1;
  settings.Uint("Direction", DML_CONVOLUTION_DIRECTION_BACKWARD);
  settings.Tensor("OutputTensor", PackedTensor(x.data_type, {planes.data(), x.dimension_count}));
  return write.Reshape(write.Output(settings, {PlanesOf(write, d), filter}), x.Sizes());
}

GraphValue PlainGradient(GradientWriter& write, const ForwardNode& node, const GraphValue& d,
                         bool include_padding) {
  const TensorDesc& x = node.inputs[0].tensor;
  schema::Settings settings = GradientWriter::Call("AVERAGE_POOLING_GRAD");
  settings.Copy(node.arguments, {"Strides", "WindowSize", "StartPadding", "EndPadding"});
  settings.Uint("IncludePadding", include_padding ? 1 : 0);
  settings.Tensor("OutputGradientTensor", PackedTensor(x.data_type, x.Sizes()));
  return write.Output(settings, {d});
}

// x^e of values that are not negative.
GraphValue Power(GradientWriter& write, const GraphValue& x, float e) {
  if (e == 1) return x;
  schema::Settings settings = GradientWriter::Call("ELEMENT_WISE_CONSTANT_POW");
  settings.Float("Exponent", e);
  return write.Output(settings, {x});
}

}  // namespace

// Of both versions.
Gradients PoolingGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const bool is_second = node.arguments.schema().type == DML_OPERATOR_AVERAGE_POOLING1;
  const bool include_padding =
      node.arguments.Uint(is_second ? size_t{kIncludePadding1} : size_t{kIncludePadding}) != 0;
  const GraphValue& d = node.output_gradients[0];
  if (!is_second || !IsDilated(node)) {
    return write.Finish({PlainGradient(write, node, d, include_padding)});
  }
  return write.Finish({DilatedGradient(
      write, node, d, include_padding ? DividedBy::kAllTaps : DividedBy::kKeptTaps)});
}

// sign(x) |x|^(P - 1) times the sum of d y^(1 - P) over the windows of x; 0 of windows of zeros.
Gradients NormGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const bool is_second = node.arguments.schema().type == DML_OPERATOR_LP_POOLING1;
  const uint32_t p = node.arguments.Uint(is_second ? size_t{kP1} : size_t{kP});
  const GraphValue &x = node.inputs[0], &y = node.outputs[0];
  GraphValue d = node.output_gradients[0];
  if (p > 1) {
    const GraphValue quotient = write.Divide(d, Power(write, y, static_cast<float>(p) - 1));
    const GraphValue zero = write.Zeros(y);
    d = write.Where(write.IsGreater(y, zero), quotient);
  }
  if (is_second && IsDilated(node)) {
    d = DilatedGradient(write, node, d, DividedBy::kNothing);
  } else {
    const GraphValue scaled = write.Scale(d, CountTaps(node));
    d = PlainGradient(write, node, scaled, true);
  }
  if (p == 2) return write.Finish({write.Multiply(d, x)});
  if (p > 2) {
    const GraphValue size = write.Apply("ABS", {x});
    const GraphValue power = Power(write, size, static_cast<float>(p) - 1);
    d = write.Multiply(d, power);
  }
  return write.Finish({write.WithSignOf(x, d)});
}

// The gradient is linear: its own is the forward operator.
Gradients GradientOfGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc& narrow = node.inputs[0].tensor;
  schema::Settings settings = GradientWriter::Call("AVERAGE_POOLING");
  settings.Copy(node.arguments,
                {"Strides", "WindowSize", "StartPadding", "EndPadding", "IncludePadding"});
  settings.Tensor("OutputTensor", PackedTensor(narrow.data_type, narrow.Sizes()));
  return write.Finish({write.Output(settings, {node.output_gradients[0]})});
}

}  // namespace anydml::average_pooling
