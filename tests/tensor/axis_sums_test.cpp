// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Terms that are evaluated where needed are those of the tables (B13), for
// ordinary axes and for extreme scales and offsets.
#include "tensor/axis_sums.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <random>

#include "kernels/resample/table_spans.h"

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
  axis.scale = Choose(random, {ratio, ratio, 1, 0.3f, 7, 1e-45f, 1e-3f, 1000, FLT_MAX, INFINITY});
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

// As they go to the library of another device.
TEST(AxisSums, TablesSurviveAsPlainArrays) {
  std::mt19937 random(29);
  for (int i = 0; i < 100; ++i) {
    const TapAxis axis = RandomAxis(random);
    for (bool transposed : {false, true}) {
      const AxisSums sums = SumsAlong(axis, transposed);
      const AxisSumsTables tables = MakeAxisSumsTables(sums).value();
      const AxisSumsTables copied = TablesOf(SpansOf(tables).data());
      for (uint32_t a = 0; a < kMaxSumAxes; ++a) {
        EXPECT_EQ(sums.max_terms[a] != 0, copied.axes[a].present());
        EXPECT_EQ(tables.axes[a].begin, copied.axes[a].begin);
        EXPECT_EQ(tables.axes[a].max_terms, copied.axes[a].max_terms);
        ASSERT_EQ(tables.axes[a].terms.size(), copied.axes[a].terms.size());
        for (size_t k = 0; k < tables.axes[a].terms.size(); ++k) {
          EXPECT_EQ(tables.axes[a].terms[k].source, copied.axes[a].terms[k].source);
          EXPECT_EQ(tables.axes[a].terms[k].weight, copied.axes[a].terms[k].weight);
        }
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

// What a target index needs is a contiguous range of places, and the table says
// where each begins.
TEST(AxisSums, FindsThePlacesOfEveryTerm) {
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    const TapAxis axis = RandomAxis(random);
    for (bool transposed : {false, true}) {
      const AxisSums sums = SumsAlong(axis, transposed);
      if (!sums.changes[0]) continue;
      const TermTable table = MakeAxisSumsTables(sums).value().axes[0];
      uint32_t most = 0;
      for (uint64_t target = 0; target < sums.target_sizes[0]; ++target) {
        for (uint32_t k = 0; k < table.TermCount(target); ++k) {
          ASSERT_LT(table.first[target] + k, table.places.size()) << i << ' ' << target;
          EXPECT_EQ(table.places[table.first[target] + k],
                    table.terms[table.begin[target] + k].source);
        }
        if (target > 0) {
          EXPECT_GE(table.first[target], table.first[target - 1]);
        }
        most = std::max(most, table.TermCount(target));
      }
      EXPECT_EQ(table.max_terms, most);
    }
  }
}

// Channels last: the channels are the lanes; few channels are joined by the width.
TEST(RowNest, PutsIntoTheLanesWhatLiesSideBySideInBothTensors) {
  const std::array<bool, kMaxSumAxes> image = {false, false, true, true};
  const auto nest = [&](uint64_t channels, bool last) {
    const auto c = static_cast<int64_t>(channels);
    std::array<RowAxis, kMaxSumAxes> axes = {};
    axes[0] = {0, 2, 2, c * 12, c * 48};
    axes[1] = {1, channels, channels, last ? 1 : 12, last ? 1 : 48};
    axes[2] = {2, 3, 6, last ? c * 4 : 4, last ? c * 8 : 8};
    axes[3] = {3, 4, 8, last ? c : 1, last ? c : 1};
    return MakeRowNest(4, axes, image);
  };
  const RowNest packed = nest(64, false);
  EXPECT_TRUE(packed.lanes_change);
  EXPECT_EQ(packed.lane_axis, 3u);
  EXPECT_EQ(packed.target_lanes, 8u);
  EXPECT_EQ(packed.level_count, 1u);
  EXPECT_EQ(packed.PlaneCount(), 128u);
  const RowNest many = nest(64, true);
  EXPECT_FALSE(many.lanes_change);
  EXPECT_EQ(many.target_lanes, 64u);
  EXPECT_EQ(many.level_count, 2u);
  EXPECT_EQ(many.levels[0].axis, 3u);  // last axis first
  const RowNest few = nest(3, true);
  EXPECT_TRUE(few.lanes_change);
  EXPECT_EQ(few.lane_repeat, 3u);
  EXPECT_EQ(few.source_lanes, 12u);
  EXPECT_EQ(few.target_lanes, 24u);
}

}  // namespace
}  // namespace anydml
