// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradients of GEMM and CONVOLUTION, which are these operators themselves.
#include <directml.h>

#include <algorithm>
#include <array>

#include "operators/gradient_writer.h"
#include "operators/matmul/desc.h"
#include "operators/matmul/schema.h"

namespace anydml::matmul {
namespace {

using Gradients = Result<std::vector<GraphValue>>;
using Numbers = std::vector<uint32_t>;

// ---- GEMM

// op(first) op(second), without C.
struct Product {
  GraphValue first, second;
  bool first_is_transposed, second_is_transposed;
};

GraphValue Write(GradientWriter& write, const Product& product, float alpha) {
  schema::Settings settings = GradientWriter::Call("GEMM");
  settings.Uint("TransA", product.first_is_transposed ? 1 : 0);
  settings.Uint("TransB", product.second_is_transposed ? 1 : 0);
  settings.Float("Alpha", alpha);
  return write.Output(settings, {product.first, product.second});
}

}  // namespace

Gradients GemmGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue &a = node.inputs[0], &b = node.inputs[1], &d = node.output_gradients[0];
  const bool trans_a = node.arguments.Uint(gemm::kTransA) != 0;
  const bool trans_b = node.arguments.Uint(gemm::kTransB) != 0;
  const float alpha = node.arguments.Float(gemm::kAlpha);
  return write.Finish(ForWanted(node, [&](size_t i) {
    if (i == 2) return write.Scale(d, node.arguments.Float(gemm::kBeta));
    if (i == 0) {
      return trans_a ? Write(write, {b, d, trans_b, true}, alpha)
                     : Write(write, {d, b, false, !trans_b}, alpha);
    }
    return trans_b ? Write(write, {d, a, true, trans_a}, alpha)
                   : Write(write, {a, d, !trans_a, false}, alpha);
  }));
}

// ---- CONVOLUTION

namespace {

// A convolution relates an image and a smaller map by a filter: FORWARD makes the map of the
// image, BACKWARD the image of the map.
struct Relation {
  const schema::Arguments& arguments;
  bool is_backward;
  uint32_t axes;
  Numbers strides, dilations, start_padding;
  // Elements at the end of the image and its padding that no window reaches are taken from the
  // padding first and then from the image, so that the last window ends where the image does.
  Numbers end_padding;
  Numbers unreached;

  explicit Relation(const schema::Arguments& all)
      : arguments(all),
        is_backward(all.Uint(convolution::kDirection) == DML_CONVOLUTION_DIRECTION_BACKWARD),
        axes(all.tensor(convolution::kInputTensor).dimension_count - 2),
        strides(Of(convolution::kStrides)),
        dilations(Of(convolution::kDilations)),
        start_padding(Of(convolution::kStartPadding)),
        end_padding(Of(convolution::kEndPadding)),
        unreached(axes) {
    const TensorDesc& input = all.tensor(convolution::kInputTensor);
    const TensorDesc& output = all.tensor(convolution::kOutputTensor);
    for (uint32_t i = 0; i < axes; ++i) {
      const uint64_t own = output.sizes[2 + i] - all.Uints(convolution::kOutputPadding)[i];
      const uint64_t image = is_backward ? own : input.sizes[2 + i];
      const uint64_t map = is_backward ? input.sizes[2 + i] : own;
      const uint64_t window = all.tensor(convolution::kFilterTensor).sizes[2 + i];
      const uint64_t reached = (window - 1) * dilations[i] + 1 + (map - 1) * strides[i];
      const uint64_t rest = image + start_padding[i] + end_padding[i] - reached;
      const uint64_t of_padding = std::min<uint64_t>(rest, end_padding[i]);
      end_padding[i] -= static_cast<uint32_t>(of_padding);
      // Windows that lie in the padding alone leave one element, which they do not reach either.
      unreached[i] = static_cast<uint32_t>(std::min(rest - of_padding, image - 1));
    }
  }

  Numbers Of(size_t field) const {
    const auto values = arguments.Uints(field);
    return {values.begin(), values.end()};
  }
  uint32_t groups() const { return arguments.Uint(convolution::kGroupCount); }
};

// Without the last elements along each axis of space.
GraphValue WithoutEnd(GradientWriter& write, const GraphValue& value,
                      std::span<const uint32_t> less) {
  Dimensions sizes = value.tensor.sizes;
  for (size_t i = 0; i < less.size(); ++i) sizes[2 + i] -= less[i];
  if (sizes == value.tensor.sizes) return value;
  return write.View(value, {sizes.data(), value.tensor.dimension_count}, value.tensor.Strides());
}

// The gradient of the output without its OutputPadding, on which no input has an influence.
GraphValue OwnGradient(GradientWriter& write, const Relation& of, const GraphValue& d) {
  return WithoutEnd(write, d, of.arguments.Uints(convolution::kOutputPadding));
}

// The same convolution in the other direction.
GraphValue InputGradient(GradientWriter& write, const Relation& of, const GraphValue& own,
                         const GraphValue& filter) {
  const TensorDesc& input = of.arguments.tensor(convolution::kInputTensor);
  schema::Settings settings = GradientWriter::Call("CONVOLUTION");
  settings.Copy(of.arguments, {"Mode", "Strides", "Dilations", "StartPadding", "GroupCount"});
  settings.Uint("Direction", of.is_backward ? DML_CONVOLUTION_DIRECTION_FORWARD
                                            : DML_CONVOLUTION_DIRECTION_BACKWARD);
  settings.Uints("EndPadding", of.end_padding);
  settings.Tensor("OutputTensor", PackedTensor(input.data_type, input.Sizes()));
  if (of.is_backward) return write.Output(settings, {WithoutEnd(write, own, of.unreached), filter});
  settings.Uints("OutputPadding", of.unreached);
  return write.Output(settings, {own, filter});
}

// Sizes and strides of a view that is made axis by axis.
struct ViewOf {
  const GraphValue& value;
  Numbers sizes = {}, strides = {};

  ViewOf& Add(uint32_t size, uint64_t stride) {
    sizes.push_back(size);
    strides.push_back(static_cast<uint32_t>(stride));
    return *this;
  }
  ViewOf& AddAxis(uint32_t axis) {
    return Add(value.tensor.sizes[axis], value.tensor.strides[axis]);
  }
  ViewOf& AddSpace() {
    for (uint32_t i = 2; i < value.tensor.dimension_count; ++i) AddAxis(i);
    return *this;
  }
};

// The correlation of image and map, for which items and channels change places, and so do strides
// and dilations. With groups, items are one more axis of space, which the map covers whole:
// image [C / G, G, N, ..], map [F, 1, N, ..], result [C / G, F, 1, ..].
GraphValue Correlation(GradientWriter& write, const Relation& of, const GraphValue& image,
                       const GraphValue& map, uint32_t groups) {
  if (!write.ok()) return {};
  Dimensions filter = of.arguments.tensor(convolution::kFilterTensor).sizes;
  filter[0] = map.tensor.sizes[1];  // those of a group may be less
  ViewOf images = {image}, maps = {map};
  Numbers sizes = {filter[1], filter[0]}, one, none;
  if (groups != 1) {
    const uint64_t stride = image.tensor.strides[1];
    images.Add(filter[1], stride).Add(groups, stride * filter[1]).AddAxis(0);
    maps.AddAxis(1).Add(1, 1).AddAxis(0);
    sizes.push_back(1), one.push_back(1), none.push_back(0);
  } else {
    images.AddAxis(1).AddAxis(0);
    maps.AddAxis(1).AddAxis(0);
  }
  images.AddSpace();
  maps.AddSpace();
  sizes.insert(sizes.end(), filter.begin() + 2, filter.begin() + 2 + of.axes);
  // The result is written as the filter has it: its first two axes are exchanged by strides.
  TensorDesc output = PackedTensor(image.tensor.data_type, sizes);
  const uint32_t taps = output.strides[1];
  output.has_strides = true;
  output.strides[0] = taps;
  output.strides[1] = taps * sizes[0];
  const auto with = [](Numbers first, const Numbers& rest) {
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
  };
  schema::Settings settings = GradientWriter::Call("CONVOLUTION");
  settings.Tensor("OutputTensor", output);
  settings.Uints("Strides", with(one, of.dilations)).Uints("Dilations", with(one, of.strides));
  settings.Uints("StartPadding", with(none, of.start_padding));
  settings.Uints("EndPadding", with(none, of.end_padding));
  settings.Uint("GroupCount", groups);
  const GraphValue first = write.View(image, images.sizes, images.strides);
  const GraphValue second = write.View(map, maps.sizes, maps.strides);
  const GraphValue result = write.Output(settings, {first, second});
  const Dimensions packed = PackedStrides({filter.data(), 2 + of.axes});
  return write.View(result, {filter.data(), 2 + of.axes}, {packed.data(), 2 + of.axes});
}

// Channels cut into one part for so many groups each.
std::vector<GraphValue> SplitGroups(GradientWriter& write, const GraphValue& whole,
                                    const std::vector<uint32_t>& counts, uint32_t groups) {
  std::vector<TensorDesc> parts;
  for (uint32_t count : counts) {
    Dimensions sizes = whole.tensor.sizes;
    sizes[1] = sizes[1] / groups * count;
    parts.push_back(
        PackedTensor(whole.tensor.data_type, {sizes.data(), whole.tensor.dimension_count}));
  }
  schema::Settings settings = GradientWriter::Call("SPLIT");
  settings.Tensors("OutputTensors", parts).Uint("Axis", 1);
  return write.Outputs(settings, {&whole, 1});
}

// There are no more axes of space than three: one correlation per group. SPLIT and JOIN take so
// many tensors that more groups go through two of each.
GraphValue CorrelationOfEachGroup(GradientWriter& write, const Relation& of,
                                  const GraphValue& image, const GraphValue& map, uint32_t groups) {
  if (groups == 1 || !write.ok()) return Correlation(write, of, image, map, 1);
  const uint32_t block = groups > schema::kMaxArrayTensors ? schema::kMaxArrayTensors : 1;
  std::vector<uint32_t> counts(groups / block, block);
  if (groups % block != 0) counts.push_back(groups % block);
  const std::vector<GraphValue> images = SplitGroups(write, image, counts, groups);
  const std::vector<GraphValue> maps = SplitGroups(write, map, counts, groups);
  std::vector<GraphValue> filters;
  for (size_t i = 0; i < counts.size() && write.ok(); ++i) {
    filters.push_back(CorrelationOfEachGroup(write, of, images[i], maps[i], counts[i]));
  }
  return write.Outputs(GradientWriter::Call("JOIN").Uint("Axis", 0), filters)[0];
}

GraphValue FilterGradient(GradientWriter& write, const Relation& of, const GraphValue& input,
                          const GraphValue& own) {
  const GraphValue image = WithoutEnd(write, of.is_backward ? own : input, of.unreached);
  const GraphValue& map = of.is_backward ? input : own;
  const bool by_group = of.groups() != 1 && of.axes == 3;
  const GraphValue filter = by_group ? CorrelationOfEachGroup(write, of, image, map, of.groups())
                                     : Correlation(write, of, image, map, of.groups());
  if (of.arguments.Uint(convolution::kMode) == DML_CONVOLUTION_MODE_CROSS_CORRELATION) {
    return filter;
  }
  const TensorDesc& tensor = of.arguments.tensor(convolution::kFilterTensor);
  std::vector<int32_t> steps(tensor.dimension_count, -1);
  steps[0] = steps[1] = 1;
  schema::Settings flip = GradientWriter::Call("SLICE1");
  flip.Uints("InputWindowSizes", tensor.Sizes()).Ints("InputWindowStrides", steps);
  return write.Output(flip, {filter});
}

}  // namespace

Gradients ConvolutionGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const Relation of(node.arguments);
  const GraphValue& d = node.output_gradients[0];
  return write.Finish(ForWanted(node, [&](size_t i) {
    if (i == 2) return write.SumTo(d, node.inputs[2].tensor.Sizes());
    const GraphValue own = OwnGradient(write, of, d);
    return i == 0 ? InputGradient(write, of, own, node.inputs[1])
                  : FilterGradient(write, of, node.inputs[0], own);
  }));
}

}  // namespace anydml::matmul
