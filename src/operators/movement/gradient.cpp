// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradients of operators that move elements.
#include <algorithm>
#include <array>

#include "operators/gradient_writer.h"
#include "operators/movement/desc.h"
#include "operators/movement/schema.h"

namespace anydml::movement {
namespace {

using Gradients = Result<std::vector<GraphValue>>;

uint32_t Product(std::span<const uint32_t> sizes) {
  uint32_t product = 1;
  for (uint32_t size : sizes) product *= size;
  return product;
}

// Indices as GATHER understands them: negative ones count from the end, and what is outside is
// the nearest element (B76).
GraphValue UnderstoodIndices(GradientWriter& write, const GraphValue& indices, uint32_t count) {
  const DataType type = indices.tensor.data_type;
  GraphValue index = indices;
  if (type == DataType::kInt32 || type == DataType::kInt64) {
    const GraphValue zero = write.Zeros(indices);
    const GraphValue is_negative = write.IsGreater(zero, indices);
    index = write.If(is_negative, write.Add(indices, write.Fill(indices, count)), indices);
    index = write.Apply("MAX", {index, zero});
  }
  return write.Apply("MIN", {index, write.Fill(index, count - 1)});
}

}  // namespace

Gradients JoinGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue& d = node.output_gradients[0];
  std::vector<TensorDesc> parts;
  for (const GraphValue& x : node.inputs) {
    parts.push_back(PackedTensor(x.tensor.data_type, x.tensor.Sizes()));
  }
  schema::Settings settings = GradientWriter::Call("SPLIT");
  settings.Copy(node.arguments, {"Axis"}).Tensors("OutputTensors", parts);
  return write.Finish(write.Outputs(settings, {&d, 1}));
}

// Parts that nobody uses have the gradient 0.
Gradients SplitGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  std::vector<GraphValue> parts;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const GraphValue& d = node.output_gradients[i];
    parts.push_back(d.present() ? d : write.Zeros(node.outputs[i]));
  }
  schema::Settings settings = GradientWriter::Call("JOIN");
  return write.Finish({write.Outputs(settings.Copy(node.arguments, {"Axis"}), parts)[0]});
}

// Elements that are read several times want a sum, and DirectML has no operator that scatters and
// adds: a product with a matrix that has a 1 where a row reads an element.
Gradients GatherGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc &x = node.inputs[0].tensor, &indices = node.inputs[1].tensor;
  const uint32_t axis = node.arguments.Uint(gather::kAxis), count = x.sizes[axis];
  const uint32_t before = Product(x.Sizes().first(axis));
  const uint32_t behind = Product(x.Sizes().subspan(axis + 1));
  const uint32_t rows = Product(indices.Sizes());
  const GraphValue index =
      UnderstoodIndices(write, write.Reshape(node.inputs[1], std::array{1u, rows, 1u}), count);
  const GraphValue hot = write.OneHot(index, 2, count, x.data_type);
  const GraphValue d = write.Reshape(node.output_gradients[0], std::array{before, rows, behind});
  schema::Settings product = GradientWriter::Call("GEMM");
  product.Uint("TransA", 1);
  const GraphValue sums =
      write.Output(product, {write.Broadcast(hot, std::array{before, rows, count}), d});
  return write.Finish({write.Reshape(sums, x.Sizes()), GraphValue()});
}

// Of the first two values: sums of the gradient where an index is not, and where it is.
Gradients OneHotGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue &values = node.inputs[one_hot::kValuesTensor], &d = node.output_gradients[0];
  const TensorDesc& hot = node.outputs[0].tensor;
  const uint32_t axis = node.arguments.Uint(one_hot::kAxis);
  const GraphValue is_hot =
      write.OneHot(node.inputs[one_hot::kIndicesTensor], axis, hot.sizes[axis], DataType::kUint8);
  std::vector<uint32_t> axes(hot.dimension_count);
  for (uint32_t i = 0; i < axes.size(); ++i) axes[i] = i;
  const std::array one = {1u};
  std::vector<GraphValue> sums;
  sums.push_back(write.Reshape(write.Sum(write.WhereNot(is_hot, d), axes), one));
  sums.push_back(write.Reshape(write.Sum(write.Where(is_hot, d), axes), one));
  const auto rest = static_cast<uint32_t>(values.tensor.ElementCount() - 2);
  if (rest != 0) {
    sums.push_back(write.Broadcast(write.Zeros(sums[0]), std::array{rest}));
  }
  const GraphValue all = write.Outputs(GradientWriter::Call("JOIN").Uint("Axis", 0), sums)[0];
  return write.Finish({GraphValue(), write.Reshape(all, values.tensor.Sizes())});
}

}  // namespace anydml::movement
