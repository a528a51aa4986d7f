// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/gradient_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "operators/registry.h"

namespace anydml {
namespace {

bool IsPacked(const TensorDesc& tensor) {
  TensorDesc packed = tensor;
  packed.strides = PackedStrides(tensor.Sizes());
  return HaveSameLayout(tensor, packed);
}

}  // namespace

schema::Settings GradientWriter::Call(std::string_view name) {
  return schema::Settings(*FindSchema(name));
}

GraphValue GradientWriter::Refuse(Error error) {
  if (!error_) error_ = std::move(error);
  return {};
}

GraphValue GradientWriter::Take(Result<GraphValue> value) {
  return value.ok() ? value.value() : Refuse(value.error());
}

std::vector<GraphValue> GradientWriter::Outputs(const schema::Settings& settings,
                                                std::span<const GraphValue> inputs) {
  if (!error_) {
    Result<std::vector<GraphValue>> outputs = builder_.Add(settings.arguments(), inputs);
    if (outputs.ok()) return std::move(outputs).value();
    error_ = outputs.error();
  }
  return std::vector<GraphValue>(std::max<size_t>(1, settings.arguments().outputs().size()));
}

GraphValue GradientWriter::Output(const schema::Settings& settings,
                                  std::initializer_list<GraphValue> inputs) {
  return Outputs(settings, inputs)[0];
}

GraphValue GradientWriter::Apply(std::string_view name, std::initializer_list<GraphValue> inputs) {
  const schema::OperatorSchema* schema = FindSchema(fmt::format("ELEMENT_WISE_{}", name));
  if (schema == nullptr) schema = FindSchema(fmt::format("ACTIVATION_{}", name));
  if (schema == nullptr) {
    return Refuse(Unsupported(
        fmt::format("a gradient needs the operator {}, which is not implemented", name)));
  }
  return Output(schema::Settings(*schema), inputs);
}

GraphValue GradientWriter::Add(const GraphValue& a, const GraphValue& b) {
  return Apply("ADD", {a, b});
}
GraphValue GradientWriter::Subtract(const GraphValue& a, const GraphValue& b) {
  return Apply("SUBTRACT", {a, b});
}
GraphValue GradientWriter::Multiply(const GraphValue& a, const GraphValue& b) {
  return Apply("MULTIPLY", {a, b});
}
GraphValue GradientWriter::Divide(const GraphValue& a, const GraphValue& b) {
  return Apply("DIVIDE", {a, b});
}
GraphValue GradientWriter::Negate(const GraphValue& x) { return Apply("NEGATE", {x}); }
GraphValue GradientWriter::If(const GraphValue& condition, const GraphValue& a,
                              const GraphValue& b) {
  return Apply("IF", {condition, a, b});
}
GraphValue GradientWriter::IsGreater(const GraphValue& a, const GraphValue& b) {
  return Compare("ELEMENT_WISE_LOGICAL_GREATER_THAN", a, b);
}
GraphValue GradientWriter::IsAtLeast(const GraphValue& a, const GraphValue& b) {
  return Compare("ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", a, b);
}
GraphValue GradientWriter::Compare(std::string_view name, const GraphValue& a,
                                   const GraphValue& b) {
  schema::Settings settings = Call(name);
  settings.Tensor("OutputTensor", PackedTensor(DataType::kUint8, a.tensor.Sizes()));
  return Output(settings, {a, b});
}

GraphValue GradientWriter::Scale(const GraphValue& x, float scale, float bias) {
  schema::Settings settings = Call("ELEMENT_WISE_IDENTITY");
  settings.ScaleBias(scale, bias);
  return Output(settings, {x});
}

GraphValue GradientWriter::Reduce(std::string_view function, const GraphValue& x,
                                  std::span<const uint32_t> axes) {
  const auto number = std::ranges::find(schema::kReduceFunctions, function);
  schema::Settings settings = Call("REDUCE");
  settings.Uint("Function", static_cast<uint32_t>(number - std::begin(schema::kReduceFunctions)));
  settings.Uints("Axes", axes);
  return Output(settings, {x});
}

GraphValue GradientWriter::SumTo(const GraphValue& x, std::span<const uint32_t> sizes) {
  std::vector<uint32_t> axes;
  for (uint32_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1 && x.tensor.sizes[i] != 1) axes.push_back(i);
  }
  return axes.empty() ? x : Sum(x, axes);
}

GraphValue GradientWriter::WithSignOf(const GraphValue& x, const GraphValue& d) {
  const GraphValue zeros = Zeros(x);
  const GraphValue is_positive = IsGreater(x, zeros);
  const GraphValue is_negative = IsGreater(zeros, x);
  return If(is_positive, d, Where(is_negative, Negate(d)));
}

GraphValue GradientWriter::Sequence(DataType type, uint32_t count, uint32_t dimensions) {
  std::vector<uint32_t> sizes(dimensions, 1);
  sizes.back() = count;
  schema::Settings settings = Call("FILL_VALUE_SEQUENCE");
  settings.Tensor("OutputTensor", PackedTensor(type, sizes));
  settings.Uint("ValueDataType", static_cast<uint32_t>(type));
  settings.Scalar("ValueStart", type, 0).Scalar("ValueDelta", type, 1);
  return Output(settings, {});
}

GraphValue GradientWriter::OneHot(const GraphValue& indices, uint32_t axis, uint32_t count,
                                  DataType type) {
  if (!ok()) return {};
  Dimensions sizes = indices.tensor.sizes;
  sizes[axis] = count;
  const uint32_t dimensions = indices.tensor.dimension_count;
  schema::Settings settings = Call("ONE_HOT");
  settings.Tensor("OutputTensor", PackedTensor(type, {sizes.data(), dimensions}));
  settings.Uint("Axis", axis);
  return Output(settings, {indices, Sequence(type, 2, dimensions)});
}

GraphValue GradientWriter::Fill(const GraphValue& like, double number) {
  const std::array<uint32_t, kMaxDimensions> ones = {1, 1, 1, 1, 1, 1, 1, 1};
  const TensorDesc one =
      PackedTensor(like.tensor.data_type, {ones.data(), like.tensor.dimension_count});
  schema::Settings settings = Call("FILL_VALUE_CONSTANT");
  settings.Tensor("OutputTensor", one);
  settings.Uint("ValueDataType", static_cast<uint32_t>(like.tensor.data_type));
  settings.Scalar("Value", like.tensor.data_type, number);
  if (!ok()) return {};
  return Broadcast(Output(settings, {}), like.tensor.Sizes());
}

GraphValue GradientWriter::Broadcast(const GraphValue& x, std::span<const uint32_t> sizes) {
  if (!ok()) return {};
  Dimensions strides = x.tensor.strides;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (x.tensor.sizes[i] == 1 && sizes[i] != 1) strides[i] = 0;
  }
  return View(x, sizes, {strides.data(), sizes.size()});
}

GraphValue GradientWriter::View(const GraphValue& x, std::span<const uint32_t> sizes,
                                std::span<const uint32_t> strides) {
  return ok() ? Take(builder_.View(x, sizes, strides)) : GraphValue();
}

GraphValue GradientWriter::Packed(const GraphValue& x) {
  return !ok() || IsPacked(x.tensor) ? x : Apply("IDENTITY", {x});
}

GraphValue GradientWriter::Reshape(const GraphValue& x, std::span<const uint32_t> sizes) {
  const Dimensions strides = PackedStrides(sizes);
  return View(Packed(x), sizes, {strides.data(), sizes.size()});
}

GraphValue GradientWriter::Permute(const GraphValue& x, std::span<const uint32_t> order) {
  if (!ok()) return {};
  Dimensions sizes = {};
  Dimensions strides = {};
  for (size_t i = 0; i < order.size(); ++i) {
    sizes[i] = x.tensor.sizes[order[i]];
    strides[i] = x.tensor.strides[order[i]];
  }
  return View(x, {sizes.data(), order.size()}, {strides.data(), order.size()});
}

Result<std::vector<GraphValue>> GradientWriter::Finish(std::vector<GraphValue> gradients) const {
  if (error_) return *error_;
  return gradients;
}

uint32_t ForwardNode::Uint(std::string_view field) const {
  return arguments.Uint(schema::FindField(arguments.schema(), field));
}
float ForwardNode::Float(std::string_view field) const {
  return arguments.Float(schema::FindField(arguments.schema(), field));
}
std::span<const uint32_t> ForwardNode::Uints(std::string_view field) const {
  return arguments.Uints(schema::FindField(arguments.schema(), field));
}

Result<std::vector<GraphValue>> ZeroGradient(const ForwardNode& node, GradientBuilder&) {
  return std::vector<GraphValue>(node.inputs.size());
}

}  // namespace anydml
