// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/text.h"
#include "operators/gradient_writer.h"

namespace anydml::train {
namespace {

Status CheckFloat(std::string_view loss, const GraphValue& value) {
  if (value.present() && value.tensor.data_type == DataType::kFloat32) return {};
  return InvalidArgument(fmt::format("{}: predictions and their targets must be FLOAT32", loss));
}

Status CheckPair(std::string_view loss, const GraphValue& a, const GraphValue& b) {
  for (const GraphValue& value : {a, b}) {
    Status status = CheckFloat(loss, value);
    if (!status.ok()) return status;
  }
  if (std::ranges::equal(a.tensor.Sizes(), b.tensor.Sizes())) return {};
  return InvalidArgument(fmt::format("{}: the target's sizes {} must equal the prediction's {}",
                                     loss, BracedList(b.tensor.Sizes()),
                                     BracedList(a.tensor.Sizes())));
}

// Scores {N, C, ...} belong to classes {N, ...}.
Status CheckClasses(const GraphValue& scores, const GraphValue& classes) {
  Status status = CheckFloat("cross entropy", scores);
  if (!status.ok()) return status;
  std::vector<uint32_t> expected(scores.tensor.Sizes().begin(), scores.tensor.Sizes().end());
  if (expected.size() >= 2) expected.erase(expected.begin() + 1);
  if (scores.tensor.dimension_count >= 2 && classes.tensor.data_type == DataType::kUint32 &&
      std::ranges::equal(classes.tensor.Sizes(), expected)) {
    return {};
  }
  return InvalidArgument(fmt::format(
      "cross entropy: scores of sizes {} need classes that are UINT32 of sizes {}, not {} of {}",
      BracedList(scores.tensor.Sizes()), BracedList(std::span<const uint32_t>(expected)),
      DataTypeName(classes.tensor.data_type), BracedList(classes.tensor.Sizes())));
}

GraphValue SumOfAll(GradientWriter& write, const GraphValue& x) {
  Dimensions axes = {};
  std::iota(axes.begin(), axes.end(), 0u);
  return write.Sum(x, {axes.data(), x.tensor.dimension_count});
}

Result<GraphValue> Finish(const GradientWriter& write, const GraphValue& loss) {
  Result<std::vector<GraphValue>> finished = write.Finish({loss});
  if (!finished.ok()) return finished.error();
  return finished.value()[0];
}

float OneOver(uint64_t count) { return 1.0f / static_cast<float>(count); }

// {N, ...} as {N, 1, ...}
GraphValue WithClassAxis(GradientWriter& write, const GraphValue& classes) {
  const TensorDesc& from = classes.tensor;
  Dimensions sizes = {from.sizes[0], 1};
  Dimensions strides = {from.strides[0], 1};
  for (uint32_t i = 1; i < from.dimension_count; ++i) {
    sizes[i + 1] = from.sizes[i];
    strides[i + 1] = from.strides[i];
  }
  const uint32_t count = from.dimension_count + 1;
  return write.View(classes, {sizes.data(), count}, {strides.data(), count});
}

// False and true, in as many dimensions.
Result<GraphValue> OffAndOn(graph::Values& graph, uint32_t dimension_count) {
  static constexpr std::array<uint8_t, 4> kValues = {0, 1};  // a whole word
  std::array<uint32_t, kMaxDimensions> sizes = {1, 1, 1, 1, 1, 1, 1, 1};
  sizes[dimension_count - 1] = 2;
  return graph.Constant(std::as_bytes(std::span(kValues)),
                        PackedTensor(DataType::kUint8, {sizes.data(), dimension_count}));
}

GraphValue Sigmoid(GradientWriter& write, const GraphValue& x) {
  return write.Apply("SIGMOID", {x});
}

}  // namespace

Result<GraphValue> CrossEntropy(graph::Values& graph, const GraphValue& scores,
                                const GraphValue& classes) {
  Status status = CheckClasses(scores, classes);
  if (!status.ok()) return status.error();
  Result<GraphValue> values = OffAndOn(graph, scores.tensor.dimension_count);
  if (!values.ok()) return values.error();
  GradientWriter write(graph);
  schema::Settings one_hot = GradientWriter::Call("ONE_HOT");
  one_hot.Uint("Axis", 1).Tensor("OutputTensor",
                                 PackedTensor(DataType::kUint8, scores.tensor.Sizes()));
  const GraphValue is_chosen =
      write.Output(one_hot, {WithClassAxis(write, classes), values.value()});
  schema::Settings log_softmax = GradientWriter::Call("ACTIVATION_LOG_SOFTMAX1");
  log_softmax.Uints("Axes", std::array{1u});
  const GraphValue logarithms = write.Output(log_softmax, {scores});
  // Selected: the logarithm of a score of minus infinity, times 0, would be NaN.
  const GraphValue sum = SumOfAll(write, write.Where(is_chosen, logarithms));
  return Finish(write, write.Scale(sum, -OneOver(classes.tensor.ElementCount())));
}

Result<GraphValue> MeanSquare(graph::Values& graph, const GraphValue& prediction,
                              const GraphValue& target) {
  Status status = CheckPair("mean square", prediction, target);
  if (!status.ok()) return status.error();
  GradientWriter write(graph);
  const GraphValue sum = SumOfAll(write, write.Square(write.Subtract(prediction, target)));
  return Finish(write, write.Scale(sum, OneOver(prediction.tensor.ElementCount())));
}

Result<GraphValue> BinaryCrossEntropy(graph::Values& graph, const GraphValue& scores,
                                      const GraphValue& target) {
  Status status = CheckPair("binary cross entropy", scores, target);
  if (!status.ok()) return status.error();
  GradientWriter write(graph);
  // max(x, 0) + log(1 + exp(-|x|)). By IF, so that the gradient at 0 is 1/2: there the first
  // part has 0 and the second 1/2; RELU and ABS would give 0 and 0.
  const GraphValue zeros = write.Zeros(scores);
  const GraphValue is_positive = write.IsGreater(scores, zeros);
  const GraphValue greater = write.If(is_positive, scores, zeros);
  const GraphValue minus_size = write.If(is_positive, write.Scale(scores, -1), scores);
  const GraphValue logarithm =
      write.Apply("LOG", {write.Scale(write.Apply("EXP", {minus_size}), 1, 1)});
  const GraphValue terms =
      write.Add(write.Subtract(greater, write.Multiply(scores, target)), logarithm);
  return Finish(write, write.Scale(SumOfAll(write, terms), OneOver(scores.tensor.ElementCount())));
}

Result<GraphValue> Dice(graph::Values& graph, const GraphValue& scores, const GraphValue& target) {
  Status status = CheckPair("Dice", scores, target);
  if (!status.ok()) return status.error();
  GradientWriter write(graph);
  const GraphValue p = Sigmoid(write, scores);
  const GraphValue common = write.Scale(SumOfAll(write, write.Multiply(p, target)), 2, 1);
  const GraphValue all = write.Scale(write.Add(SumOfAll(write, p), SumOfAll(write, target)), 1, 1);
  return Finish(write, write.Scale(write.Divide(common, all), -1, 1));
}

}  // namespace anydml::train
