// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradients of normalizations. Training and local responses have operators for it; the others
// are element-wise operators and sums.
#include "operators/normalization/gradient.h"

#include "operators/gradient_writer.h"
#include "operators/normalization/regional_schema.h"

namespace anydml::normalization {
namespace {

using Gradients = Result<std::vector<GraphValue>>;

// 1 / sqrt(variance + epsilon)
GraphValue InverseRoot(GradientWriter& write, const GraphValue& variance, float epsilon) {
  const schema::Settings root = GradientWriter::Call("ELEMENT_WISE_SQRT").ScaleBias(1, epsilon);
  return write.Apply("RECIP", {write.Output(root, {variance})});
}

// Mean and variance of training as functions of the input, where somebody uses them.
GraphValue OfStatistics(GradientWriter& write, const ForwardNode& node, GraphValue sum) {
  const GraphValue &x = node.inputs[kInput], &mean = node.outputs[1];
  const auto sizes = x.tensor.Sizes();
  const auto count = static_cast<float>(x.tensor.ElementCount() / mean.tensor.ElementCount());
  const auto add = [&](const GraphValue& part) {
    sum = sum.present() ? write.Add(sum, part) : part;
  };
  if (const GraphValue& d = node.output_gradients[1]; d.present()) {
    add(write.Broadcast(write.Scale(d, 1 / count), sizes));
  }
  if (const GraphValue& d = node.output_gradients[2]; d.present()) {
    const GraphValue factor = write.Broadcast(write.Scale(d, 2 / count), sizes);
    add(write.Multiply(factor, write.Subtract(x, write.Broadcast(mean, sizes))));
  }
  return sum;
}

// Mean-variance normalization by axes.
struct Layers {
  GradientWriter& write;
  const ForwardNode& node;
  std::vector<uint32_t> axes;
  bool use_mean;
  bool use_variance;

  GraphValue MeanOf(const GraphValue& value) const {
    return write.Broadcast(write.Reduce("AVERAGE", value, axes), value.tensor.Sizes());
  }
  GraphValue WithoutMean(const GraphValue& value) const {
    return use_mean ? write.Subtract(value, MeanOf(value)) : value;
  }

  // With h = (x - mean) r and q = d * Scale: r (q - mean(q) - h mean(q h)), of which UseMean and
  // UseVariance leave their part out. Without the mean, r is of the mean of x^2 (B44).
  Gradients Write() const {
    const GraphValue &x = node.inputs[kInput], &d = node.output_gradients[0];
    const GraphValue& scale = node.inputs[kMvnScale];
    GraphValue h = WithoutMean(x), r;
    if (use_variance) {
      const GraphValue variance = write.Reduce("AVERAGE", write.Square(h), axes);
      r = write.Broadcast(InverseRoot(write, variance, node.Float("Epsilon")), x.tensor.Sizes());
      h = write.Multiply(h, r);
    }
    return write.Finish(ForWanted(node, [&](size_t i) {
      if (i == kMvnBias) return write.SumTo(d, node.inputs[i].tensor.Sizes());
      if (i == kMvnScale) return write.SumTo(write.Multiply(d, h), scale.tensor.Sizes());
      GraphValue q = d;
      if (scale.present()) q = write.Multiply(d, write.Broadcast(scale, x.tensor.Sizes()));
      GraphValue of_x = WithoutMean(q);
      if (!use_variance) return of_x;
      const GraphValue slope = MeanOf(write.Multiply(q, h));
      of_x = write.Subtract(of_x, write.Multiply(h, slope));
      return write.Multiply(r, of_x);
    }));
  }
};

}  // namespace

// By s = Scale / sqrt(Variance + Epsilon) and h = (x - Mean) / sqrt(Variance + Epsilon).
Gradients BatchGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue &x = node.inputs[kInput], &d = node.output_gradients[0];
  const auto sizes = x.tensor.Sizes();
  const auto spread = [&](int input) { return write.Broadcast(node.inputs[input], sizes); };
  const GraphValue r =
      write.Broadcast(InverseRoot(write, node.inputs[kVariance], node.Float("Epsilon")), sizes);
  const GraphValue h = write.Multiply(write.Subtract(x, spread(kMean)), r);
  const GraphValue of_x = write.Multiply(d, write.Multiply(r, spread(kScale)));
  return write.Finish(ForWanted(node, [&](size_t i) {
    GraphValue gradient = of_x;
    if (i == kMean) gradient = write.Negate(of_x);
    if (i == kVariance) {
      gradient = write.Scale(write.Multiply(of_x, write.Multiply(h, r)), -0.5f);
    }
    if (i == kScale) gradient = write.Multiply(d, h);
    if (i == kBias) gradient = d;
    return write.SumTo(gradient, node.inputs[i].tensor.Sizes());
  }));
}

Gradients TrainingGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue &x = node.inputs[kInput], &d = node.output_gradients[0];
  std::vector<GraphValue> gradients(node.inputs.size());
  if (d.present()) {
    schema::Settings settings = GradientWriter::Call("BATCH_NORMALIZATION_TRAINING_GRAD");
    settings.Copy(node.arguments, {"Epsilon"});
    const std::vector<GraphValue> of_three = write.Outputs(
        settings, std::array{x, d, node.outputs[1], node.outputs[2], node.inputs[kTrainingScale]});
    std::ranges::copy(of_three, gradients.begin());
    gradients[kFusedAdd] = d;
  }
  if (node.is_wanted[kInput]) gradients[kInput] = OfStatistics(write, node, gradients[kInput]);
  return write.Finish(std::move(gradients));
}

Gradients Mvn0Gradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const bool cross_channel = node.arguments.Uint(kCrossChannel) != 0;
  return Layers{
      .write = write,
      .node = node,
      .axes = cross_channel ? std::vector<uint32_t>{1, 2, 3} : std::vector<uint32_t>{2, 3},
      .use_mean = true,
      .use_variance = node.arguments.Uint(kMvn0NormalizeVariance) != 0}
      .Write();
}

// Of versions 1 and 2: the fields of the latter are UseMean and UseVariance.
Gradients MvnGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const auto axes = node.arguments.Uints(kMvnAxes);
  const bool is_second = node.arguments.schema().type == DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION2;
  return Layers{.write = write,
                .node = node,
                .axes = {axes.begin(), axes.end()},
                .use_mean = !is_second || node.arguments.Uint(kUseMean) != 0,
                .use_variance = node.Uint(is_second ? "UseVariance" : "NormalizeVariance") != 0}
      .Write();
}

// x / N: d / N, less x |x|^(P - 2) / N^P sum(d x / N) where the norm, and not Epsilon, divides. y
// is x / N, so its norm is 1 there and less elsewhere.
Gradients LpGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue &x = node.inputs[0], &y = node.outputs[0], &d = node.output_gradients[0];
  const uint32_t axes[] = {node.arguments.Uint(kLpAxis)};
  const bool is_first = node.arguments.Uint(kLpP) == 1;
  const GraphValue norm = write.Reduce(is_first ? "L1" : "L2", x, axes);
  const GraphValue epsilon = write.Fill(norm, double{node.arguments.Float(kLpEpsilon)});
  const GraphValue too_small = write.IsGreater(epsilon, norm);
  const GraphValue divisor = write.If(too_small, epsilon, norm);
  const GraphValue product = write.Multiply(d, y);
  const GraphValue sum = write.WhereNot(too_small, write.Sum(product, axes));
  const GraphValue sums = write.Broadcast(sum, x.tensor.Sizes());
  const GraphValue part = is_first ? write.WithSignOf(x, sums) : write.Multiply(y, sums);
  const GraphValue difference = write.Subtract(d, part);
  return write.Finish({write.Divide(difference, write.Broadcast(divisor, x.tensor.Sizes()))});
}

Gradients ResponseGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  schema::Settings settings = GradientWriter::Call("LOCAL_RESPONSE_NORMALIZATION_GRAD");
  settings.Copy(node.arguments, {"CrossChannel", "LocalSize", "Alpha", "Beta", "Bias"});
  return write.Finish({write.Output(settings, {node.inputs[0], node.output_gradients[0]})});
}

}  // namespace anydml::normalization
