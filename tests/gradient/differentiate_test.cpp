// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Differentiate itself: what it refuses, zeros, and the order of additions.
#include "gradient/differentiate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gradient/network.h"

namespace anydml::gradient {
namespace {

std::string Refuse(Network& network, const GraphValue& loss, const std::vector<GraphValue>& of) {
  const Result<std::vector<GraphValue>> gradients = Differentiate(network.values, loss, of);
  return gradients.ok() ? "" : gradients.error().message;
}

TEST(Differentiate, WantsOneElementOfAFloatingPointType) {
  Network network;
  const GraphValue x = network.Random({2, 3});
  const GraphValue y = network.write.Scale(x, 2);
  EXPECT_EQ(Refuse(network, y, {x}),
            "graph: the output of ELEMENT_WISE_IDENTITY (node 0) has Sizes {2, 3} and the type "
            "FLOAT32; what is differentiated must have one element, of a floating-point type");
  const GraphValue count = network.Input(PackedTensor(DataType::kUint32, Sizes{1}), {7});
  EXPECT_EQ(Refuse(network, count, {x}),
            "graph: input 'x1' has Sizes {1} and the type UINT32; what is differentiated must have "
            "one element, of a floating-point type");
  const GraphValue sum = network.write.Sum(y, Sizes{0, 1});
  EXPECT_EQ(Refuse(network, network.write.View(sum, Sizes{5}, Sizes{0}), {x}),
            "graph: the output of REDUCE (node 1) has Sizes {5} and the type FLOAT32; what is "
            "differentiated must have one element, of a floating-point type");
  EXPECT_EQ(Refuse(network, network.write.View(sum, Sizes{1}, Sizes{0}), {x}), "");
  EXPECT_EQ(Refuse(network, GraphValue(), {x}),
            "graph: the value to differentiate is not one of this graph");
}

TEST(Differentiate, WantsValuesOfAFloatingPointTypeThatTheLossDependsOn) {
  Network network;
  const GraphValue x = network.Random({2, 3}), other = network.Random({4});
  const GraphValue bytes = network.Input(PackedTensor(DataType::kUint8, Sizes{1}), {1});
  const GraphValue loss = network.write.Sum(x, Sizes{0, 1});
  EXPECT_EQ(Refuse(network, loss, {x, bytes}),
            "graph: input 'x2' has the type UINT8, which has no gradient");
  EXPECT_EQ(Refuse(network, loss, {other}),
            "graph: the output of REDUCE (node 0) does not depend on input 'x1'");
  EXPECT_EQ(Refuse(network, loss, {GraphValue()}),
            "graph: a value that a gradient is asked for is not one of this graph");
  EXPECT_EQ(Refuse(network, loss, {network.write.Permute(x, Sizes{1, 0})}),
            "graph: a gradient is asked for a view of input 'x0'; ask for that itself");
  EXPECT_EQ(Refuse(network, loss, {x}), "");
}

TEST(Differentiate, NamesTheOperatorThatHasNoGradient) {
  Network network;
  const GraphValue x = network.Random({1, 1, 4, 4}), dy = network.Random({1, 1, 4, 4});
  const GraphValue variance = network.Random({1, 1, 1, 1}, 1, 2);
  schema::Settings settings = network.Call("BATCH_NORMALIZATION_GRAD");
  settings.Float("Epsilon", 0.125f);
  const GraphValue scaled = network.write.Scale(dy, 2);
  const GraphValue dx = network.Output(settings, {x, scaled, variance, variance, variance});
  const GraphValue loss = network.write.Sum(dx, Sizes{0, 1, 2, 3});
  EXPECT_EQ(
      Refuse(network, loss, {dy}),
      "graph: BATCH_NORMALIZATION_GRAD (node 1) has no gradient, and it lies between input 'x1' "
      "and the output of REDUCE (node 2)");
  // It is no obstacle beside the way.
  const GraphValue w = network.Random({1, 1, 4, 4});
  EXPECT_EQ(Refuse(network, network.Loss(dx, w), {w}), "");
}

TEST(Differentiate, RefusesAViewWhoseElementsOverlap) {
  Network network;
  const GraphValue x = network.Random({8});
  const GraphValue windows = network.write.View(x, Sizes{6, 3}, Sizes{1, 1});
  const GraphValue loss = network.write.Sum(network.write.Multiply(windows, windows), Sizes{0, 1});
  EXPECT_EQ(Refuse(network, loss, {x}),
            "graph: a view with Sizes {6, 3} and Strides {1, 1} has no gradient, since "
            "elements overlap or axes interleave");
  const GraphValue odd = network.write.View(x, Sizes{2, 2}, Sizes{3, 2});
  EXPECT_EQ(Refuse(network, network.write.Sum(network.write.Scale(odd, 2), Sizes{0, 1}), {x}),
            "graph: a view with Sizes {2, 2} and Strides {3, 2} of 8 elements has no gradient, "
            "since it is neither a rearrangement nor a slice of them");
}

// Of seven elements, of which a view reads rows of three; the gradient has their bytes alone.
TEST(Differentiate, TakesPartsThatDoNotDivideTheWhole) {
  Network network;
  const GraphValue x = network.Floats({7}, {1, 2, 3, 4, 5, 6, 7});
  const GraphValue part = network.write.View(x, Sizes{2, 2}, Sizes{3, 1});
  const GraphValue loss = network.write.Sum(network.write.Square(part), Sizes{0, 1});
  const GraphValue gradient = network.Differentiate(loss, {x})[0];
  EXPECT_EQ(network.Run({gradient})[0], (Numbers{2, 4, 0, 8, 10, 0, 0}));
  EXPECT_EQ(network.values.OriginOf(gradient).tensor.total_bytes, 7 * sizeof(float));
}

TEST(Differentiate, TakesPartsOfEightDimensions) {
  Network network;
  const GraphValue x = network.Random(Sizes(8, 3));
  Sizes strides(8, 1);
  for (size_t i = 8; i-- > 1;) strides[i - 1] = strides[i] * 3;
  const GraphValue part = network.write.View(x, Sizes(8, 2), strides);
  const GraphValue loss = network.write.Sum(part, Sizes{0, 1, 2, 3, 4, 5, 6, 7});
  const Numbers gradient = network.Run(network.Differentiate(loss, {x}))[0];
  EXPECT_EQ(std::ranges::count(gradient, 1.0), 256);
  EXPECT_EQ(std::ranges::count(gradient, 0.0), 6561 - 256);
}

// One convolution per group, of which SPLIT and JOIN take 64.
TEST(Differentiate, TakesManyGroupsOfThreeAxes) {
  Network network;
  const GraphValue x = network.Integers({1, 65, 1, 1, 2}), w = network.Integers({65, 1, 1, 1, 2});
  schema::Settings settings = network.Call("CONVOLUTION");
  settings.Uint("GroupCount", 65).Tensor("OutputTensor", network.Tensor({1, 65, 1, 1, 1}));
  const GraphValue y = network.Output(settings, {x, w});
  const GraphValue loss = network.write.Sum(y, Sizes{0, 1, 2, 3, 4});
  EXPECT_EQ(network.Run(network.Differentiate(loss, {w}))[0], network.elements(x));
}

TEST(Differentiate, GivesZerosWhereALengthIsZero) {
  Network network;
  const GraphValue x = network.Floats({2, 2}, {0, 0, 3, 4});
  const GraphValue lengths = network.write.Reduce("L2", x, Sizes{1});
  const GraphValue loss = network.write.Sum(network.write.Scale(lengths, 5), Sizes{0});
  EXPECT_EQ(network.Run(network.Differentiate(loss, {x}))[0], (Numbers{0, 0, 3, 4}));
}

// What is refused is the operator of a rule: float64 is no type of FILL_VALUE_SEQUENCE.
TEST(Differentiate, NamesTheOperatorWhoseGradientIsRefused) {
  Network network(1, DataType::kFloat64);
  const GraphValue table = network.Random({3, 1});
  const GraphValue places = network.Input(PackedTensor(DataType::kUint32, Sizes{1, 1}), {2});
  schema::Settings gather = network.Call("GATHER");
  gather.Uint("Axis", 0).Uint("IndexDimensions", 1);
  const std::string refusal = Refuse(network, network.Output(gather, {table, places}), {table});
  EXPECT_TRUE(refusal.starts_with("the gradient of GATHER (node 0): FILL_VALUE_SEQUENCE: "))
      << refusal;
}

TEST(Differentiate, GivesZerosWhereTheDerivativeIsZero) {
  Network network;
  const GraphValue x = network.Random({2, 3});
  const GraphValue hard =
      network.Output(network.Call("ACTIVATION_HARDMAX1").Uints("Axes", Sizes{1}), {x});
  const GraphValue loss = network.write.Sum(hard, Sizes{0, 1});
  EXPECT_EQ(network.Run(network.Differentiate(loss, {x}))[0], Numbers(6, 0.0));
  // An integer on the way: nothing goes through it.
  const GraphValue index = network.write.Reduce("ARGMAX", x, Sizes{1});
  const GraphValue back = network.Output(
      network.Call("CAST").Tensor("OutputTensor", PackedTensor(DataType::kFloat32, Sizes{2, 1})),
      {index});
  const GraphValue of_index = network.write.Sum(back, Sizes{0, 1});
  EXPECT_EQ(network.Run(network.Differentiate(of_index, {x}))[0], Numbers(6, 0.0));
}

TEST(Differentiate, SelectsWhereAMaskWouldMultiply) {
  Network network;
  const double infinity = std::numeric_limits<double>::infinity();
  const GraphValue x = network.Floats({3}, {-1, 2, 3}), w = network.Floats({3}, {infinity, 1, 2});
  const GraphValue loss = network.Loss(network.Apply("ELEMENT_WISE_ABS", {x}), w);
  const GraphValue rectified = network.Loss(network.Apply("ACTIVATION_RELU", {x}), w);
  EXPECT_EQ(network.Run(network.Differentiate(loss, {x}))[0], (Numbers{-infinity, 1, 2}));
  EXPECT_EQ(network.Run(network.Differentiate(rectified, {x}))[0], (Numbers{0, 1, 2}));
}

// 0 * infinity is none: 0^e has the derivatives 0 for e > 1, and u^0 has 0.
TEST(Differentiate, SelectsWhereAFactorOfAPowerIsInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  Network network;
  const GraphValue u = network.Floats({5}, {0, 0, 0, 3, infinity});
  const GraphValue e = network.Floats({5}, {2, 1, 0, 0, -1});
  const GraphValue ones = network.Floats({5}, {1, 1, 1, 1, 1});
  const GraphValue power = network.Apply("ELEMENT_WISE_POW", {u, e});
  const std::vector<Numbers> found =
      network.Run(network.Differentiate(network.Loss(power, ones), {u, e}));
  EXPECT_EQ(found[0], (Numbers{0, 1, 0, 0, -0.0}));
  // The derivative of 0^e has no finite limit at e = 0, and that of 3^e is ln 3.
  EXPECT_EQ(found[1][0], 0);
  EXPECT_EQ(found[1][1], 0);
  EXPECT_EQ(found[1][2], -infinity);
  EXPECT_NEAR(found[1][3], 1.0986122886681098, 1e-6);
  EXPECT_EQ(found[1][4], 0);
  schema::Settings constant = network.Call("ELEMENT_WISE_CONSTANT_POW");
  const GraphValue one = network.Output(constant.Float("Exponent", 0), {u});
  EXPECT_EQ(network.Run(network.Differentiate(network.Loss(one, ones), {u}))[0], Numbers(5, 0.0));
}

TEST(Differentiate, GivesTiesToTheFirst) {
  Network network;
  const GraphValue a = network.Floats({1, 3}, {1, 2, 2}), b = network.Floats({1, 3}, {1, 1, 3});
  for (const char* name : {"ELEMENT_WISE_MAX", "ELEMENT_WISE_MIN"}) {
    const GraphValue loss = network.write.Sum(network.Apply(name, {a, b}), Sizes{0, 1});
    const bool is_max = std::string_view(name) == "ELEMENT_WISE_MAX";
    const std::vector<Numbers> found = network.Run(network.Differentiate(loss, {a, b}));
    EXPECT_EQ(found[0], is_max ? (Numbers{1, 1, 0}) : (Numbers{1, 0, 1})) << name;
    EXPECT_EQ(found[1], is_max ? (Numbers{0, 0, 1}) : (Numbers{0, 1, 0})) << name;
  }
  const GraphValue largest = network.write.Reduce("MAX", a, Sizes{0, 1});
  EXPECT_EQ(network.Run(network.Differentiate(largest, {a}))[0], (Numbers{0, 1, 0}));
  const GraphValue least = network.write.Reduce("MIN", b, Sizes{0, 1});
  EXPECT_EQ(network.Run(network.Differentiate(least, {b}))[0], (Numbers{1, 0, 0}));
}

TEST(Differentiate, GivesTheGradientOfTheLossItselfAndOfValuesBetween) {
  Network network;
  const GraphValue x = network.Floats({2}, {3, 5});
  const GraphValue y = network.write.Scale(x, 2);
  const GraphValue loss = network.write.Sum(network.write.Square(y), Sizes{0});
  const std::vector<Numbers> found = network.Run(network.Differentiate(loss, {loss, y, x}));
  EXPECT_EQ(found[0], (Numbers{1}));
  EXPECT_EQ(found[1], (Numbers{12, 20}));
  EXPECT_EQ(found[2], (Numbers{24, 40}));
}

// 2^24, 1 and 1: (2^24 + 1) + 1 is 2^24, (1 + 1) + 2^24 is 2 more.
TEST(Differentiate, AddsTheLastReadersPartFirst) {
  const double large = 16777216;
  const auto gradient = [](const std::vector<float>& factors) {
    Network network;
    const GraphValue x = network.Floats({1}, {1});
    GraphValue sum = network.write.Scale(x, factors[0]);
    std::vector<GraphValue> parts = {sum};
    for (size_t i = 1; i < factors.size(); ++i) parts.push_back(network.write.Scale(x, factors[i]));
    for (size_t i = 1; i < parts.size(); ++i) sum = network.write.Add(sum, parts[i]);
    return network.Run(network.Differentiate(sum, {x}))[0][0];
  };
  EXPECT_EQ(gradient({16777216, 1, 1}), large + 2);
  EXPECT_EQ(gradient({1, 1, 16777216}), large);
}

// A reader's first input comes first.
TEST(Differentiate, AddsTheInputsOfAReaderInOrder) {
  Network network;
  const GraphValue x = network.Floats({1}, {3});
  const GraphValue loss = network.write.Divide(x, x);
  // 1/3 - (1/3) * 1: exactly 0 in any order; of the product, twice.
  EXPECT_EQ(network.Run(network.Differentiate(loss, {x}))[0], (Numbers{0}));
  const GraphValue square = network.write.Multiply(x, x);
  EXPECT_EQ(network.Run(network.Differentiate(square, {x}))[0], (Numbers{6}));
}

// d2/dx2 x^3 = 6 x, by differentiating the backward pass.
TEST(Differentiate, DifferentiatesWhatItWrote) {
  Network network;
  const GraphValue x = network.Floats({2}, {3, -5});
  const GraphValue cube = network.write.Multiply(network.write.Square(x), x);
  const GraphValue first = network.Differentiate(network.write.Sum(cube, Sizes{0}), {x})[0];
  const GraphValue second = network.Differentiate(network.write.Sum(first, Sizes{0}), {x})[0];
  EXPECT_EQ(network.Run({first})[0], (Numbers{27, 75}));
  EXPECT_EQ(network.Run({second})[0], (Numbers{18, -30}));
}

TEST(Differentiate, TakesFusedActivationsApart) {
  Network network;
  const GraphValue a = network.Floats({1, 1, 1, 2}, {1, 2}),
                   b = network.Floats({1, 1, 2, 2}, {1, -1, 1, -1});
  schema::Settings settings = network.Call("GEMM");
  settings.Fused("FusedActivation", network.Call("ACTIVATION_RELU"));
  const GraphValue y = network.Output(settings, {a, b});
  EXPECT_EQ(network.values.nodes().size(), 2u);
  const GraphValue loss = network.write.Sum(y, Sizes{0, 1, 2, 3});
  const std::vector<Numbers> found = network.Run(network.Differentiate(loss, {a, b}));
  EXPECT_EQ(found[0], (Numbers{1, 1}));
  EXPECT_EQ(found[1], (Numbers{1, 0, 2, 0}));
}

TEST(Differentiate, WorksInFloat16) {
  Network network;
  const GraphValue x = network.Floats({3}, {1, -2, 3});
  const auto cast = [&](DataType type, const GraphValue& value) {
    return network.Output(
        network.Call("CAST").Tensor("OutputTensor", PackedTensor(type, value.tensor.Sizes())),
        {value});
  };
  const GraphValue half = cast(DataType::kFloat16, x);
  const GraphValue loss =
      cast(DataType::kFloat32, network.write.Sum(network.write.Square(half), Sizes{0}));
  EXPECT_EQ(network.Run(network.Differentiate(loss, {x}))[0], (Numbers{2, -4, 6}));
}

}  // namespace
}  // namespace anydml::gradient
