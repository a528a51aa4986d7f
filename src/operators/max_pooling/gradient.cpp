// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/gradient_writer.h"
#include "operators/max_pooling/desc.h"
#include "operators/max_pooling/schema.h"

namespace anydml::max_pooling {

// Of all versions. The indices have none.
Result<std::vector<GraphValue>> PoolingGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  schema::Settings settings = GradientWriter::Call("MAX_POOLING_GRAD");
  settings.Copy(node.arguments,
                {"Strides", "WindowSize", "StartPadding", "EndPadding", "Dilations"});
  return write.Finish({write.Output(settings, {node.inputs[0], node.output_gradients[0]})});
}

// Of the windows' gradients: each takes the element that its maximum came from, which MAX_POOLING2
// finds again. Windows without elements have an index beyond all (B14). Of the input, whose order
// alone counts, the derivative is 0.
Result<std::vector<GraphValue>> GradientOfGradient(const ForwardNode& node,
                                                   GradientBuilder& builder) {
  GradientWriter write(builder);
  return write.Finish(ForWanted(node, [&](size_t input) {
    if (input == 0) return GraphValue();
    const GraphValue &x = node.inputs[0], &d = node.output_gradients[0];
    const TensorDesc& windows = node.inputs[1].tensor;
    schema::Settings pool = GradientWriter::Call("MAX_POOLING2");
    pool.Copy(node.arguments, {"Strides", "WindowSize", "StartPadding", "EndPadding", "Dilations"});
    pool.Tensor("OutputTensor", PackedTensor(x.tensor.data_type, windows.Sizes()));
    pool.Tensor("OutputIndicesTensor", PackedTensor(DataType::kUint32, windows.Sizes()));
    const std::vector<GraphValue> pooled = write.Outputs(pool, {&x, 1});
    if (!write.ok()) return GraphValue();
    const auto count = static_cast<uint32_t>(x.tensor.ElementCount());
    const uint32_t all[] = {count}, found[] = {static_cast<uint32_t>(windows.ElementCount())};
    const GraphValue index = write.Reshape(pooled[1], found);
    const GraphValue is_element = write.IsGreater(write.Fill(index, count), index);
    const auto gather = GradientWriter::Call("GATHER").Uint("Axis", 0).Uint("IndexDimensions", 1);
    const GraphValue taken = write.Output(gather, {write.Reshape(d, all), index});
    return write.Reshape(write.Where(is_element, taken), windows.Sizes());
  }));
}

// What lies at the indices; 0 where an index is outside. Elements that another one replaced get
// the gradient of that one, which they equal where the indices are of a pooling.
Result<std::vector<GraphValue>> UnpoolingGradient(const ForwardNode& node,
                                                  GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue& indices = node.inputs[unpooling::kIndicesTensor];
  const TensorDesc &x = node.inputs[unpooling::kInputTensor].tensor, &y = node.outputs[0].tensor;
  const auto in_row = [&](const GraphValue& value) {
    return write.Reshape(
        value, std::array{1u, 1u, 1u, static_cast<uint32_t>(value.tensor.ElementCount())});
  };
  const GraphValue last = write.Fill(indices, static_cast<double>(y.ElementCount() - 1));
  const GraphValue is_outside = write.IsGreater(indices, last);
  const GraphValue row = in_row(node.output_gradients[0]);
  schema::Settings gather = GradientWriter::Call("GATHER");
  gather.Uint("Axis", 3).Uint("IndexDimensions", 1);
  const GraphValue inside = write.Apply("MIN", {indices, last});
  const GraphValue gathered = write.Output(gather, {row, in_row(inside)});
  const GraphValue gradient = write.Reshape(gathered, x.Sizes());
  return write.Finish({write.WhereNot(is_outside, gradient), {}});
}

}  // namespace anydml::max_pooling
