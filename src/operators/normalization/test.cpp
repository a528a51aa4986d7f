// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about normalizations: the definitions of B32 and B41 to B44, broadcast by sizes
// of 1, fused activations, and the sentences of what is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "base/float16.h"
#include "support/run.h"

namespace anydml::normalization {
namespace {

using test::Count;
using test::In;
using test::Pattern;
using test::Tensor;
using Sizes = std::vector<UINT>;
using Floats = std::vector<float>;

constexpr auto kFloat32 = DML_TENSOR_DATA_TYPE_FLOAT32;
constexpr auto kFloat16 = DML_TENSOR_DATA_TYPE_FLOAT16;

Floats Patterns(size_t count, int64_t m, int64_t k, float divisor, int shift = 0) {
  Floats values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(Pattern(static_cast<int64_t>(i), m, k) + shift) / divisor;
  }
  return values;
}

// sum of (2j + 1) * bits(y_j), modulo 2^32: pins every bit.
template <typename T>
uint32_t Hash(const std::vector<T>& values) {
  uint32_t hash = 0;
  for (size_t j = 0; j < values.size(); ++j) {
    using U = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
    hash += static_cast<uint32_t>(2 * j + 1) * std::bit_cast<U>(values[j]);
  }
  return hash;
}

template <typename T>
std::vector<uint32_t> BitsOf(const std::vector<T>& values) {
  std::vector<uint32_t> bits;
  for (T value : values) {
    bits.push_back(std::bit_cast<std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>(value));
  }
  return bits;
}

std::vector<Float16> Halves(const Floats& values) {
  std::vector<Float16> halves;
  for (float value : values) halves.push_back(ToFloat16(value));
  return halves;
}

// A RELU without tensors.
const DML_ACTIVATION_RELU_OPERATOR_DESC kNoTensors = {nullptr, nullptr};
const DML_OPERATOR_DESC kRelu = {DML_OPERATOR_ACTIVATION_RELU, &kNoTensors};

template <typename T>
struct Trained {
  std::vector<T> output, mean, variance;
};

template <typename T = float>
Trained<T> Train(const Sizes& sizes, const Sizes& channels, const std::vector<T>& x,
                 const std::vector<T>& scale, const std::vector<T>& bias, float epsilon,
                 const std::vector<T>* add = nullptr, const DML_OPERATOR_DESC* activation = nullptr,
                 const Sizes& strides = {}) {
  const auto type = sizeof(T) == 2 ? kFloat16 : kFloat32;
  const Tensor image(type, sizes, strides), output(type, sizes), channel(type, channels);
  const DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC desc = {
      image,     channel,
      channel,   add == nullptr ? nullptr : static_cast<const DML_TENSOR_DESC*>(output),
      output,    channel,
      channel,   epsilon,
      activation};
  const auto run = [&](size_t count, size_t which) {
    const auto none = test::Memory{nullptr, 0};
    return test::RunOn<T>(DML_OPERATOR_BATCH_NORMALIZATION_TRAINING, &desc,
                          {In(x), In(scale), In(bias), add == nullptr ? none : In(*add)}, count,
                          which);
  };
  return {run(Count(sizes), 0), run(Count(channels), 1), run(Count(channels), 2)};
}

struct Gradients {
  Floats input, scale, bias;
};

Gradients Differentiate(DML_OPERATOR_TYPE type, const Sizes& sizes, const Sizes& channels,
                        const Floats& x, const Floats& dy, const Floats& mean,
                        const Floats& variance, const Floats& scale, float epsilon) {
  const Tensor image(kFloat32, sizes), channel(kFloat32, channels);
  const DML_BATCH_NORMALIZATION_GRAD_OPERATOR_DESC desc = {
      image, image, channel, channel, channel, image, channel, channel, epsilon};
  const auto run = [&](size_t count, size_t which) {
    return test::RunOn<float>(type, &desc, {In(x), In(dy), In(mean), In(variance), In(scale)},
                              count, which);
  };
  return {run(Count(sizes), 0), run(Count(channels), 1), run(Count(channels), 2)};
}

const Sizes kSmall = {1, 2, 1, 2}, kSmallChannels = {1, 2, 1, 1};
const Floats kSmallInput = {1, 3, 5, 7};

TEST(BatchNormalizationTraining, NormalizesByItsOwnStatistics) {
  const auto plain = Train<float>(kSmall, kSmallChannels, kSmallInput, {4, 2}, {10, 20}, 3);
  EXPECT_EQ(plain.mean, (Floats{2, 6}));
  EXPECT_EQ(plain.variance, (Floats{1, 1}));
  EXPECT_EQ(plain.output, (Floats{8, 12, 19, 21}));
}

// B126: the sum is rounded, and the activation is applied to it.
TEST(BatchNormalizationTraining, AddsATensorBeforeTheActivation) {
  const Floats add = {-9, 0, 0, -30};
  const auto fused =
      Train<float>(kSmall, kSmallChannels, kSmallInput, {4, 2}, {10, 20}, 3, &add, &kRelu);
  EXPECT_EQ(fused.output, (Floats{0, 12, 19, 0}));
  EXPECT_EQ(fused.mean, (Floats{2, 6}));
}

// B30: what lies between is float.
TEST(BatchNormalizationTraining, DoesNotOverflowHalves) {
  const std::vector<Float16> x(4, ToFloat16(60000));
  const auto y = Train<Float16>(kSmall, kSmallChannels, x, Halves({1, 1}), Halves({3, -5}), 1e-5f);
  EXPECT_EQ(BitsOf(y.output), BitsOf(Halves({3, 3, -5, -5})));
  EXPECT_EQ(BitsOf(y.mean), BitsOf(Halves({60000, 60000})));
  EXPECT_EQ(BitsOf(y.variance), BitsOf(Halves({0, 0})));
}

const Sizes kImages = {4, 3, 50, 50}, kChannels = {1, 3, 1, 1};
const Floats kScale = {.5f, 1.25f, -2}, kBias = {.1f, -.2f, .3f};
using Bits = std::vector<uint32_t>;

// B32.
TEST(BatchNormalizationTraining, MergesSlotsAndBlocks) {
  const auto y = Train(kImages, kChannels, Patterns(30000, 1009, 613, 16), kScale, kBias, 1e-5f);
  EXPECT_EQ(BitsOf(y.mean), (Bits{0xbb36ae7d, 0xba9c779a, 0x39d1b717}));
  EXPECT_EQ(BitsOf(y.variance), (Bits{0x43a5b829, 0x43a5b7a8, 0x43a5ac3b}));
  EXPECT_EQ(Hash(y.output), 0xef0eaa8au);
  const auto far =
      Train(kImages, kChannels, Patterns(30000, 1009, 613, 16, 48000), kScale, kBias, 1e-5f);
  EXPECT_EQ(BitsOf(far.mean), (Bits{0x453b7ff5, 0x453b7ffb, 0x453b8002}));
  EXPECT_EQ(BitsOf(far.variance), (Bits{0x43a5b829, 0x43a5b7a9, 0x43a5ac3b}));
  EXPECT_EQ(Hash(far.output), 0xf849d0d7u);
}

TEST(BatchNormalizationTraining, RoundsHalvesAtTheEnd) {
  const auto y = Train<Float16>(kImages, kChannels, Halves(Patterns(30000, 1009, 613, 16)),
                                Halves(kScale), Halves(kBias), 1e-5f);
  EXPECT_EQ(BitsOf(y.mean), (Bits{0x99b5, 0x94e4, 0x0e8e}));
  EXPECT_EQ(BitsOf(y.variance), (Bits{0x5d2e, 0x5d2e, 0x5d2d}));
  EXPECT_EQ(Hash(y.output), 0xf0ddc0b0u);
}

// The order is that of logical indices.
TEST(BatchNormalizationTraining, DoesNotDependOnTheLayout) {
  const Floats x = Patterns(30000, 1009, 613, 16);
  Floats last(30000);  // channels last, in memory
  for (size_t i = 0; i < 30000; ++i) last[i / 7500 * 7500 + i % 2500 * 3 + i / 2500 % 3] = x[i];
  const auto in_memory = Train<float>(kImages, kChannels, last, kScale, kBias, 1e-5f, nullptr,
                                      nullptr, {7500, 1, 150, 3});
  EXPECT_EQ(BitsOf(in_memory.mean), (Bits{0xbb36ae7d, 0xba9c779a, 0x39d1b717}));
  EXPECT_EQ(Hash(in_memory.output), 0xef0eaa8au);
  const auto described = Train({4, 50, 50, 3}, {1, 1, 1, 3}, last, kScale, kBias, 1e-5f);
  EXPECT_EQ(BitsOf(described.variance), (Bits{0x43a5b829, 0x43a5b7a8, 0x43a5ac3b}));
  for (size_t i = 0; i < 30000; ++i) {
    ASSERT_EQ(described.output[i / 7500 * 7500 + i % 2500 * 3 + i / 2500 % 3], in_memory.output[i]);
  }
}

TEST(BatchNormalization, OfTheStatisticsOfTrainingIsItsOutput) {
  const Floats x = Patterns(30000, 1009, 613, 16);
  const auto trained = Train(kImages, kChannels, x, kScale, kBias, 1e-5f);
  const Tensor image(kFloat32, kImages), channel(kFloat32, kChannels);
  const DML_BATCH_NORMALIZATION_OPERATOR_DESC desc = {image, channel, channel, channel, channel,
                                                      image, TRUE,    1e-5f,   nullptr};
  EXPECT_EQ(BitsOf(test::RunOn<float>(
                DML_OPERATOR_BATCH_NORMALIZATION, &desc,
                {In(x), In(trained.mean), In(trained.variance), In(kScale), In(kBias)}, 30000)),
            BitsOf(trained.output));
}

// B43, and the sums of B61.
TEST(BatchNormalizationTrainingGrad, GivesTheThreeGradients) {
  const auto type = DML_OPERATOR_BATCH_NORMALIZATION_TRAINING_GRAD;
  const auto small = Differentiate(type, kSmall, kSmallChannels, kSmallInput, {1, 2, 3, 5}, {2, 6},
                                   {1, 1}, {4, 2}, 3);
  EXPECT_EQ(small.input, (Floats{-.75f, .75f, -.75f, .75f}));
  EXPECT_EQ(small.scale, (Floats{.5f, 1}));
  EXPECT_EQ(small.bias, (Floats{3, 8}));
  const Floats x = Patterns(30000, 1009, 613, 16), dy = Patterns(30000, 257, 97, 8);
  const auto trained = Train(kImages, kChannels, x, kScale, kBias, 1e-5f);
  const auto found =
      Differentiate(type, kImages, kChannels, x, dy, trained.mean, trained.variance, kScale, 1e-5f);
  EXPECT_EQ(Hash(found.input), 0x43377601u);
  EXPECT_EQ(Hash(found.scale), 0xe34de727u);
  EXPECT_EQ(Hash(found.bias), 0x52c20000u);
}

TEST(BatchNormalizationGrad, TakesMeanAndVarianceAsConstants) {
  const auto type = DML_OPERATOR_BATCH_NORMALIZATION_GRAD;
  const auto small = Differentiate(type, kSmall, kSmallChannels, kSmallInput, {1, 2, 3, 5}, {2, 6},
                                   {1, 1}, {4, 2}, 3);
  EXPECT_EQ(small.input, (Floats{2, 4, 3, 5}));
  EXPECT_EQ(small.scale, (Floats{.5f, 1}));
  EXPECT_EQ(small.bias, (Floats{3, 8}));
  const Floats x = Patterns(30000, 1009, 613, 16), dy = Patterns(30000, 257, 97, 8);
  const auto trained = Train(kImages, kChannels, x, kScale, kBias, 1e-5f);
  const auto found =
      Differentiate(type, kImages, kChannels, x, dy, trained.mean, trained.variance, kScale, 1e-5f);
  EXPECT_EQ(Hash(found.input), 0x0b786a70u);
  EXPECT_EQ(Hash(found.scale), 0xe34de727u);
  EXPECT_EQ(Hash(found.bias), 0x52c20000u);
}

// Data whose every addition rounds.
TEST(BatchNormalizationTrainingGrad, AddsInTheOrderOfB61) {
  const Floats x = Patterns(30000, 16777213, 7919, 1), dy = Patterns(30000, 16777199, 104729, 1);
  const auto trained = Train(kImages, kChannels, x, kScale, kBias, 1e-5f);
  EXPECT_EQ(Hash(trained.mean), 0x8a6b14ecu);
  EXPECT_EQ(Hash(trained.variance), 0x0319609bu);
  EXPECT_EQ(Hash(trained.output), 0x6231f2c2u);
  const auto found = Differentiate(DML_OPERATOR_BATCH_NORMALIZATION_TRAINING_GRAD, kImages,
                                   kChannels, x, dy, trained.mean, trained.variance, kScale, 1e-5f);
  EXPECT_EQ(Hash(found.input), 0xedd2b506u);
  EXPECT_EQ(Hash(found.scale), 0x3aa3666eu);
  EXPECT_EQ(Hash(found.bias), 0xb914a276u);
}

// BATCH_NORMALIZATION with broadcast rows and columns, whatever Spatial says (B41).
TEST(BatchNormalization, IgnoresSpatialAndTakesAnyEpsilon) {
  const Tensor image(kFloat32, {1, 1, 2, 2}), columns(kFloat32, {1, 1, 1, 2}),
      one(kFloat32, {1, 1, 1, 1});
  for (BOOL spatial : {FALSE, TRUE}) {
    DML_BATCH_NORMALIZATION_OPERATOR_DESC desc = {image, columns, one, one,    one,
                                                  image, spatial, 3,   nullptr};
    const Floats x = {1, 2, 3, 4}, mean = {1, 2}, variance = {1}, scale = {4}, bias = {10};
    EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_BATCH_NORMALIZATION, &desc,
                                 {In(x), In(mean), In(variance), In(scale), In(bias)}, 4),
              (Floats{10, 10, 14, 14}));
    desc.Epsilon = -1;
    const Floats zero = {0};
    for (float y : test::RunOn<float>(DML_OPERATOR_BATCH_NORMALIZATION, &desc,
                                      {In(x), In(mean), In(zero), In(scale), In(bias)}, 4)) {
      EXPECT_TRUE(std::isnan(y));
    }
  }
}

TEST(BatchNormalization, RefusesTensorsThatDoNotFit) {
  const Tensor image(kFloat32, {2, 3, 4, 5}), three(kFloat32, {1, 3, 1, 1}),
      two(kFloat32, {1, 2, 1, 1}), short_mean(kFloat32, {1, 3, 1}), halves(kFloat16, {1, 3, 1, 1});
  DML_BATCH_NORMALIZATION_OPERATOR_DESC desc = {image, two,  three, three,  three,
                                                image, TRUE, 1e-5f, nullptr};
  const auto refuse = [&] { return test::Refuse(DML_OPERATOR_BATCH_NORMALIZATION, &desc); };
  EXPECT_EQ(refuse(),
            "BATCH_NORMALIZATION: MeanTensor.Sizes[1] = 2 must be 1 or InputTensor.Sizes[1] = 3");
  desc.MeanTensor = short_mean;
  EXPECT_EQ(refuse(),
            "BATCH_NORMALIZATION: MeanTensor.DimensionCount = 3 must equal "
            "InputTensor.DimensionCount = 4");
  desc.MeanTensor = halves;
  EXPECT_EQ(refuse(),
            "BATCH_NORMALIZATION: MeanTensor.DataType = FLOAT16 must equal InputTensor.DataType = "
            "FLOAT32");
  desc.MeanTensor = three;
  const DML_ACTIVATION_RELU_OPERATOR_DESC with_tensor = {image, nullptr};
  const DML_OPERATOR_DESC activation = {DML_OPERATOR_ACTIVATION_RELU, &with_tensor};
  desc.FusedActivation = &activation;
  EXPECT_EQ(
      refuse(),
      "BATCH_NORMALIZATION: FusedActivation: ACTIVATION_RELU: InputTensor must be null, since "
      "the operator is fused");
  const DML_OPERATOR_DESC hardmax = {DML_OPERATOR_ACTIVATION_HARDMAX, &kNoTensors};
  desc.FusedActivation = &hardmax;
  EXPECT_TRUE(refuse().starts_with(
      "BATCH_NORMALIZATION: FusedActivation.Type = ACTIVATION_HARDMAX must be ACTIVATION_"));
}

// ---- Mean-variance normalization.

struct Layer {
  Sizes sizes;
  Sizes axes;
  Sizes scale_sizes = {};  // none: absent
  Floats scale = {};
  BOOL use_mean = TRUE;
  BOOL use_variance = TRUE;
  float epsilon = 3;
};

Floats Normalize2(const Layer& layer, const Floats& values) {
  const Tensor x(kFloat32, layer.sizes);
  const Tensor scale(kFloat32, layer.scale_sizes.empty() ? Sizes{1} : layer.scale_sizes);
  const DML_TENSOR_DESC* const scaled =
      layer.scale_sizes.empty() ? nullptr : static_cast<const DML_TENSOR_DESC*>(scale);
  const DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC desc = {x,
                                                               scaled,
                                                               nullptr,
                                                               x,
                                                               static_cast<UINT>(layer.axes.size()),
                                                               layer.axes.data(),
                                                               layer.use_mean,
                                                               layer.use_variance,
                                                               layer.epsilon,
                                                               nullptr};
  return test::RunOn<float>(DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION2, &desc,
                            {In(values), In(layer.scale), In(Floats())}, values.size());
}

Floats Normalize0(BOOL cross_channel, BOOL variance, const Sizes& sizes, const Floats& values) {
  const Tensor x(kFloat32, sizes);
  const DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC desc = {
      x, nullptr, nullptr, x, cross_channel, variance, 3, nullptr};
  return test::RunOn<float>(DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION, &desc,
                            {In(values), In(Floats()), In(Floats())}, values.size());
}

// B44.
TEST(MeanVarianceNormalization, UsesMeanAndVarianceAsTold) {
  EXPECT_EQ(Normalize2({kSmall, {2, 3}}, kSmallInput), (Floats{-.5f, .5f, -.5f, .5f}));
  EXPECT_EQ(Normalize0(FALSE, TRUE, kSmall, kSmallInput), (Floats{-.5f, .5f, -.5f, .5f}));
  EXPECT_EQ(Normalize0(TRUE, FALSE, kSmall, kSmallInput), (Floats{-3, -1, 1, 3}));
  EXPECT_EQ(Normalize2({{2}, {0}, {1}, {2}, FALSE, TRUE, 3.5f}, {3, 4}), (Floats{1.5f, 2}));
}

TEST(MeanVarianceNormalization, AddsInTheOrderOfB32) {
  const Floats x = Patterns(15000, 1009, 613, 7);
  EXPECT_EQ(Hash(Normalize2({{3, 5000}, {1}, {}, {}, TRUE, TRUE, 1e-5f}, x)), 0x7a8767a9u);
  EXPECT_EQ(Hash(Normalize2({{3, 5000}, {1}, {}, {}, FALSE, TRUE, 1e-5f}, x)), 0x2e53cbcbu);
}

TEST(MeanVarianceNormalization, HasVersionsThatAgree) {
  const Sizes sizes = {2, 3, 7, 9};
  const Floats values = Patterns(378, 1009, 613, 7);
  const Tensor x(kFloat32, sizes);
  for (bool cross_channel : {false, true}) {
    const Sizes axes = cross_channel ? Sizes{1, 2, 3} : Sizes{2, 3};
    const DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC desc = {
        x, nullptr, nullptr, x, static_cast<UINT>(axes.size()), axes.data(), TRUE, 3, nullptr};
    const Floats first = test::RunOn<float>(DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION1, &desc,
                                            {In(values), In(Floats()), In(Floats())}, 378);
    EXPECT_EQ(BitsOf(first), BitsOf(Normalize0(cross_channel, TRUE, sizes, values)));
    EXPECT_EQ(BitsOf(first), BitsOf(Normalize2({sizes, axes}, values)));
  }
}

// MV3: only version 1 wants the input's channels below 4_0.
TEST(MeanVarianceNormalization, TakesOneScaleForAllChannelsAtEveryLevel) {
  const Tensor x(kFloat32, {2, 3, 4, 5}), one(kFloat32, {1, 1, 1, 1});
  const DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC desc = {x,    one,  one,   x,
                                                              TRUE, TRUE, 1e-5f, nullptr};
  for (FeatureLevel level : {FeatureLevel::k1_0, FeatureLevel::k3_1}) {
    EXPECT_EQ(test::Refuse(DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION, &desc, {level}), "");
  }
}

TEST(MeanVarianceNormalization, RefusesWhatALevelDoesNotHave) {
  const Tensor x(kFloat32, {2, 3, 4, 5}), three(kFloat32, {1, 3, 1, 1}),
      two(kFloat32, {1, 2, 1, 1}), one(kFloat32, {1, 1, 1, 1});
  const UINT axes[] = {2, 3, 3, 4};
  DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC desc = {x,    three, nullptr, x,      2,
                                                         axes, TRUE,  1e-5f,   nullptr};
  const auto refuse = [&](FeatureLevel level) {
    return test::Refuse(DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION1, &desc, {level});
  };
  EXPECT_EQ(refuse(FeatureLevel::k5_2), "");
  EXPECT_EQ(refuse(FeatureLevel::k5_1),
            "MEAN_VARIANCE_NORMALIZATION1: one of ScaleTensor and BiasTensor alone needs feature "
            "level 5_2 or above; this device has 5_1");
  desc.ScaleTensor = desc.BiasTensor = one;
  EXPECT_EQ(refuse(FeatureLevel::k4_0), "");
  EXPECT_EQ(
      refuse(FeatureLevel::k3_1),
      "MEAN_VARIANCE_NORMALIZATION1: ScaleTensor.Sizes[1] = 1 must be that of InputTensor, 3, "
      "below feature level 4_0; this device has 3_1");
  desc.ScaleTensor = desc.BiasTensor = two;
  EXPECT_EQ(refuse(kNewestFeatureLevel),
            "MEAN_VARIANCE_NORMALIZATION1: ScaleTensor.Sizes[1] = 2 must be 1 or "
            "InputTensor.Sizes[1] = 3");
  desc.ScaleTensor = desc.BiasTensor = three;
  desc.Axes = axes + 1;
  EXPECT_EQ(refuse(kNewestFeatureLevel),
            "MEAN_VARIANCE_NORMALIZATION1: Axes = {3, 3} must not have an axis twice");
  desc.Axes = axes + 2;
  EXPECT_EQ(refuse(kNewestFeatureLevel),
            "MEAN_VARIANCE_NORMALIZATION1: Axes[1] = 4 must be less than "
            "InputTensor.DimensionCount = 4");
  desc.AxisCount = 0;
  desc.Axes = nullptr;
  EXPECT_EQ(refuse(kNewestFeatureLevel), "");
}

}  // namespace
}  // namespace anydml::normalization
