// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about GEMM and CONVOLUTION: the rulings B60 to B64 and B70 to B73, the
// acceptance cases GM, CV and WG, and every refusal.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "backends/cpu/instruction_set.h"
#include "support/run.h"

namespace anydml::matmul {
namespace {

using test::Count;
using test::In;
using test::Pattern;
using test::Tensor;
using Floats = std::vector<float>;
using Halves = std::vector<uint16_t>;
using Sizes = std::vector<UINT>;

constexpr auto kFloat32 = DML_TENSOR_DATA_TYPE_FLOAT32;
constexpr auto kFloat16 = DML_TENSOR_DATA_TYPE_FLOAT16;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

uint16_t Half(float value) { return ToFloat16(value).bits; }

// P(i, m, k) / scale, for i = 0, 1, ...
Floats Patterns(size_t count, int64_t m, int64_t k, float scale = 1) {
  Floats values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(Pattern(static_cast<int64_t>(i), m, k)) / scale;
  }
  return values;
}

Halves HalvesOf(const Floats& values) {
  Halves halves;
  for (float value : values) halves.push_back(Half(value));
  return halves;
}

// CRC-32 of the bytes, as zlib has it.
template <typename T>
uint32_t Crc(const std::vector<T>& values) {
  uint32_t crc = ~0u;
  for (uint8_t byte : test::BytesOf(values)) {
    crc ^= byte;
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
  }
  return ~crc;
}

// S1 and S2: the sum of the elements, and that of the elements times 1, 2, ..., 101, 1, 2, ...
std::pair<double, double> Sums(const Floats& values) {
  double plain = 0, weighted = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    plain += static_cast<double>(values[i]);
    weighted += static_cast<double>(values[i]) * static_cast<double>(i % 101 + 1);
  }
  return {plain, weighted};
}

template <typename F>
void OnEachInstructionSet(const F& f) {
  for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
    SCOPED_TRACE(set.name);
    const cpu::ScopedInstructionSet scope(set);
    f();
  }
}

// ---- GEMM

struct Matrices {
  Sizes a, b, output;
  bool has_c = false;
  float alpha = 1, beta = 1;
  bool trans_a = false, trans_b = false;
  Sizes a_strides = {}, b_strides = {}, c_strides = {};
  DML_TENSOR_DATA_TYPE type = kFloat32;
};

template <typename T>
std::vector<T> Gemm(const Matrices& m, const std::vector<T>& a, const std::vector<T>& b,
                    const std::vector<T>& c = {}) {
  const Tensor a_tensor(m.type, m.a, m.a_strides), b_tensor(m.type, m.b, m.b_strides);
  const Tensor c_tensor(m.type, m.output, m.c_strides), output(m.type, m.output);
  const DML_GEMM_OPERATOR_DESC desc = {
      a_tensor,
      b_tensor,
      m.has_c ? static_cast<const DML_TENSOR_DESC*>(c_tensor) : nullptr,
      output,
      static_cast<DML_MATRIX_TRANSFORM>(m.trans_a),
      static_cast<DML_MATRIX_TRANSFORM>(m.trans_b),
      m.alpha,
      m.beta,
      nullptr};
  const test::Memory addend = m.has_c ? In(c) : test::Memory{nullptr, 0};
  return test::RunOn<T>(DML_OPERATOR_GEMM, &desc, {In(a), In(b), addend}, Count(m.output));
}

// One row times one column.
float Dot(const Floats& a, const Floats& b) {
  const auto k = static_cast<UINT>(a.size());
  return Gemm<float>({.a = {1, k}, .b = {k, 1}, .output = {1, 1}}, a, b)[0];
}

// GM-01
TEST(Gemm, GivesTheExampleOfAlphaAndBeta) {
  const Matrices m = {
      .a = {2, 2}, .b = {2, 2}, .output = {2, 2}, .has_c = true, .alpha = 2, .beta = 3};
  EXPECT_EQ(Gemm<float>(m, {1, 2, 3, 4}, {5, 6, 7, 8}, {1, 1, 1, 1}), (Floats{41, 47, 89, 103}));
}

// GM-02: multiplying and then adding would give 0; descending terms would give 1.
TEST(Gemm, FusesProductsInAscendingOrder) {
  OnEachInstructionSet([] {
    EXPECT_EQ(Dot({1, 1 + 0x1p-12f}, {-(1 + 0x1p-11f), 1 + 0x1p-12f}), 0x1p-24f);
    EXPECT_EQ(Dot({0x1p24f, 1, -0x1p24f}, {1, 1, 1}), 0);
  });
}

// GM-03
TEST(Gemm, EndsAChainAfter512Terms) {
  OnEachInstructionSet([] {
    for (const auto& [k, expected] :
         {std::pair{512, 0x1p24f}, {513, 0x1p24f}, {1024, 0x1p24f + 512}}) {
      Floats a(static_cast<size_t>(k), 1.0f), ones(static_cast<size_t>(k), 1.0f);
      a[0] = 0x1p24f;
      EXPECT_EQ(Dot(a, ones), expected) << k;
    }
  });
}

// GM-04, GM-05: big numbers, so that every step rounds.
TEST(Gemm, HasTheBitsOfTheDefinedOrder) {
  const Floats a = Patterns(7 * 1300, 16777213, 7919), b = Patterns(1300 * 5, 16777199, 104729);
  const Floats c = Patterns(35, 16777213, 31337);
  Matrices m = {.a = {7, 1300}, .b = {1300, 5}, .output = {7, 5}};
  OnEachInstructionSet([&] {
    m.has_c = false, m.alpha = 1;
    EXPECT_EQ(Crc(Gemm(m, a, b)), 0xB91D7072u);
    m.has_c = true, m.alpha = 0.3f, m.beta = -0.7f;
    EXPECT_EQ(Crc(Gemm(m, a, b, c)), 0xD9B9097Cu);
  });
}

// GM-06
TEST(Gemm, HasTheSameBitsInEveryLayout) {
  const Floats a = Patterns(7 * 1300, 16777213, 7919), b = Patterns(1300 * 5, 16777199, 104729);
  Floats a_transposed(a.size()), b_transposed(b.size());
  for (size_t k = 0; k < 1300; ++k) {
    for (size_t i = 0; i < 7; ++i) a_transposed[k * 7 + i] = a[i * 1300 + k];
    for (size_t i = 0; i < 5; ++i) b_transposed[i * 1300 + k] = b[k * 5 + i];
  }
  const Matrices by_transforms = {
      .a = {1300, 7}, .b = {5, 1300}, .output = {7, 5}, .trans_a = true, .trans_b = true};
  EXPECT_EQ(Crc(Gemm(by_transforms, a_transposed, b_transposed)), 0xB91D7072u);
  const Matrices by_strides = {.a = {7, 1300},
                               .b = {1300, 5},
                               .output = {7, 5},
                               .a_strides = {1, 7},
                               .b_strides = {1, 1300}};
  EXPECT_EQ(Crc(Gemm(by_strides, a_transposed, b_transposed)), 0xB91D7072u);
  // Two batches of the same matrices, by strides of 0.
  const Matrices batches = {.a = {1, 2, 7, 1300},
                            .b = {1, 2, 1300, 5},
                            .output = {1, 2, 7, 5},
                            .a_strides = {0, 0, 1300, 1},
                            .b_strides = {0, 0, 5, 1}};
  const Floats twice = Gemm(batches, a, b);
  EXPECT_EQ(Crc(Floats(twice.begin(), twice.begin() + 35)), 0xB91D7072u);
  EXPECT_EQ(Crc(Floats(twice.begin() + 35, twice.end())), 0xB91D7072u);
}

// GM-07, GM-08: products of halves are exact in float, and the result is rounded once.
TEST(Gemm, AddsHalvesInFloat) {
  const Halves a = HalvesOf(Patterns(4 * 700, 2039, 7, 64)),
               b = HalvesOf(Patterns(700 * 6, 2029, 11, 64));
  const Matrices m = {.a = {4, 700}, .b = {700, 6}, .output = {4, 6}, .type = kFloat16};
  OnEachInstructionSet([&] {
    const Halves y = Gemm(m, a, b);
    EXPECT_EQ(Crc(y), 0x3FA4F509u);
    EXPECT_EQ((Halves{y[0], y[1], y[2]}), (Halves{Half(1789), Half(2358), Half(2292)}));
  });
  Matrices one = {.a = {1, 2}, .b = {2, 1}, .output = {1, 1}, .type = kFloat16};
  const Halves values = {Half(1), Half(0x1p-11f)}, ones = {Half(1), Half(1)};
  EXPECT_EQ(Gemm(one, values, ones)[0], Half(1));
  one.has_c = true;
  EXPECT_EQ(Gemm(one, values, ones, {Half(0x1p-11f)})[0], Half(1 + 0x1p-10f));
}

// GM-09
TEST(Gemm, NeverSumsToNegativeZero) {
  OnEachInstructionSet(
      [] { EXPECT_EQ(std::bit_cast<uint32_t>(Dot({-0x1p-100f}, {0x1p-100f})), 0u); });
}

// GM-10, B64: BLAS would leave out what is multiplied by 0.
TEST(Gemm, MultipliesByAlphaAndBetaEvenIfTheyAreZero) {
  Matrices m = {.a = {1, 1}, .b = {1, 1}, .output = {1, 1}, .has_c = true, .beta = 0};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(Gemm<float>(m, {1}, {1}, {nan})[0]));
  m.has_c = false, m.alpha = 0;
  EXPECT_TRUE(std::isnan(Gemm<float>(m, {3e38f}, {3e38f})[0]));
  // Without C Beta is not looked at.
  m.alpha = 1, m.beta = nan;
  EXPECT_EQ(Gemm<float>(m, {2}, {3})[0], 6);
}

// B70: the sum in double is a tie that is none; subnormal sums have fewer bits.
TEST(Gemm, RoundsOnceOnEveryInstructionSet) {
  OnEachInstructionSet([] {
    const float a = 0x1p-12f * (1 + 0x1p-23f), b = 0x1p-12f * (1 - 0x1p-23f), c = 1 + 0x1p-23f;
    EXPECT_EQ(Dot({c, a}, {1, b}), c);
    EXPECT_EQ(Dot({0x1p-126f, 0x1.8p-75f}, {1, -0x1.000002p-75f}), 0x1.fffffcp-127f);
    EXPECT_EQ(Dot({3e38f, 3e38f}, {1, 1}), kInfinity);
    EXPECT_TRUE(std::isnan(Dot({kInfinity, 1}, {1, -kInfinity})));
  });
}

TEST(Gemm, BroadcastsCByStridesOfZero) {
  const Matrices m = {
      .a = {2, 1}, .b = {1, 3}, .output = {2, 3}, .has_c = true, .c_strides = {0, 1}};
  EXPECT_EQ(Gemm<float>(m, {1, 2}, {1, 2, 3}, {10, 20, 30}), (Floats{11, 22, 33, 12, 24, 36}));
}

std::string RefuseGemm(const Tensor& a, const Tensor& b, const Tensor* c, const Tensor& output,
                       const DeviceOptions& options = {}) {
  const DML_GEMM_OPERATOR_DESC desc = {
      a,      b,  c == nullptr ? nullptr : static_cast<const DML_TENSOR_DESC*>(*c),
      output, {}, {},
      1,      1,  nullptr};
  return test::Refuse(DML_OPERATOR_GEMM, &desc, options);
}

// GM-11
TEST(Gemm, RefusesWhatDoesNotFit) {
  const Tensor a(kFloat32, {2, 3}), b(kFloat32, {3, 4}), y(kFloat32, {2, 4});
  EXPECT_EQ(RefuseGemm(a, b, nullptr, y), "");
  EXPECT_EQ(RefuseGemm(a, Tensor(kFloat32, {4, 4}), nullptr, y),
            "GEMM: BTensor.Sizes[0] = 4 must equal ATensor.Sizes[1] = 3");
  EXPECT_EQ(RefuseGemm(a, b, nullptr, Tensor(kFloat32, {3, 4})),
            "GEMM: OutputTensor.Sizes[0] = 3 must equal ATensor.Sizes[0] = 2");
  EXPECT_EQ(RefuseGemm(a, b, nullptr, Tensor(kFloat32, {2, 5})),
            "GEMM: OutputTensor.Sizes[1] = 5 must equal BTensor.Sizes[1] = 4");
  const Tensor c(kFloat32, {1, 4});
  EXPECT_EQ(RefuseGemm(a, b, &c, y),
            "GEMM: OutputTensor.Sizes = {2, 4} must equal CTensor.Sizes = {1, 4}");
  EXPECT_EQ(RefuseGemm(a, Tensor(kFloat16, {3, 4}), nullptr, y),
            "GEMM: BTensor.DataType = FLOAT16 must equal ATensor.DataType = FLOAT32");
  EXPECT_EQ(RefuseGemm(Tensor(kFloat32, {2, 2, 3}), Tensor(kFloat32, {3, 3, 4}), nullptr,
                       Tensor(kFloat32, {2, 2, 4})),
            "GEMM: BTensor.Sizes[0] = 3 must equal ATensor.Sizes[0] = 2");
  EXPECT_EQ(RefuseGemm(Tensor(DML_TENSOR_DATA_TYPE_INT32, {2, 3}),
                       Tensor(DML_TENSOR_DATA_TYPE_INT32, {3, 4}), nullptr,
                       Tensor(DML_TENSOR_DATA_TYPE_INT32, {2, 4})),
            "GEMM: ATensor.DataType = INT32 must be FLOAT32 or FLOAT16");
  EXPECT_NE(RefuseGemm(Tensor(kFloat32, {1, 1, 1, 2, 3}), Tensor(kFloat32, {1, 1, 1, 3, 4}),
                       nullptr, Tensor(kFloat32, {1, 1, 1, 2, 4})),
            "");
  EXPECT_NE(
      RefuseGemm(Tensor(kFloat32, {3}), Tensor(kFloat32, {3}), nullptr, Tensor(kFloat32, {3})), "");
  // Below feature level 4_0 matrices have four dimensions.
  EXPECT_NE(RefuseGemm(a, b, nullptr, y, {.feature_level = FeatureLevel::k3_1}), "");
}

// B64: the activation gets the sum rounded to its type. Unrounded, 2049 would be kept by the clip.
TEST(Gemm, AppliesTheActivationToTheRoundedSum) {
  const Tensor a(kFloat16, {1, 2}), b(kFloat16, {2, 1}), y(kFloat16, {1, 1});
  const DML_ELEMENT_WISE_CLIP_OPERATOR_DESC clip = {nullptr, nullptr, nullptr, 2048, 2052};
  const DML_ACTIVATION_RELU_OPERATOR_DESC relu = {nullptr, nullptr};
  DML_OPERATOR_DESC fused = {DML_OPERATOR_ELEMENT_WISE_CLIP, &clip};
  const DML_GEMM_OPERATOR_DESC desc = {a, b, nullptr, y, {}, {}, 1, 1, &fused};
  const auto run = [&](const Halves& values) {
    return test::RunOn<uint16_t>(DML_OPERATOR_GEMM, &desc,
                                 {In(values), In(HalvesOf({1, 1})), test::Memory{nullptr, 0}},
                                 1)[0];
  };
  EXPECT_EQ(run(HalvesOf({2048, 3})), Half(2052));
  EXPECT_EQ(run(HalvesOf({2048, 1})), Half(2048));
  EXPECT_EQ(run(HalvesOf({3, 1})), Half(2048));
  fused = {DML_OPERATOR_ACTIVATION_RELU, &relu};
  EXPECT_EQ(run(HalvesOf({-3, 1})), Half(0));
  // GM-11
  fused.Type = DML_OPERATOR_ACTIVATION_HARDMAX;
  EXPECT_NE(test::Refuse(DML_OPERATOR_GEMM, &desc), "");
  const DML_ACTIVATION_RELU_OPERATOR_DESC with_tensor = {y, nullptr};
  fused = {DML_OPERATOR_ACTIVATION_RELU, &with_tensor};
  EXPECT_NE(test::Refuse(DML_OPERATOR_GEMM, &desc), "");
}

// ---- CONVOLUTION

struct Geometry {
  Sizes x, w, y;
  bool has_bias = false;
  DML_CONVOLUTION_MODE mode = DML_CONVOLUTION_MODE_CROSS_CORRELATION;
  DML_CONVOLUTION_DIRECTION direction = DML_CONVOLUTION_DIRECTION_FORWARD;
  Sizes strides = {}, dilations = {}, start = {}, end = {}, output_padding = {};
  UINT groups = 1;
  Sizes x_strides = {}, w_strides = {}, y_strides = {};
  Sizes bias = {};  // sizes; {1, Co, 1, ..} unless given
  UINT axes = 0;    // DimensionCount, unless 0
};

constexpr auto kBackward = DML_CONVOLUTION_DIRECTION_BACKWARD;

// Calls f with the description.
template <typename F>
auto WithDescription(const Geometry& g, const F& f, DML_TENSOR_DATA_TYPE type = kFloat32) {
  const size_t axes = g.x.size() - 2;
  const auto filled = [&](const Sizes& given, UINT value) {
    return given.empty() ? Sizes(axes, value) : given;
  };
  const Sizes strides = filled(g.strides, 1), dilations = filled(g.dilations, 1),
              start = filled(g.start, 0), end = filled(g.end, 0),
              output_padding = filled(g.output_padding, 0);
  Sizes bias_sizes = g.bias;
  if (bias_sizes.empty()) {
    bias_sizes.assign(g.y.size(), 1);
    bias_sizes[1] = g.y[1];
  }
  const Tensor x(type, g.x, g.x_strides), w(type, g.w, g.w_strides), bias(type, bias_sizes),
      y(type, g.y, g.y_strides);
  const DML_CONVOLUTION_OPERATOR_DESC desc = {
      x,
      w,
      g.has_bias ? static_cast<const DML_TENSOR_DESC*>(bias) : nullptr,
      y,
      g.mode,
      g.direction,
      g.axes == 0 ? static_cast<UINT>(axes) : g.axes,
      strides.data(),
      dilations.data(),
      start.data(),
      end.data(),
      output_padding.data(),
      g.groups,
      nullptr};
  return f(desc);
}

Floats Convolve(const Geometry& g, const Floats& x, const Floats& w, const Floats& bias = {}) {
  return WithDescription(g, [&](const DML_CONVOLUTION_OPERATOR_DESC& desc) {
    const test::Memory addend = g.has_bias ? In(bias) : test::Memory{nullptr, 0};
    return test::RunOn<float>(DML_OPERATOR_CONVOLUTION, &desc, {In(x), In(w), addend}, Count(g.y));
  });
}

std::string Refuse(const Geometry& g, const DeviceOptions& options = {}) {
  return WithDescription(g, [&](const DML_CONVOLUTION_OPERATOR_DESC& desc) {
    return test::Refuse(DML_OPERATOR_CONVOLUTION, &desc, options);
  });
}

const Floats kOneToNine = {1, 2, 3, 4, 5, 6, 7, 8, 9};

// CV-01
TEST(Convolution, CorrelatesOrFlipsTheFilter) {
  Geometry g = {.x = {1, 1, 3, 3}, .w = {1, 1, 2, 2}, .y = {1, 1, 2, 2}};
  EXPECT_EQ(Convolve(g, kOneToNine, {1, 2, 3, 4}), (Floats{37, 47, 67, 77}));
  g.mode = DML_CONVOLUTION_MODE_CONVOLUTION;
  EXPECT_EQ(Convolve(g, kOneToNine, {1, 2, 3, 4}), (Floats{23, 33, 53, 63}));
}

TEST(Convolution, BackwardSpreadsTheInput) {
  const Geometry g = {
      .x = {1, 1, 3, 3}, .w = {1, 1, 2, 2}, .y = {1, 1, 4, 4}, .direction = kBackward};
  EXPECT_EQ(Convolve(g, kOneToNine, {1, 2, 3, 4}),
            (Floats{1, 4, 7, 6, 7, 23, 33, 24, 19, 53, 63, 42, 21, 52, 59, 36}));
}

// B72
TEST(Convolution, OutputPaddingHasNoTerms) {
  const Geometry one = {.x = {1, 1, 3},
                        .w = {1, 1, 2},
                        .y = {1, 1, 7},
                        .direction = kBackward,
                        .strides = {2},
                        .output_padding = {1}};
  EXPECT_EQ(Convolve(one, {1, 2, 3}, {1, 10}), (Floats{1, 10, 2, 20, 3, 30, 0}));
  Geometry two = {.x = {1, 1, 3},
                  .w = {1, 1, 3},
                  .y = {1, 1, 6},
                  .direction = kBackward,
                  .strides = {2},
                  .start = {1},
                  .end = {1}};
  EXPECT_EQ(Convolve(two, {1, 2, 3}, {1, 10, 100}), (Floats{10, 102, 20, 203, 30, 300}));
  two.output_padding = {1};
  two.has_bias = true;
  EXPECT_EQ(Convolve(two, {1, 2, 3}, {1, 10, 100}, {5}), (Floats{15, 107, 25, 208, 35, 5}));
}

// B63
TEST(Convolution, PaddingIsAZeroThatTakesPart) {
  const Geometry g = {.x = {1, 1, 2}, .w = {1, 1, 2}, .y = {1, 1, 2}, .start = {1}};
  const Floats y = Convolve(g, {1, 2}, {kInfinity, 1});
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], kInfinity);
}

// CV-02, CV-03
TEST(Convolution, KnowsGroupsStridesDilationsAndPadding) {
  const Floats w = Patterns(6 * 2 * 3 * 2, 11, 7);
  Geometry g = {.x = {2, 4, 9, 8},
                .w = {6, 2, 3, 2},
                .y = {2, 6, 5, 8},
                .has_bias = true,
                .strides = {2, 1},
                .dilations = {2, 1},
                .start = {2, 0},
                .end = {2, 1},
                .groups = 2};
  EXPECT_EQ(Sums(Convolve(g, Patterns(Count(g.x), 17, 5), w, Patterns(6, 13, 5))),
            (std::pair{-36.0, -12783.0}));
  std::swap(g.x, g.y);
  g.has_bias = false;
  g.direction = kBackward;
  EXPECT_EQ(Sums(Convolve(g, Patterns(Count(g.x), 19, 3), w)), (std::pair{-126.0, -12369.0}));
}

// CV-04: 540 terms, in both orders of taps. CV-05, CV-09: backward.
TEST(Convolution, HasTheBitsOfTheDefinedOrder) {
  const Floats w = Patterns(2 * 60 * 9, 16777199, 104729);
  Geometry g = {
      .x = {1, 60, 5, 5}, .w = {2, 60, 3, 3}, .y = {1, 2, 5, 5}, .start = {1, 1}, .end = {1, 1}};
  const Geometry back = {.x = {1, 2, 3, 3},
                         .w = {2, 60, 3, 3},
                         .y = {1, 60, 5, 5},
                         .direction = kBackward,
                         .strides = {2, 2},
                         .start = {1, 1},
                         .end = {1, 1}};
  const Geometry long_back = {.x = {1, 300, 3, 3},
                              .w = {300, 2, 3, 3},
                              .y = {1, 2, 6, 6},
                              .direction = kBackward,
                              .strides = {2, 2},
                              .start = {1, 1},
                              .end = {1, 1}};
  const Floats x = Patterns(Count(g.x), 16777213, 7919);
  OnEachInstructionSet([&] {
    g.mode = DML_CONVOLUTION_MODE_CROSS_CORRELATION;
    EXPECT_EQ(Crc(Convolve(g, x, w)), 0x341D3AA5u);
    g.mode = DML_CONVOLUTION_MODE_CONVOLUTION;
    EXPECT_EQ(Crc(Convolve(g, x, w)), 0xF6F5DCB3u);
    EXPECT_EQ(Crc(Convolve(back, Patterns(18, 16777213, 31337), w)), 0xCC450BF0u);
    EXPECT_EQ(
        Crc(Convolve(long_back, Patterns(2700, 16777213, 31337), Patterns(5400, 16777199, 104729))),
        0xE81B6B42u);
  });
}

// Batch and channel exchanged by strides, strides and dilations exchanged: dW of a convolution.
Floats WeightGradient(const Sizes& x, const Sizes& dy, const Sizes& window, UINT stride,
                      UINT padding, const Floats& x_data, const Floats& dy_data) {
  const UINT in = x[2] * x[3], out = dy[2] * dy[3], taps = window[0] * window[1];
  const Geometry g = {.x = {x[1], x[0], x[2], x[3]},
                      .w = {dy[1], dy[0], dy[2], dy[3]},
                      .y = {x[1], dy[1], window[0], window[1]},
                      .dilations = {stride, stride},
                      .start = {padding, padding},
                      .end = {padding, padding},
                      .x_strides = {in, x[1] * in, x[3], 1},
                      .w_strides = {out, dy[1] * out, dy[3], 1},
                      .y_strides = {taps, x[1] * taps, window[1], 1}};
  return Convolve(g, x_data, dy_data);
}

// WG-01, WG-02
TEST(Convolution, GivesWeightGradientsOnViews) {
  OnEachInstructionSet([&] {
    EXPECT_EQ(Crc(WeightGradient({3, 2, 16, 16}, {3, 2, 16, 16}, {3, 3}, 1, 1,
                                 Patterns(1536, 16777213, 7919), Patterns(1536, 16777199, 104729))),
              0xD1145F3Au);
  });
  const Floats dw = WeightGradient({2, 3, 6, 5}, {2, 4, 3, 2}, {2, 2}, 2, 0, Patterns(180, 17, 5),
                                   Patterns(48, 11, 7));
  EXPECT_EQ((Floats{dw[0], dw[1], dw[2], dw[3]}), (Floats{20, 52, -58, -43}));
  EXPECT_EQ(Sums(dw), (std::pair{89.0, 7555.0}));
}

// Items of the views are neighbours in memory.
TEST(Convolution, GivesWeightGradientsOfChannelsLastImages) {
  const Geometry g = {.x = {19, 2, 6, 5},
                      .w = {3, 2, 3, 3},
                      .y = {19, 3, 2, 2},
                      .dilations = {2, 2},
                      .start = {1, 1},
                      .end = {0, 1},
                      .x_strides = {1, 570, 95, 19},
                      .w_strides = {1, 27, 9, 3},
                      .y_strides = {1, 76, 38, 19}};
  const Floats x = Patterns(2 * 570, 16777213, 7919), dy = Patterns(54, 16777199, 104729);
  // Compared with the reference, and with the same in another layout.
  const Floats dw = Convolve(g, x, dy);
  Floats x_packed(x.size()), dy_packed(dy.size());
  for (size_t i = 0; i < x.size(); ++i) {
    x_packed[(i % 19 * 2 + i / 570) * 30 + i % 570 / 19] = x[i];
  }
  for (size_t i = 0; i < dy.size(); ++i) {
    dy_packed[(i % 3 * 2 + i / 27) * 9 + i % 27 / 3] = dy[i];
  }
  Geometry packed = g;
  packed.x_strides = packed.w_strides = packed.y_strides = {};
  const Floats expected = Convolve(packed, x_packed, dy_packed);
  for (size_t i = 0; i < dw.size(); ++i) {
    EXPECT_EQ(dw[i], expected[(i % 19 * 3 + i / 76) * 4 + i % 76 / 19]) << i;
  }
}

// A product of matrices has the bits of a convolution with windows of one element.
TEST(Convolution, WithWindowsOfOneElementIsGemm) {
  const Floats m = Patterns(3 * 40, 16777213, 7919), n = Patterns(40 * 6, 16777199, 104729);
  EXPECT_EQ(Gemm<float>({.a = {3, 40}, .b = {40, 6}, .output = {3, 6}}, m, n),
            Convolve({.x = {1, 40, 6}, .w = {3, 40, 1}, .y = {1, 3, 6}}, n, m));
}

// Backward at stride 1 has the bits of a forward convolution with the flipped filter, channels
// exchanged (B62).
TEST(Convolution, BackwardAtStride1IsForwardWithTheFlippedFilter) {
  const Floats x = Patterns(5 * 7 * 6, 16777213, 7919), w = Patterns(5 * 4 * 9, 16777199, 104729);
  const Geometry back = {.x = {1, 5, 7, 6},
                         .w = {5, 4, 3, 3},
                         .y = {1, 4, 7, 6},
                         .direction = kBackward,
                         .start = {1, 1},
                         .end = {1, 1}};
  const Geometry forward = {.x = {1, 5, 7, 6},
                            .w = {4, 5, 3, 3},
                            .y = {1, 4, 7, 6},
                            .mode = DML_CONVOLUTION_MODE_CONVOLUTION,
                            .start = {1, 1},
                            .end = {1, 1},
                            .w_strides = {9, 36, 3, 1}};
  EXPECT_EQ(Convolve(back, x, w), Convolve(forward, x, w));
}

// CV-06, CV-07, B71
TEST(Convolution, TakesEveryOutputWhoseWindowsLieInThePaddedImage) {
  Geometry back = {.x = {1, 1, 3},
                   .w = {1, 1, 3},
                   .y = {1, 1, 4},
                   .direction = kBackward,
                   .strides = {2},
                   .start = {1},
                   .end = {1}};
  EXPECT_EQ(Refuse(back),
            "CONVOLUTION: InputTensor.Sizes[2] = 3 must be at most 2 = (6 - 3) / 2 + 1");
  for (UINT size : {5, 6, 9}) {
    back.y[2] = size;
    EXPECT_EQ(Refuse(back), "") << size;
  }
  Geometry g = {.x = {1, 1, 3, 3}, .w = {1, 1, 2, 2}, .y = {1, 1, 1, 2}};
  EXPECT_EQ(Refuse(g), "");
  g.y[2] = 3;
  EXPECT_EQ(Refuse(g),
            "CONVOLUTION: OutputTensor.Sizes[2] = 3 must be at most 2 = (3 - 2) / 1 + 1");
}

// CV-08
TEST(Convolution, RefusesWhatDoesNotFit) {
  const Geometry good = {.x = {1, 4, 3, 3}, .w = {2, 4, 2, 2}, .y = {1, 2, 2, 2}};
  EXPECT_EQ(Refuse(good), "");
  Geometry g = good;
  g.w[2] = 4;
  EXPECT_EQ(
      Refuse(g),
      "CONVOLUTION: FilterTensor.Sizes[2] = 4 with Dilations[0] = 1 spans 4 elements and must "
      "span at most InputTensor.Sizes[2] + StartPadding[0] + EndPadding[0] = 3");
  g = good;
  g.strides = {0, 1};
  EXPECT_EQ(Refuse(g), "CONVOLUTION: Strides = {0, 1} must be at least 1 in every entry");
  g = good;
  g.dilations = {1, 0};
  EXPECT_EQ(Refuse(g), "CONVOLUTION: Dilations = {1, 0} must be at least 1 in every entry");
  g = good;
  g.groups = 3;
  EXPECT_EQ(Refuse(g), "CONVOLUTION: GroupCount = 3 must divide InputTensor.Sizes[1] = 4");
  g.groups = 0;
  EXPECT_EQ(Refuse(g), "CONVOLUTION: GroupCount = 0 must divide InputTensor.Sizes[1] = 4");
  g.groups = 4;
  EXPECT_EQ(Refuse(g), "CONVOLUTION: GroupCount = 4 must divide OutputTensor.Sizes[1] = 2");
  g.groups = 2;
  EXPECT_EQ(Refuse(g),
            "CONVOLUTION: FilterTensor.Sizes[1] = 4 must be 2 = InputTensor.Sizes[1] / GroupCount");
  g = good;
  g.has_bias = true;
  g.bias = {1, 2, 1, 2};
  EXPECT_EQ(Refuse(g), "CONVOLUTION: BiasTensor.Sizes[3] = 2 must be 1");
  g.bias = {1, 1, 1, 1};
  EXPECT_EQ(Refuse(g), "CONVOLUTION: BiasTensor.Sizes[1] = 1 must equal OutputTensor.Sizes[1] = 2");
  g = good;
  g.w[0] = 3;
  EXPECT_EQ(Refuse(g),
            "CONVOLUTION: FilterTensor.Sizes[0] = 3 must equal OutputTensor.Sizes[1] = 2");
  g = good;
  g.y[0] = 2;
  EXPECT_EQ(Refuse(g),
            "CONVOLUTION: OutputTensor.Sizes[0] = 2 must equal InputTensor.Sizes[0] = 1");
  g = good;
  g.axes = 3;
  EXPECT_NE(Refuse(g), "");
  g = good;
  g.output_padding = {0, 2};
  EXPECT_EQ(Refuse(g),
            "CONVOLUTION: OutputPadding[1] = 2 must be less than OutputTensor.Sizes[3] = 2");
  g = good;
  // Not through a DML_CONVOLUTION_MODE, which must not hold what is no enumerator.
  const std::string refusal = WithDescription(g, [](DML_CONVOLUTION_OPERATOR_DESC desc) {
    const uint32_t two = 2;
    std::memcpy(&desc.Mode, &two, sizeof two);
    return test::Refuse(DML_OPERATOR_CONVOLUTION, &desc, {});
  });
  EXPECT_EQ(refusal, "CONVOLUTION: Mode = 2 must be CONVOLUTION (0) or CROSS_CORRELATION (1)");
  const Geometry one_axis = {.x = {1, 1, 3}, .w = {1, 1, 2}, .y = {1, 1, 2}};
  EXPECT_EQ(Refuse(one_axis), "");
  EXPECT_NE(Refuse(one_axis, {.feature_level = FeatureLevel::k3_1}), "");
}

// Products of sizes near 2^32 must not wrap, and places far beyond the border are not read.
TEST(Convolution, HandlesNumbersNear2ToThe32) {
  const UINT far = 0x80000000u;
  const Geometry taps = {.x = {1, 1, 2},
                         .w = {1, 1, 2},
                         .y = {1, 1, 1},
                         .dilations = {far},
                         .start = {far - 1},
                         .end = {1}};
  EXPECT_EQ(Convolve(taps, {3, 5}, {7, 11}), (Floats{5 * 0 + 3 * 0 + 11 * 5}));
  const Geometry back = {.x = {1, 1, 2},
                         .w = {1, 1, 1},
                         .y = {1, 1, 3},
                         .direction = kBackward,
                         .strides = {0xFFFFFFFFu},
                         .start = {0},
                         .end = {0xFFFFFFFDu}};
  EXPECT_EQ(Convolve(back, {3, 5}, {7}), (Floats{21, 0, 0}));
}

// ---- Layouts

class Random {
 public:
  UINT Below(size_t n) { return static_cast<UINT>(engine_() % n); }
  UINT Of(const Sizes& values) { return values[Below(values.size())]; }
  Sizes Sized(size_t count, const Sizes& values) {
    Sizes sizes;
    while (sizes.size() < count) sizes.push_back(Of(values));
    return sizes;
  }
  // Axes in any order, every fourth one with a gap behind it. Of inputs, steps may also be 0 or
  // small, so that elements share addresses.
  Sizes Strides(const Sizes& sizes, bool is_input) {
    std::vector<size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::shuffle(order.begin(), order.end(), engine_);
    Sizes strides(sizes.size());
    UINT reach = 1;
    for (size_t axis : order) {
      strides[axis] = is_input && Below(8) == 0 ? Below(3) : reach;
      reach *= sizes[axis];
      if (Below(4) == 0) reach += Below(4);
    }
    return strides;
  }

 private:
  std::mt19937 engine_{20261119};
};

Floats PatternsOf(const Sizes& sizes, const Sizes& strides, int64_t m, int64_t k) {
  size_t count = 1;
  for (size_t i = 0; i < sizes.size(); ++i) count += size_t{sizes[i] - 1} * strides[i];
  return Patterns(count, m, k);
}

constexpr uint64_t kMostProducts = 60000;

// Every strategy on every instruction set has the bits of the reference.
TEST(Gemm, ReadsAnyLayout) {
  Random random;
  for (int i = 0; i < 150; ++i) {
    SCOPED_TRACE(i);
    const UINT m = random.Of({1, 2, 7, 25, 60}), n = random.Of({1, 3, 17, 48, 100}),
               k = random.Of({1, 2, 9, 40, 513});
    if (uint64_t{m} * n * k > kMostProducts) continue;
    Matrices g;
    g.has_c = true;
    g.trans_a = random.Below(2) == 1;
    g.trans_b = random.Below(2) == 1;
    const Sizes lead = random.Sized(random.Below(3), {1, 2});
    const auto matrix = [&](UINT rows, UINT columns) {
      Sizes sizes = lead;
      sizes.insert(sizes.end(), {rows, columns});
      return sizes;
    };
    g.a = g.trans_a ? matrix(k, m) : matrix(m, k);
    g.b = g.trans_b ? matrix(n, k) : matrix(k, n);
    g.output = matrix(m, n);
    g.a_strides = random.Strides(g.a, true);
    g.b_strides = random.Strides(g.b, true);
    g.c_strides = random.Strides(g.output, true);
    const Floats a = PatternsOf(g.a, g.a_strides, 16777213, 7919),
                 b = PatternsOf(g.b, g.b_strides, 16777199, 104729),
                 c = PatternsOf(g.output, g.c_strides, 1013, 7);
    OnEachInstructionSet([&] { Gemm(g, a, b, c); });
  }
}

TEST(Convolution, ReadsAndWritesAnyLayout) {
  Random random;
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    const size_t axes = 1 + random.Below(3);
    Geometry g;
    g.has_bias = random.Below(2) == 1;
    g.mode = static_cast<DML_CONVOLUTION_MODE>(random.Below(2));
    g.direction = static_cast<DML_CONVOLUTION_DIRECTION>(random.Below(2));
    g.strides = random.Sized(axes, {1, 1, 2, 3});
    g.dilations = random.Sized(axes, {1, 1, 2});
    g.start = random.Sized(axes, {0, 0, 0, 1});
    g.groups = random.Of({1, 1, 2, 20});
    const bool back = g.direction == kBackward;
    const UINT items = random.Of({1, 2, 24, 50}), in = random.Of({1, 1, 2, 9}),
               out = random.Of({1, 1, 3, 8});
    g.x = {items, g.groups * in};
    g.w = back ? Sizes{g.groups * in, out} : Sizes{g.groups * out, in};
    g.y = {items, g.groups * out};
    uint64_t products = uint64_t{items} * g.groups * in * out;
    for (size_t axis = 0; axis < axes; ++axis) {
      const UINT window = random.Of({1, 1, 2, 3}), stride = g.strides[axis],
                 span = (window - 1) * g.dilations[axis] + 1, start = g.start[axis];
      UINT image = span + random.Of({0, 1, 4, 20}), places = (image + start - span) / stride + 1;
      if (back) std::swap(image, places);
      // Backward, what the windows span is the output and its padding.
      if (back) places = std::max(1u, (image - 1) * stride + span - start);
      g.x.push_back(image);
      g.w.push_back(window);
      g.y.push_back(places);
      products *= uint64_t{places} * window;
    }
    if (products > kMostProducts) continue;
    g.x_strides = random.Strides(g.x, true);
    g.w_strides = random.Strides(g.w, true);
    g.y_strides = random.Strides(g.y, false);
    const Floats x = PatternsOf(g.x, g.x_strides, 16777213, 7919),
                 w = PatternsOf(g.w, g.w_strides, 16777199, 104729),
                 bias = Patterns(g.y[1], 1013, 7);
    OnEachInstructionSet([&] { Convolve(g, x, w, bias); });
  }
}

// Items are neighbours in memory, and lines are not.
TEST(Convolution, ReadsItemsThatAreNeighbours) {
  const Geometry g = {.x = {24, 1, 2}, .w = {1, 1, 1}, .y = {24, 1, 2}, .x_strides = {1, 56, 56}};
  Floats x(80), expected;
  std::iota(x.begin(), x.end(), 1.0f);
  for (int item = 1; item <= 24; ++item) {
    for (int place : {0, 56}) expected.push_back(static_cast<float>(item + place));
  }
  OnEachInstructionSet([&] { EXPECT_EQ(Convolve(g, x, {1}), expected); });
}

// ---- MATRIX_MULTIPLY_INTEGER

TEST(MatrixMultiplyInteger, SubtractsZeroPoints) {
  const Tensor a(DML_TENSOR_DATA_TYPE_UINT8, {1, 2}), b(DML_TENSOR_DATA_TYPE_INT8, {2, 1}),
      a_zero(DML_TENSOR_DATA_TYPE_UINT8, {1}), b_zero(DML_TENSOR_DATA_TYPE_INT8, {1, 1}),
      y(DML_TENSOR_DATA_TYPE_INT32, {1, 1});
  const DML_MATRIX_MULTIPLY_INTEGER_OPERATOR_DESC desc = {a, a_zero, b, b_zero, y};
  EXPECT_EQ(test::RunOn<int32_t>(DML_OPERATOR_MATRIX_MULTIPLY_INTEGER, &desc,
                                 {In(std::vector<uint8_t>{1, 2}), In(std::vector<uint8_t>{1}),
                                  In(std::vector<int8_t>{3, 4}), In(std::vector<int8_t>{-1})},
                                 1),
            std::vector<int32_t>{5});
}

// Zero points by rows and columns, at both ends of their range; an odd depth.
TEST(MatrixMultiplyInteger, TakesAZeroPointPerRowAndColumn) {
  const Tensor a(DML_TENSOR_DATA_TYPE_INT8, {1, 1, 2, 3}),
      b(DML_TENSOR_DATA_TYPE_UINT8, {1, 1, 3, 2}), a_zero(DML_TENSOR_DATA_TYPE_INT8, {1, 1, 2, 1}),
      b_zero(DML_TENSOR_DATA_TYPE_UINT8, {1, 1, 1, 2}), y(DML_TENSOR_DATA_TYPE_INT32, {1, 1, 2, 2});
  const DML_MATRIX_MULTIPLY_INTEGER_OPERATOR_DESC desc = {a, a_zero, b, b_zero, y};
  EXPECT_EQ(
      test::RunOn<int32_t>(
          DML_OPERATOR_MATRIX_MULTIPLY_INTEGER, &desc,
          {In(std::vector<int8_t>{127, 127, 127, 1, 2, 3}), In(std::vector<int8_t>{-128, 1}),
           In(std::vector<uint8_t>{255, 0, 255, 0, 255, 0}), In(std::vector<uint8_t>{0, 255})},
          4),
      (std::vector<int32_t>{3 * 255 * 255, -3 * 255 * 255, 3 * 255, -3 * 255}));
}

TEST(MatrixMultiplyInteger, RefusesWhatDoesNotFit) {
  const auto kByte = DML_TENSOR_DATA_TYPE_UINT8;
  const Tensor a(kByte, {2, 3}), b(kByte, {3, 4}), wrong(kByte, {4, 4}), three(kByte, {3, 1}),
      y(DML_TENSOR_DATA_TYPE_INT32, {2, 4}), signed_zero(DML_TENSOR_DATA_TYPE_INT8, {1, 1}),
      one(kByte, {1});
  DML_MATRIX_MULTIPLY_INTEGER_OPERATOR_DESC desc = {a, nullptr, wrong, nullptr, y};
  const auto refuse = [&](FeatureLevel level = kNewestFeatureLevel) {
    return test::Refuse(DML_OPERATOR_MATRIX_MULTIPLY_INTEGER, &desc, {level});
  };
  EXPECT_EQ(refuse(),
            "MATRIX_MULTIPLY_INTEGER: BTensor.Sizes[0] = 4 must equal ATensor.Sizes[1] = 3");
  desc.BTensor = b;
  desc.AZeroPointTensor = three;
  EXPECT_EQ(refuse(),
            "MATRIX_MULTIPLY_INTEGER: AZeroPointTensor.Sizes = {3, 1} must be 1 in every entry, or "
            "have one element for each of the 2 rows of OutputTensor");
  desc.AZeroPointTensor = signed_zero;
  EXPECT_EQ(refuse(),
            "MATRIX_MULTIPLY_INTEGER: AZeroPointTensor.DataType = INT8 must equal "
            "ATensor.DataType = UINT8");
  desc.AZeroPointTensor = nullptr;
  desc.BZeroPointTensor = one;
  EXPECT_EQ(refuse(), "");
  EXPECT_EQ(refuse(FeatureLevel::k5_1),
            "MATRIX_MULTIPLY_INTEGER: BZeroPointTensor.DimensionCount = 1 needs feature level 5_2 "
            "or above; this device has 5_1");
}

// ---- GEMM with a fused softmax

// B126: the bits of the two operators.
template <class Softmax>
void IsGemmThenSoftmax(DML_OPERATOR_TYPE type, Softmax softmax, const Tensor& y) {
  const Tensor a(DML_TENSOR_DATA_TYPE_FLOAT16, {3, 5}), b(DML_TENSOR_DATA_TYPE_FLOAT16, {5, 70});
  std::vector<Float16> x(15), w(350);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = ToFloat16(static_cast<float>(test::Pattern(i, 13, 5)));
  for (size_t i = 0; i < w.size(); ++i) {
    w[i] = ToFloat16(static_cast<float>(test::Pattern(i, 31, 11)) / 16);
  }
  DML_GEMM_OPERATOR_DESC gemm = {};
  gemm.ATensor = a;
  gemm.BTensor = b;
  gemm.OutputTensor = y;
  gemm.Alpha = 1;
  const DML_OPERATOR_DESC fused = {type, &softmax};
  const auto run = [&] {
    return test::RunOn<Float16>(DML_OPERATOR_GEMM, &gemm,
                                {In(x), In(w), In(std::vector<Float16>())}, 210);
  };
  const auto sums = run();
  gemm.FusedActivation = &fused;
  const auto fused_result = run();
  softmax.InputTensor = softmax.OutputTensor = y;
  EXPECT_EQ(test::BytesOf(fused_result),
            test::BytesOf(test::RunOn<Float16>(type, &softmax, {In(sums)}, 210)));
}

TEST(Gemm, MayHaveAFusedSoftmax) {
  const Tensor y(DML_TENSOR_DATA_TYPE_FLOAT16, {3, 70});
  IsGemmThenSoftmax(DML_OPERATOR_ACTIVATION_SOFTMAX, DML_ACTIVATION_SOFTMAX_OPERATOR_DESC(), y);
  for (const UINT axis : {0u, 1u}) {
    IsGemmThenSoftmax(DML_OPERATOR_ACTIVATION_SOFTMAX1,
                      DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC{nullptr, nullptr, 1, &axis}, y);
  }
}

TEST(Gemm, RefusesASoftmaxThatDoesNotFitItsOutput) {
  const Tensor a(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3, 5}),
      b(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 5, 4}), y(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3, 4});
  const DML_ACTIVATION_SOFTMAX_OPERATOR_DESC softmax = {};
  const UINT axes[] = {3};
  const DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC softmax1 = {nullptr, nullptr, 1, axes};
  DML_OPERATOR_DESC fused = {DML_OPERATOR_ACTIVATION_SOFTMAX, &softmax};
  DML_GEMM_OPERATOR_DESC gemm = {};
  gemm.ATensor = a;
  gemm.BTensor = b;
  gemm.OutputTensor = y;
  gemm.FusedActivation = &fused;
  const auto refuse = [&](FeatureLevel level = kNewestFeatureLevel) {
    return test::Refuse(DML_OPERATOR_GEMM, &gemm, {level});
  };
  EXPECT_EQ(refuse(),
            "GEMM: FusedActivation: ACTIVATION_SOFTMAX: InputTensor.Sizes = {2, 3, 4} must be 1 in "
            "all but the last two dimensions");
  EXPECT_EQ(
      refuse(FeatureLevel::k6_0),
      "GEMM: FusedActivation.Type = ACTIVATION_SOFTMAX needs feature level 6_1 or above; this "
      "device has 6_0");
  fused = {DML_OPERATOR_ACTIVATION_SOFTMAX1, &softmax1};
  EXPECT_EQ(refuse(),
            "GEMM: FusedActivation: ACTIVATION_SOFTMAX1: Axes[0] = 3 must be less than "
            "InputTensor.DimensionCount = 3");
}

}  // namespace
}  // namespace anydml::matmul
