// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Small networks against PyTorch 1.13 in float64 (reference_data/make_gradient_data.py). Ours is
// float32: results are sums of at most some hundred terms with a rounding error of 2^-24 each,
// hence a tolerance of 2e-5 of the largest element.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "gradient/network.h"

namespace anydml::gradient {
namespace {

constexpr double kTolerance = 2e-5;

// The numbers of the same function of make_gradient_data.py.
GraphValue Pattern(Network& network, uint32_t k, const Sizes& sizes, double scale = 1) {
  const size_t count = std::accumulate(sizes.begin(), sizes.end(), size_t{1}, std::multiplies<>());
  Numbers numbers(count);
  for (size_t i = 0; i < count; ++i) {
    numbers[i] = (static_cast<double>(i * k % 61) - 30) / 64 * scale;
  }
  return network.Floats(sizes, numbers);
}

void Compare(Network& network, const char* name, const GraphValue& loss,
             const std::vector<GraphValue>& of) {
  std::ifstream file(ANYDML_GRADIENT_NETWORKS);
  const nlohmann::json expected = nlohmann::json::parse(file).at(name);
  std::vector<GraphValue> outputs = network.Differentiate(loss, of);
  ASSERT_EQ(outputs.size(), of.size());
  outputs.push_back(loss);
  const std::vector<Numbers> found = network.Run(outputs);
  const double loss_expected = expected.at("loss");
  EXPECT_NEAR(found.back()[0], loss_expected, kTolerance * std::max(1.0, std::abs(loss_expected)));
  for (size_t i = 0; i < of.size(); ++i) {
    const Numbers gradient = expected.at("gradients").at(i);
    ASSERT_EQ(found[i].size(), gradient.size());
    double largest = 0;
    for (double number : gradient) largest = std::max(largest, std::abs(number));
    for (size_t e = 0; e < gradient.size(); ++e) {
      ASSERT_NEAR(found[i][e], gradient[e], kTolerance * largest)
          << "element " << e << " of gradient " << i;
    }
  }
}

GraphValue Convolve(Network& network, const GraphValue& x, const GraphValue& filter,
                    const GraphValue& bias, uint32_t stride, uint32_t padding) {
  schema::Settings settings = network.Call("CONVOLUTION");
  settings.Uints("Strides", Sizes{stride, stride});
  settings.Uints("StartPadding", Sizes{padding, padding});
  settings.Uints("EndPadding", Sizes{padding, padding});
  return network.Output(settings, {x, filter, bias});
}

GraphValue Multiply(Network& network, const GraphValue& a, const GraphValue& b,
                    const GraphValue& c = {}) {
  return network.Output(network.Call("GEMM"), {a, b, c});
}

GraphValue Pool(Network& network, const char* name, const GraphValue& x) {
  schema::Settings settings = network.Call(name);
  settings.Uints("Strides", Sizes{2, 2}).Uints("WindowSize", Sizes{2, 2});
  return network.Output(settings, {x});
}

TEST(Networks, LeNet) {
  Network network;
  const GraphValue x = Pattern(network, 7, {2, 1, 12, 12});
  const GraphValue c1 = Pattern(network, 11, {4, 1, 5, 5}), b1 = Pattern(network, 13, {1, 4, 1, 1});
  const GraphValue c2 = Pattern(network, 17, {6, 4, 3, 3}), b2 = Pattern(network, 19, {1, 6, 1, 1});
  const GraphValue w = Pattern(network, 23, {24, 10}), b = Pattern(network, 29, {1, 10});
  GraphValue h = network.Apply("ACTIVATION_RELU", {Convolve(network, x, c1, b1, 1, 2)});
  h = Pool(network, "MAX_POOLING2", h);
  h = network.Apply("ACTIVATION_RELU", {Convolve(network, h, c2, b2, 1, 0)});
  h = Pool(network, "AVERAGE_POOLING", h);
  h = network.write.Reshape(h, Sizes{2, 24});
  const GraphValue scores = Multiply(network, h, w, network.write.Broadcast(b, Sizes{2, 10}));
  const GraphValue logarithms =
      network.Output(network.Call("ACTIVATION_LOG_SOFTMAX1").Uints("Axes", Sizes{1}), {scores});
  const GraphValue labels = network.Input(PackedTensor(DataType::kUint32, Sizes{2, 1}), {3, 7});
  const GraphValue hot = network.write.OneHot(labels, 1, 10, DataType::kFloat32);
  const GraphValue sum = network.write.Sum(network.write.Multiply(hot, logarithms), Sizes{0, 1});
  Compare(network, "lenet", network.write.Scale(sum, -0.5f), {x, c1, b1, c2, b2, w, b});
}

TEST(Networks, ResidualBlock) {
  Network network;
  const Sizes channels = {1, 4, 1, 1};
  const GraphValue x = Pattern(network, 7, {2, 3, 6, 6});
  const GraphValue c1 = Pattern(network, 11, {4, 3, 3, 3}), s1 = Pattern(network, 13, channels, 2);
  const GraphValue b1 = Pattern(network, 17, channels), c2 = Pattern(network, 19, {4, 4, 3, 3});
  const GraphValue s2 = Pattern(network, 23, channels, 2), b2 = Pattern(network, 29, channels);
  const GraphValue c3 = Pattern(network, 31, {4, 3, 1, 1});
  schema::Settings normalize = network.Call("BATCH_NORMALIZATION_TRAINING");
  normalize.Float("Epsilon", 0.125f).Fused("FusedActivation", network.Call("ACTIVATION_RELU"));
  GraphValue h = network.Output(normalize, {Convolve(network, x, c1, {}, 2, 1), s1, b1});
  h = Convolve(network, h, c2, {}, 1, 1);
  const GraphValue shortcut = Convolve(network, x, c3, {}, 2, 0);
  const GraphValue y = network.Output(normalize, {h, s2, b2, shortcut});
  const GraphValue loss = network.Loss(y, Pattern(network, 37, {2, 4, 3, 3}));
  Compare(network, "residual", loss, {x, c1, s1, b1, c2, s2, b2, c3});
}

TEST(Networks, Attention) {
  Network network;
  GradientWriter& write = network.write;
  const GraphValue x = Pattern(network, 7, {1, 2, 5, 8}, 2);
  std::vector<GraphValue> of = {x};
  const auto parameters = [&](uint32_t k, const Sizes& sizes, double scale = 1) {
    of.push_back(Pattern(network, k, sizes, scale));
    return of.back();
  };
  // The same matrix for both sequences.
  const auto by = [&](const GraphValue& value, const GraphValue& matrix) {
    const auto sizes = matrix.tensor.Sizes();
    return Multiply(network, value, write.Broadcast(matrix, Sizes{1, 2, sizes[2], sizes[3]}));
  };
  const auto heads = [&](const GraphValue& value) {
    return write.Permute(write.Reshape(value, Sizes{2, 5, 2, 4}), Sizes{0, 2, 1, 3});
  };
  const GraphValue q = parameters(11, {1, 1, 8, 8}), k = parameters(13, {1, 1, 8, 8});
  const GraphValue v = parameters(17, {1, 1, 8, 8}), o = parameters(19, {1, 1, 8, 8});
  const GraphValue s = parameters(23, {1, 1, 1, 8}, 2), t = parameters(29, {1, 1, 1, 8});
  const GraphValue up = parameters(31, {1, 1, 8, 16}), down = parameters(37, {1, 1, 16, 8});
  const GraphValue scores =
      network.Output(network.Call("GEMM").Uint("TransB", 1).Float("Alpha", 0.5f),
                     {heads(by(x, q)), heads(by(x, k))});
  const GraphValue weights =
      network.Output(network.Call("ACTIVATION_SOFTMAX1").Uints("Axes", Sizes{3}), {scores});
  const GraphValue values = Multiply(network, weights, heads(by(x, v)));
  const GraphValue mixed =
      write.Reshape(write.Permute(values, Sizes{0, 2, 1, 3}), Sizes{1, 2, 5, 8});
  schema::Settings normalize = network.Call("MEAN_VARIANCE_NORMALIZATION1");
  normalize.Uints("Axes", Sizes{3}).Float("Epsilon", 0.125f);
  const GraphValue h = network.Output(normalize, {write.Add(x, by(mixed, o)), s, t});
  const GraphValue wide = network.Apply("ACTIVATION_GELU", {by(h, up)});
  const GraphValue y = write.Add(h, by(wide, down));
  Compare(network, "attention", network.Loss(y, Pattern(network, 41, {1, 2, 5, 8})), of);
}

}  // namespace
}  // namespace anydml::gradient
