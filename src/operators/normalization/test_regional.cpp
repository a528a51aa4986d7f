// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about LP_NORMALIZATION, LOCAL_RESPONSE_NORMALIZATION and its gradient: examples,
// and the rulings on epsilons, regions and the order of sums.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "support/run.h"

namespace anydml::normalization {
namespace {

using test::In;
using test::Tensor;
using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;

constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32;

Floats Patterned(const Sizes& sizes, int m, int k, float divide) {
  Floats values(test::Count(sizes));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(test::Pattern(static_cast<int64_t>(i), m, k)) / divide;
  }
  return values;
}

// The sum of (2j + 1) * bits of element j, modulo 2^32: pins every bit.
uint32_t Checksum(const Floats& values) {
  uint32_t sum = 0;
  for (size_t j = 0; j < values.size(); ++j) {
    sum += static_cast<uint32_t>(2 * j + 1) * std::bit_cast<uint32_t>(values[j]);
  }
  return sum;
}

Floats NormalizeLp(const Floats& x, const Sizes& sizes, UINT axis, UINT p, float epsilon) {
  const Tensor tensor(kFloat, sizes);
  const DML_LP_NORMALIZATION_OPERATOR_DESC desc = {tensor, tensor, axis, epsilon, p};
  return test::RunOn<float>(DML_OPERATOR_LP_NORMALIZATION, &desc, {In(x)}, x.size());
}

// B38: Epsilon is the least norm.
TEST(LpNormalization, DividesByTheNormOrByEpsilon) {
  EXPECT_EQ(NormalizeLp({3, 4, 0, 0}, {2, 2}, 1, 2, 1e-5f), (Floats{.6f, .8f, 0, 0}));
  EXPECT_EQ(NormalizeLp({3, -5}, {2}, 0, 1, 1e-5f), (Floats{.375f, -.625f}));
  EXPECT_EQ(NormalizeLp({3, 4}, {2}, 0, 2, 10), (Floats{.3f, .4f}));
  EXPECT_EQ(NormalizeLp({3, 4}, {2}, 0, 2, 1), (Floats{.6f, .8f}));
  EXPECT_EQ(NormalizeLp({3, 4}, {2}, 0, 2, std::nanf("")), (Floats{.6f, .8f}));
}

TEST(LpNormalization, AddsInTheOrderOfB31) {
  const Floats x = Patterned({3, 5000}, 1009, 613, 7);
  EXPECT_EQ(Checksum(NormalizeLp(x, {3, 5000}, 1, 2, 1e-5f)), 0xe7c3d606u);
  EXPECT_EQ(Checksum(NormalizeLp(x, {3, 5000}, 1, 1, 1e-5f)), 0xa0a5e4e8u);
}

TEST(LpNormalization, RefusesOtherNormsAndAxes) {
  const Tensor x(kFloat, {2, 3});
  DML_LP_NORMALIZATION_OPERATOR_DESC desc = {x, x, 1, 1e-5f, 3};
  const auto refuse = [&] { return test::Refuse(DML_OPERATOR_LP_NORMALIZATION, &desc); };
  EXPECT_EQ(refuse(), "LP_NORMALIZATION: P = 3 must be 1 or 2");
  desc.P = 2;
  desc.Axis = 2;
  EXPECT_EQ(refuse(),
            "LP_NORMALIZATION: Axis = 2 must be less than InputTensor.DimensionCount = 2");
  desc.Axis = 1;
  EXPECT_EQ(test::Refuse(DML_OPERATOR_LP_NORMALIZATION, &desc, {FeatureLevel::k3_0}),
            "LP_NORMALIZATION: InputTensor.DimensionCount = 2 needs feature level 3_1 or above; "
            "this device has 3_0");
}

struct Response {
  BOOL cross_channel;
  UINT local_size;
  float alpha = .1f;
  float beta = .75f;
  float bias = 1;
};

Floats Respond(const Response& r, const Sizes& sizes, const Floats& x) {
  const Tensor tensor(kFloat, sizes);
  const DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC desc = {
      tensor, tensor, r.cross_channel, r.local_size, r.alpha, r.beta, r.bias};
  return test::RunOn<float>(DML_OPERATOR_LOCAL_RESPONSE_NORMALIZATION, &desc, {In(x)}, x.size());
}

Floats RespondGrad(const Response& r, const Sizes& sizes, const Floats& x, const Floats& dy) {
  const Tensor tensor(kFloat, sizes);
  const DML_LOCAL_RESPONSE_NORMALIZATION_GRAD_OPERATOR_DESC desc = {
      tensor, tensor, tensor, r.cross_channel, r.local_size, r.alpha, r.beta, r.bias};
  return test::RunOn<float>(DML_OPERATOR_LOCAL_RESPONSE_NORMALIZATION_GRAD, &desc, {In(x), In(dy)},
                            x.size());
}

// B39: an even region reaches one further up; the divisor is LocalSize, whatever is kept.
TEST(LocalResponseNormalization, SumsSquaresOfItsRegion) {
  const Sizes channels = {1, 3, 1, 1};
  EXPECT_EQ(Respond({TRUE, 3, 3, 1, 1}, channels, {1, 2, 3}),
            (Floats{1.0f / 6, 2.0f / 15, 3.0f / 14}));
  EXPECT_EQ(Respond({TRUE, 2, 2, 1, 0}, channels, {1, 2, 3}),
            (Floats{1.0f / 5, 2.0f / 13, 3.0f / 9}));
  EXPECT_EQ(Respond({FALSE, 3, 3, 1, 0}, {1, 1, 2, 2}, {1, 2, 3, 4}),
            (Floats{1.0f / 30, 2.0f / 30, 3.0f / 30, 4.0f / 30}));
}

// B34, B39, B40.
TEST(LocalResponseNormalization, GivesTheBitsOfTheAcceptanceCases) {
  const Sizes sizes = {2, 7, 5, 6};
  const Floats x = Patterned(sizes, 1009, 613, 100), dy = Patterned(sizes, 257, 97, 50);
  EXPECT_EQ(Checksum(Respond({TRUE, 5}, sizes, x)), 0xfe22c806u);
  EXPECT_EQ(Checksum(RespondGrad({TRUE, 5}, sizes, x, dy)), 0x9accc872u);
  EXPECT_EQ(Checksum(Respond({FALSE, 3}, sizes, x)), 0x1b7f9fdfu);
  EXPECT_EQ(Checksum(RespondGrad({FALSE, 3}, sizes, x, dy)), 0xc92fbebdu);
}

TEST(LocalResponseNormalization, RefusesWhatItsPageDoesNotHave) {
  const Tensor x(kFloat, {1, 3, 4, 5}), volume(kFloat, {1, 3, 4, 5, 6});
  DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC desc = {x, x, TRUE, 0, 1, 1, 1};
  const auto refuse = [&] {
    return test::Refuse(DML_OPERATOR_LOCAL_RESPONSE_NORMALIZATION, &desc);
  };
  EXPECT_EQ(refuse(), "LOCAL_RESPONSE_NORMALIZATION: LocalSize = 0 must be at least 1");
  desc.LocalSize = 1;
  desc.InputTensor = desc.OutputTensor = volume;
  EXPECT_EQ(refuse(), "LOCAL_RESPONSE_NORMALIZATION: InputTensor.DimensionCount = 5 must be 4");
  const DML_LOCAL_RESPONSE_NORMALIZATION_GRAD_OPERATOR_DESC gradient = {x, x, x, TRUE, 1, 1, 1, 1};
  EXPECT_EQ(
      test::Refuse(DML_OPERATOR_LOCAL_RESPONSE_NORMALIZATION_GRAD, &gradient, {FeatureLevel::k3_0}),
      "LOCAL_RESPONSE_NORMALIZATION_GRAD: this operator needs feature level 3_1 or above; "
      "this device has 3_0");
}

}  // namespace
}  // namespace anydml::normalization
