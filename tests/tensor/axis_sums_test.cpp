// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Terms that are evaluated where needed are those of the tables (B13), for
// ordinary axes and for extreme scales and offsets.
#include "tensor/axis_sums.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <random>

namespace anydml {
namespace {

float Choose(std::mt19937& random, std::initializer_list<float> values) {
  return values.begin()[random() % values.size()];
}

TapAxis RandomAxis(std::mt19937& random) {
  TapAxis axis;
  axis.sampling = static_cast<Sampling>(random() % 3);
  axis.pixel_count = 1 + random() % 40;
  axis.sample_count = 1 + random() % 40;
  const float ratio = static_cast<float>(axis.sample_count) / static_cast<float>(axis.pixel_count);
  axis.scale = Choose(random, {ratio, ratio, 1, 0.3f, 7, 1e-45f, 1e-3f, 1000, FLT_MAX});
  axis.input_pixel_offset =
      Choose(random, {0, 0.5f, -0.5f, 3.25f, -20, 1e-40f, 1e6f, -1e6f, FLT_MAX, -FLT_MAX});
  axis.output_pixel_offset =
      Choose(random, {0, -0.5f, 0.5f, -3.25f, 20, -1e-40f, 1e6f, -1e6f, FLT_MAX, -FLT_MAX});
  return axis;
}

AxisSums SumsAlong(const TapAxis& axis, bool transposed) {
  TensorDesc pixels, samples;
  for (TensorDesc* tensor : {&pixels, &samples}) {
    tensor->data_type = DataType::kFloat32;
    tensor->dimension_count = 1;
    tensor->strides[0] = 1;
  }
  pixels.sizes[0] = static_cast<uint32_t>(axis.pixel_count);
  samples.sizes[0] = static_cast<uint32_t>(axis.sample_count);
  return MakeAxisSums(transposed ? samples : pixels, transposed ? pixels : samples, {&axis, 1},
                      transposed);
}

std::vector<std::pair<uint32_t, float>> TermsOf(const AxisSums& sums, const AxisSumsTables& tables,
                                                uint64_t target) {
  const TermRange range(sums, tables, 0, target);
  std::vector<std::pair<uint32_t, float>> terms;
  for (uint64_t k = 0; k < range.size(); ++k) {
    const Term term = range[k];
    if (term.weight != 0) terms.push_back({term.source, term.weight});
  }
  return terms;
}

TEST(AxisSums, EvaluatesTheTermsOfTheTables) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const TapAxis axis = RandomAxis(random);
    for (bool transposed : {false, true}) {
      const AxisSums sums = SumsAlong(axis, transposed);
      if (!sums.changes[0]) continue;
      const Result<AxisSumsTables> tables = MakeAxisSumsTables(sums);
      for (uint64_t target = 0; target < sums.target_sizes[0]; ++target) {
        EXPECT_EQ(TermsOf(sums, {}, target), TermsOf(sums, tables.value(), target))
            << i << ' ' << transposed << ' ' << target;
      }
    }
  }
}

TEST(AxisSums, FindsTheFirstSampleOfAPixelByTrying) {
  std::mt19937 random(2);
  for (int i = 0; i < 3000; ++i) {
    const TapAxis axis = RandomAxis(random);
    for (uint64_t pixel = 0; pixel <= axis.pixel_count; ++pixel) {
      uint64_t expected = 0;
      while (expected < axis.sample_count && TapsOf(axis, expected).pixel < pixel) ++expected;
      EXPECT_EQ(FirstSampleAt(axis, pixel), expected) << i << ' ' << pixel;
    }
  }
}

// The first axis shrinks while the last grows: almost 2^64 elements lie
// in between, and no product wraps.
TEST(AxisSums, CountsTheElementsBetweenTwoAxesWithoutWrapping) {
  TensorDesc source, target;
  source.data_type = target.data_type = DataType::kFloat32;
  source.dimension_count = target.dimension_count = 2;
  source.sizes = {0xFFFFFFFFu, 1};
  target.sizes = {1, 0xFFFFFFFFu};
  source.strides = PackedStrides(source.Sizes());
  target.strides = PackedStrides(target.Sizes());
  const TapAxis axes[] = {{.pixel_count = 0xFFFFFFFFu, .sample_count = 1},
                          {.pixel_count = 1, .sample_count = 0xFFFFFFFFu}};
  const AxisSums sums = MakeAxisSums(source, target, axes, /*transposed=*/false);
  ASSERT_EQ(sums.pass_count, 2u);
  EXPECT_EQ(sums.passes[0].TargetElements(), 0xFFFFFFFE00000001u);
}

}  // namespace
}  // namespace anydml
