// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/gradient_writer.h"
#include "operators/max_pooling_grad/desc.h"

namespace anydml::max_pooling_grad {

// Of the windows' gradients: each takes the element that its maximum came from, which MAX_POOLING2
// finds again. Windows without elements have an index beyond all (B14). Of the input, whose order
// alone counts, the derivative is 0.
Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder) {
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

}  // namespace anydml::max_pooling_grad
