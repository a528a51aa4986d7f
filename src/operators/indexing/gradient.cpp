// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradients of operators that read or write elements by their indices. Elements that are read
// several times want a sum, and DirectML has no operator that scatters and adds: a product with a
// matrix that has a 1 where a row reads an element.
#include <array>
#include <functional>
#include <numeric>

#include "operators/gradient_writer.h"
#include "operators/indexing/desc.h"
#include "operators/indexing/schema.h"

namespace anydml::indexing {
namespace {

using Gradients = Result<std::vector<GraphValue>>;
using Sizes = std::vector<uint32_t>;

uint32_t Product(std::span<const uint32_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1u, std::multiplies<>());
}

// Indices as a gather understands them (B76).
GraphValue NearestIndices(GradientWriter& write, const GraphValue& indices, uint32_t count) {
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

// Sums of rows of d {batch, rows, behind} that have the same index {batch, rows, 1}:
// {batch, count, behind}.
GraphValue AddByIndex(GradientWriter& write, const GraphValue& index, uint32_t count,
                      const GraphValue& d) {
  const GraphValue hot = write.OneHot(index, 2, count, d.tensor.data_type);
  return write.Output(GradientWriter::Call("GEMM").Uint("TransA", 1), {hot, d});
}

// Axes in another order, and back.
GraphValue MoveLast(GradientWriter& write, const GraphValue& x, uint32_t axis) {
  Sizes order;
  for (uint32_t i = 0; i < x.tensor.dimension_count; ++i) {
    if (i != axis) order.push_back(i);
  }
  order.push_back(axis);
  return write.Permute(x, order);
}
GraphValue MoveBack(GradientWriter& write, const GraphValue& x, uint32_t axis) {
  Sizes order;
  for (uint32_t i = 0; i + 1 < x.tensor.dimension_count; ++i) order.push_back(i);
  order.insert(order.begin() + axis, x.tensor.dimension_count - 1);
  return write.Permute(x, order);
}

// Tuples {batch, rows, size} as indices {batch, rows, 1} into the elements of axes of these sizes.
GraphValue Linearized(GradientWriter& write, const GraphValue& tuples,
                      std::span<const uint32_t> sizes) {
  const TensorDesc one = PackedTensor(
      tuples.tensor.data_type, std::array{tuples.tensor.sizes[0], tuples.tensor.sizes[1], 1u});
  schema::Settings split = GradientWriter::Call("SPLIT");
  split.Uint("Axis", 2).Tensors("OutputTensors", std::vector(sizes.size(), one));
  const std::vector<GraphValue> parts = write.Outputs(split, {&tuples, 1});
  if (!write.ok()) return {};
  GraphValue sum = NearestIndices(write, parts[0], sizes[0]);
  for (size_t t = 1; t < sizes.size(); ++t) {
    sum = write.Multiply(sum, write.Fill(sum, sizes[t]));
    sum = write.Add(sum, NearestIndices(write, parts[t], sizes[t]));
  }
  return sum;
}

// A call of an operator for tuples, or for elements along an axis, as the node has them.
schema::Settings CallLike(const ForwardNode& node, std::string_view elements,
                          std::string_view tuples) {
  const bool has_tuples = node.arguments.schema().type == DML_OPERATOR_SCATTER_ND;
  schema::Settings settings = GradientWriter::Call(has_tuples ? tuples : elements);
  settings.Copy(node.arguments, {"Axis", "InputDimensionCount", "IndicesDimensionCount"});
  return settings;
}

// Of the updates, from 1 on: those that may meet have different numbers.
GraphValue Numbered(GradientWriter& write, const ForwardNode& node) {
  const TensorDesc& updates = node.inputs[scatter::kUpdatesTensor].tensor;
  const TensorDesc& indices = node.inputs[scatter::kIndicesTensor].tensor;
  Sizes sizes(updates.Sizes().begin(), updates.Sizes().end()), strides(sizes.size(), 0);
  uint32_t count = 1;
  if (node.arguments.schema().type == DML_OPERATOR_SCATTER_ND) {
    const uint32_t outer = node.Uint("IndicesDimensionCount") - 1;
    const uint32_t inner = node.Uint("InputDimensionCount") - indices.Sizes().back();
    for (size_t i = sizes.size() - inner; i-- > sizes.size() - inner - outer;) {
      strides[i] = count;
      count *= sizes[i];
    }
  } else {
    strides[node.Uint("Axis")] = 1;
    count = sizes[node.Uint("Axis")];
  }
  const DataType type = DataType::kUint32;
  schema::Settings sequence = GradientWriter::Call("FILL_VALUE_SEQUENCE");
  sequence.Tensor("OutputTensor", PackedTensor(type, std::array{count}));
  sequence.Uint("ValueDataType", static_cast<uint32_t>(type));
  sequence.Scalar("ValueStart", type, 1).Scalar("ValueDelta", type, 1);
  return write.View(write.Output(sequence, {}), sizes, strides);
}

// Where an update is the last one for its place: all others write nothing that stays.
GraphValue Stays(GradientWriter& write, const ForwardNode& node) {
  const GraphValue &x = node.inputs[scatter::kInputTensor],
                   &indices = node.inputs[scatter::kIndicesTensor];
  const GraphValue numbers = Numbered(write, node);
  if (!write.ok()) return {};
  GraphValue none = write.Fill({numbers.id, PackedTensor(DataType::kUint32, x.tensor.Sizes())}, 0);
  const GraphValue last =
      write.Output(CallLike(node, "SCATTER_ELEMENTS", "SCATTER_ND"), {none, indices, numbers});
  const GraphValue seen =
      write.Output(CallLike(node, "GATHER_ELEMENTS", "GATHER_ND"), {last, indices});
  return write.IsEqual(seen, numbers);
}

}  // namespace

Gradients GatherGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc &x = node.inputs[0].tensor, &indices = node.inputs[1].tensor;
  const uint32_t axis = node.arguments.Uint(gather::kAxis), rank = x.dimension_count;
  const uint32_t rows = indices.sizes[axis], count = x.sizes[axis];
  const std::array lines = {Product(indices.Sizes()) / rows, rows, 1u};
  const auto in_lines = [&](const GraphValue& value) {
    return write.Reshape(MoveLast(write, value, axis), lines);
  };
  const GraphValue index = NearestIndices(write, in_lines(node.inputs[1]), count);
  const GraphValue sums = AddByIndex(write, index, count, in_lines(node.output_gradients[0]));
  Sizes sizes;
  for (uint32_t i = 0; i < rank; ++i) {
    if (i != axis) sizes.push_back(x.sizes[i]);
  }
  sizes.push_back(count);
  const GraphValue moved = write.Reshape(sums, sizes);
  return write.Finish({MoveBack(write, moved, axis), GraphValue()});
}

Gradients GatherNdGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const bool has_batch = node.arguments.schema().type == DML_OPERATOR_GATHER_ND1;
  const TensorDesc &x = node.inputs[0].tensor, &indices = node.inputs[1].tensor;
  const uint32_t batch = has_batch ? node.arguments.Uint(gather::kBatchDimensionCount) : 0;
  const uint32_t size = indices.Sizes().back();
  const auto counted = x.Sizes().last(node.arguments.Uint(gather::kInputDimensionCount));
  const uint32_t batches = Product(counted.first(batch));
  const uint32_t rows = Product(indices.Sizes()) / batches / size;
  const auto axes = counted.subspan(batch, size);
  const uint32_t behind = Product(counted.subspan(batch + size));
  const GraphValue tuples = write.Reshape(node.inputs[1], std::array{batches, rows, size});
  if (!write.ok()) return write.Finish({});
  const GraphValue index = Linearized(write, tuples, axes);
  const GraphValue d = write.Reshape(node.output_gradients[0], std::array{batches, rows, behind});
  if (!write.ok()) return write.Finish({});
  const GraphValue sums = AddByIndex(write, index, Product(axes), d);
  return write.Finish({write.Reshape(sums, x.Sizes()), GraphValue()});
}

// What an update has written over does not count, nor does an update that is not there any more.
Gradients ScatterGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue &d = node.output_gradients[0], &indices = node.inputs[scatter::kIndicesTensor];
  return write.Finish(ForWanted(node, [&](size_t input) {
    if (input == scatter::kInputTensor) {
      const GraphValue zeros = write.Zeros(node.inputs[scatter::kUpdatesTensor]);
      return write.Output(CallLike(node, "SCATTER_ELEMENTS", "SCATTER_ND"), {d, indices, zeros});
    }
    const GraphValue stays = Stays(write, node);
    const GraphValue read =
        write.Output(CallLike(node, "GATHER_ELEMENTS", "GATHER_ND"), {d, indices});
    return write.ok() ? write.Where(stays, read) : GraphValue();
  }));
}

// An element is chosen once at most.
Gradients TopKGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue& d = node.output_gradients[0];
  if (!d.present()) return write.Finish({GraphValue()});
  const GraphValue zeros = write.Zeros(node.inputs[0]);
  schema::Settings scatter = GradientWriter::Call("SCATTER_ELEMENTS");
  scatter.Copy(node.arguments, {"Axis"});
  return write.Finish({write.Output(scatter, {zeros, node.outputs[1], d})});
}

}  // namespace anydml::indexing
