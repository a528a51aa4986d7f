// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about ROI_ALIGN, its gradient and ROI_POOLING: the pages' examples, what shipped
// DirectML was recorded to give, and the rulings on samples, borders and the order of sums.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "support/run.h"

namespace anydml::regions {
namespace {

using test::In;
using test::Tensor;
using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;
using Indices = std::vector<uint32_t>;

constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32;
constexpr DML_TENSOR_DATA_TYPE kUint32 = DML_TENSOR_DATA_TYPE_UINT32;
constexpr auto kAverage = DML_REDUCE_FUNCTION_AVERAGE;
constexpr auto kMax = DML_REDUCE_FUNCTION_MAX;
constexpr auto kNearest = DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR;
constexpr UINT kMany = 0xFFFFFFFFu;

struct Sampling {
  DML_REDUCE_FUNCTION function = kAverage;
  DML_INTERPOLATION_MODE mode = DML_INTERPOLATION_MODE_LINEAR;
  float input_offset = .5f;
  float output_offset = -.5f;
  UINT least = 1;
  UINT most = 1;
  BOOL corners = FALSE;
  float scale = 1;
  float outside = 0;
};

struct Image {
  Sizes sizes;
  Floats values;
};

Floats Align(const Image& x, const Floats& rois, const Indices& batches, UINT height, UINT width,
             const Sampling& s) {
  const auto count = static_cast<UINT>(batches.size());
  const Sizes sizes = {count, x.sizes[1], height, width};
  const Tensor image(kFloat, x.sizes), regions(kFloat, {count, 4}), indices(kUint32, {count}),
      output(kFloat, sizes);
  const DML_ROI_ALIGN1_OPERATOR_DESC desc = {
      image,   regions,        indices,         output,    s.function, s.mode, s.scale,
      s.scale, s.input_offset, s.output_offset, s.outside, s.least,    s.most, s.corners};
  return test::RunOn<float>(DML_OPERATOR_ROI_ALIGN1, &desc, {In(x.values), In(rois), In(batches)},
                            test::Count(sizes));
}

// The gradient of the image, or of the regions.
Floats AlignGrad(const Image& x, const Floats& dy, const Floats& rois, const Indices& batches,
                 UINT height, UINT width, const Sampling& s, bool of_regions) {
  const auto count = static_cast<UINT>(batches.size());
  const Tensor image(kFloat, x.sizes), regions(kFloat, {count, 4}), indices(kUint32, {count}),
      small(kFloat, {count, x.sizes[1], height, width});
  const DML_ROI_ALIGN_GRAD_OPERATOR_DESC desc = {
      image,   small,   regions,        indices,         image,   regions, s.function, s.mode,
      s.scale, s.scale, s.input_offset, s.output_offset, s.least, s.most,  s.corners};
  return test::RunOn<float>(DML_OPERATOR_ROI_ALIGN_GRAD, &desc,
                            {In(x.values), In(dy), In(rois), In(batches)},
                            of_regions ? rois.size() : x.values.size(), of_regions ? 1 : 0);
}

Floats Patterned(size_t count, int m, int k, float divide) {
  Floats values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(test::Pattern(static_cast<int64_t>(i), m, k)) / divide;
  }
  return values;
}
Floats Counted(size_t count, float first = 0) {
  Floats values(count);
  for (size_t i = 0; i < count; ++i) values[i] = first + static_cast<float>(i);
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

// The pictures of the page: 10 y + x, a region from (1, 1) to (3, 3).
TEST(RoiAlign1, GivesTheDocumentedExamples) {
  Image x = {{1, 1, 6, 6}, {}};
  for (int i = 0; i < 36; ++i) x.values.push_back(static_cast<float>(10 * (i / 6) + i % 6));
  const auto expect = [&](const Sampling& s, const Floats& row, float step) {
    const Floats y = Align(x, {1, 1, 3, 3}, {0}, 4, 4, s);
    for (size_t i = 0; i < 16; ++i) {
      EXPECT_NEAR(y[i], row[i % 4] + step * static_cast<float>(i / 4), 2e-5f);
    }
  };
  expect({}, {8.25f, 8.75f, 9.25f, 9.75f}, 5);
  expect({.input_offset = 0}, {13.75f, 14.25f, 14.75f, 15.25f}, 5);
  expect({.input_offset = 0, .output_offset = 0}, {11, 11.5f, 12, 12.5f}, 5);
  expect({.input_offset = 0, .output_offset = 0, .corners = TRUE}, {11, 35.0f / 3, 37.0f / 3, 13},
         20.0f / 3);
}

// B49, and the page of the gradient.
TEST(RoiAlignGrad, GivesTheDocumentedExample) {
  const Image x = {{1, 1, 4, 4}, Counted(16, 1)};
  const Floats rois = {0, 0, 2, 2, 2, 0, 4, 2, 0, 2, 2, 4, 2, 2, 4, 4};
  const Indices zeros(4, 0);
  EXPECT_EQ(Align(x, rois, zeros, 1, 3, {.mode = kNearest}),
            (Floats{1, 1, 2, 3, 3, 4, 9, 9, 10, 11, 11, 12}));
  EXPECT_EQ(AlignGrad(x, Counted(12, 1), rois, zeros, 1, 3, {.mode = kNearest}, false),
            (Floats{3, 3, 9, 6, 0, 0, 0, 0, 15, 9, 21, 12, 0, 0, 0, 0}));
  EXPECT_EQ(AlignGrad(x, Counted(12, 1), rois, zeros, 1, 3, {.mode = kNearest}, true),
            Floats(16, 0.0f));
}

// B48, B50: recorded results of shipped DirectML. Regions without a size are points.
TEST(RoiAlign1, ClampsUpToOnePixelBeyondTheImage) {
  const Image x = {{1, 3, 5, 5}, Counted(75)};
  const Floats rois = {7,   5,  7,  5, -15, -15, -15, -15, -10, 21,
                       -10, 21, 13, 8, 13,  8,   -14, 19,  -14, 19};
  const Indices zeros(5, 0);
  const auto expect = [&](float offset, const Floats& values) {
    Floats expected;
    for (float value : values) expected.insert(expected.end(), 12, value);
    for (auto function : {kAverage, kMax}) {
      const Sampling s = {
          .function = function, .input_offset = offset, .least = 2, .most = 2, .scale = 1.0f / 16};
      EXPECT_EQ(Align(x, rois, zeros, 3, 4, s), expected);
    }
  };
  expect(.5f, {0, 25, 50, 0, 0, 0, 0, 0, 0, .3125f, 25.3125f, 50.3125f, 0, 0, 0});
  expect(0, {2, 27, 52, 0, 25, 50, 6.5625f, 31.5625f, 56.5625f, 3.3125f, 28.3125f, 53.3125f,
             5.9375f, 30.9375f, 55.9375f});
}

// B47, B48, B51.
TEST(RoiAlign1, TakesAsManySamplesAsPixels) {
  const Image x = {{1, 1, 1, 4}, Counted(4)};
  EXPECT_EQ(Align(x, {0, 0, 4, 1}, {0}, 1, 1, {.most = 99}), Floats{1.5f});
  EXPECT_EQ(Align(x, {0, 0, 4, 1}, {0}, 1, 1, {.function = kMax, .most = 99}), Floats{3});
  EXPECT_EQ(Align(x, {3, 0, 9, 1}, {0}, 1, 1, {.most = 99, .outside = 10}), Floats{46.0f / 6});
  const Sampling corners = {.input_offset = 0, .output_offset = 0, .corners = TRUE};
  EXPECT_EQ(Align({{1, 1, 2, 2}, {1, 2, 3, 4}}, {0, 0, 1, 1}, {0}, 1, 1, corners), Floats{2.5f});
}

TEST(RoiAlign1, GivesTheBitsOfTheAcceptanceCases) {
  const Image x = {{2, 3, 12, 14}, Patterned(1008, 1009, 613, 32)};
  const Floats rois = {1.25f, 2.5f, 9.75f, 10, -3, -2, 4.5f, 6.25f, 11, 9,
                       3,     2,    5,     5,  5,  5,  20,   1,     30, 4};
  const Indices batches = {0, 1, 1, 0, 0};
  const Floats dy = Patterned(180, 257, 97, 16);
  const auto expect = [&](const Sampling& s, uint32_t y, uint32_t dx, uint32_t droi) {
    EXPECT_EQ(Checksum(Align(x, rois, batches, 3, 4, s)), y);
    EXPECT_EQ(Checksum(AlignGrad(x, dy, rois, batches, 3, 4, s, false)), dx);
    EXPECT_EQ(Checksum(AlignGrad(x, dy, rois, batches, 3, 4, s, true)), droi);
  };
  Sampling free = {.most = kMany, .outside = .25f};
  Sampling corners = {.input_offset = 0, .output_offset = 0, .corners = TRUE, .outside = .25f};
  expect(free, 0x29536d35u, 0xacefcf77u, 0x56abdde9u);
  expect(corners, 0x18f0aa7fu, 0xa5ba2538u, 0x8ab12936u);
  free.function = corners.function = kMax;
  expect(free, 0x73dfe72au, 0x08254c54u, 0x0f7f8671u);
  expect(corners, 0x18f0aa7fu, 0xa5ba2538u, 0x8ab12936u);
  free.function = corners.function = kAverage;
  free.mode = corners.mode = kNearest;
  EXPECT_EQ(Checksum(Align(x, rois, batches, 3, 4, free)), 0x15871d49u);
  EXPECT_EQ(Checksum(Align(x, rois, batches, 3, 4, corners)), 0x81d78000u);
}

// B53: nothing outside of the tensors is read, and the work ends: regions have millions of samples.
TEST(RoiAlign1, SurvivesAnyData) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const Floats values = Counted(8),
               rois = {0,   0,   1,    1,    nan, 0, 1,     1,     0,     0,
                       inf, inf, -inf, -inf, 1,   1, 3e38f, 3e38f, 3e38f, 3e38f};
  const Tensor image(kFloat, {2, 1, 2, 2}), regions(kFloat, {5, 4}), indices(kUint32, {5}),
      output(kFloat, {5, 1, 1, 2});
  for (auto function : {kAverage, kMax}) {
    const DML_ROI_ALIGN1_OPERATOR_DESC desc = {
        image, regions, indices, output, function, DML_INTERPOLATION_MODE_LINEAR, 1, 1, .5f,
        -.5f,  10,      1,       kMany,  FALSE};
    const auto results = test::RunEachStrategy(DML_OPERATOR_ROI_ALIGN1, &desc,
                                               {In(values), In(rois), In(Indices{7, 0, 1, 0, 1})});
    EXPECT_FALSE(results.empty());
    for (const auto& result : results) EXPECT_EQ(result, test::BytesOf(Floats(10, 10.0f)));
  }
}

TEST(RoiAlign1, RefusesWhatItsPageDoesNotHave) {
  const Tensor image(kFloat, {1, 2, 3, 4}), regions(kFloat, {5, 4}), indices(kUint32, {5}),
      output(kFloat, {5, 2, 3, 3}), wrong_regions(kFloat, {5, 5}), few(kUint32, {4}),
      wrong_output(kFloat, {5, 1, 3, 3}), longs(DML_TENSOR_DATA_TYPE_UINT64, {5});
  DML_ROI_ALIGN1_OPERATOR_DESC desc = {
      image, regions, indices, output, kAverage, DML_INTERPOLATION_MODE_LINEAR, 1, 1, .5f,
      -.5f,  0,       0,       1,      FALSE};
  const auto refuse = [&](FeatureLevel level = kNewestFeatureLevel) {
    return test::Refuse(DML_OPERATOR_ROI_ALIGN1, &desc, {level});
  };
  EXPECT_EQ(refuse(), "ROI_ALIGN1: MinimumSamplesPerOutput = 0 must be at least 1");
  desc.MinimumSamplesPerOutput = 3;
  desc.MaximumSamplesPerOutput = 2;
  EXPECT_EQ(refuse(),
            "ROI_ALIGN1: MinimumSamplesPerOutput = 3 must be at most MaximumSamplesPerOutput = 2");
  desc.MinimumSamplesPerOutput = 1u << 22;
  desc.MaximumSamplesPerOutput = kMany;
  EXPECT_EQ(refuse(),
            "ROI_ALIGN1: MinimumSamplesPerOutput = 4194304 times OutputTensor.Sizes[2] = 3 must be "
            "at most 4194304");
  desc.MinimumSamplesPerOutput = 1;
  desc.ReductionFunction = DML_REDUCE_FUNCTION_SUM;
  EXPECT_EQ(refuse(), "ROI_ALIGN1: ReductionFunction = SUM must be AVERAGE or MAX");
  desc.ReductionFunction = kMax;
  desc.SpatialScaleX = std::nanf("");
  EXPECT_EQ(refuse(), "ROI_ALIGN1: SpatialScaleX = nan must be finite");
  desc.SpatialScaleX = 1;
  desc.ROITensor = wrong_regions;
  EXPECT_EQ(refuse(), "ROI_ALIGN1: ROITensor.Sizes = {5, 5} must be {NumROIs, 4}, behind ones");
  desc.ROITensor = regions;
  desc.BatchIndicesTensor = few;
  EXPECT_EQ(refuse(),
            "ROI_ALIGN1: BatchIndicesTensor.Sizes = {4} must be {5}, as many as ROITensor has "
            "regions, behind ones");
  desc.BatchIndicesTensor = longs;
  EXPECT_EQ(refuse(), "");
  EXPECT_EQ(refuse(FeatureLevel::k4_1),
            "ROI_ALIGN1: BatchIndicesTensor.DataType = UINT64 needs feature level 5_0 or above; "
            "this device has 4_1");
  desc.OutputTensor = wrong_output;
  EXPECT_EQ(refuse(),
            "ROI_ALIGN1: OutputTensor.Sizes = {5, 1, 3, 3} must be 5 regions and 2 channels, those "
            "of ROITensor and of InputTensor");
}

TEST(RoiAlign, IsVersion1WithItsOffsets) {
  const Image x = {{1, 1, 6, 6}, Counted(36)};
  const Floats rois = {1, 1, 3, 3};
  const Tensor image(kFloat, x.sizes), regions(kFloat, {1, 4}), indices(kUint32, {1}),
      output(kFloat, {1, 1, 4, 4});
  const DML_ROI_ALIGN_OPERATOR_DESC desc = {
      image, regions, indices, output, kMax, DML_INTERPOLATION_MODE_LINEAR, 1, 1, 0, 1, 3};
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_ROI_ALIGN, &desc,
                               {In(x.values), In(rois), In(Indices{0})}, 16),
            Align(x, rois, {0}, 4, 4, {.function = kMax, .most = 3}));
}

TEST(RoiAlignGrad, RefusesWhatItCannotGive) {
  const Tensor image(kFloat, {1, 2, 3, 4}), regions(kFloat, {5, 4}), indices(kUint32, {5}),
      small(kFloat, {5, 2, 3, 3}), other(kFloat, {1, 5, 4}),
      longs(DML_TENSOR_DATA_TYPE_UINT64, {5});
  DML_ROI_ALIGN_GRAD_OPERATOR_DESC desc = {
      nullptr, small, regions, indices, nullptr, nullptr, kAverage, DML_INTERPOLATION_MODE_LINEAR,
      1,       1,     .5f,     -.5f,    1,       1,       FALSE};
  const auto refuse = [&] { return test::Refuse(DML_OPERATOR_ROI_ALIGN_GRAD, &desc); };
  EXPECT_EQ(refuse(),
            "ROI_ALIGN_GRAD: one of OutputGradientTensor and OutputROIGradientTensor must be "
            "present");
  desc.OutputROIGradientTensor = regions;
  EXPECT_EQ(refuse(),
            "ROI_ALIGN_GRAD: InputTensor must be present, since OutputROIGradientTensor is");
  desc.InputTensor = image;
  EXPECT_EQ(refuse(), "");
  desc.OutputROIGradientTensor = other;
  EXPECT_EQ(refuse(),
            "ROI_ALIGN_GRAD: OutputROIGradientTensor.DimensionCount = 3 must equal "
            "ROITensor.DimensionCount = 2");
  desc.InputTensor = desc.OutputROIGradientTensor = nullptr;
  desc.OutputGradientTensor = image;
  EXPECT_EQ(refuse(), "");
  desc.ReductionFunction = kMax;
  EXPECT_EQ(refuse(),
            "ROI_ALIGN_GRAD: InputTensor must be present, since ReductionFunction is MAX");
  desc.ReductionFunction = kAverage;
  desc.BatchIndicesTensor = longs;
  EXPECT_EQ(refuse(), "ROI_ALIGN_GRAD: BatchIndicesTensor.DataType = UINT64 must be UINT32");
}

Floats Pool(const Image& x, const Floats& rois, UINT height, UINT width, float scale = 1) {
  const auto count = static_cast<UINT>(rois.size() / 5);
  const Sizes sizes = {count, x.sizes[1], height, width};
  const Tensor image(kFloat, x.sizes), regions(kFloat, {1, 1, count, 5}), output(kFloat, sizes);
  const DML_ROI_POOLING_OPERATOR_DESC desc = {image, regions, output, scale, {width, height}};
  return test::RunOn<float>(DML_OPERATOR_ROI_POOLING, &desc, {In(x.values), In(rois)},
                            test::Count(sizes));
}

// B54.
TEST(RoiPooling, TakesTheLargestOfEachBin) {
  const Image x = {{1, 1, 6, 6}, Counted(36)};
  EXPECT_EQ(Pool(x, {0, 1, 1, 4, 3}, 2, 3), (Floats{14, 15, 16, 20, 21, 22}));
  EXPECT_EQ(Pool(x, {0, 5, 5, 9, 9}, 2, 2), (Floats{35, 0, 0, 0}));
  EXPECT_EQ(Pool(x, {0, 1, 1, 2, 3}, 1, 1), Floats{20});
  EXPECT_EQ(Pool(x, {3, 1, 1, 2, 3}, 1, 1), Floats{0});
  EXPECT_EQ(Pool(x, {0, 4, 4, 1, 1}, 1, 1), Floats{28});            // inverted
  EXPECT_EQ(Pool(x, {0, .5f, 2.5f, .5f, 2.5f}, 1, 1), Floats{19});  // away from zero
  EXPECT_EQ(Pool(x, {0, std::nanf(""), -3e38f, std::nanf(""), 3e38f}, 1, 1), Floats{30});
  EXPECT_EQ(Pool({{1, 1, 1, 3}, {std::nanf(""), 1, -2}}, {0, 1, 0, 2, 0}, 1, 1), Floats{1});
}

TEST(RoiPooling, GivesTheBitsOfTheAcceptanceCase) {
  const Image x = {{2, 3, 12, 14}, Patterned(1008, 1009, 613, 32)};
  const Floats rois = {0, 1.25f, 2.5f, 9.75f, 10, 1, 3, 2, 4.5f, 6.25f, 1,  11, 9,
                       3, 2,     0,    5,     5,  5, 5, 0, 20,   1,     30, 4};
  EXPECT_EQ(Checksum(Pool(x, rois, 3, 2, .75f)), 0x468c8000u);
}

TEST(RoiPooling, WantsTheSizesThatItsFieldsSay) {
  const Tensor image(kFloat, {1, 2, 6, 6}), regions(kFloat, {1, 1, 4, 5}),
      output(kFloat, {4, 2, 3, 2}), wrong(kFloat, {1, 1, 4, 4});
  DML_ROI_POOLING_OPERATOR_DESC desc = {image, regions, output, 1, {3, 2}};
  const auto refuse = [&] { return test::Refuse(DML_OPERATOR_ROI_POOLING, &desc); };
  EXPECT_EQ(refuse(),
            "ROI_POOLING: OutputTensor.Sizes = {4, 2, 3, 2} must be {4, 2, 2, 3}: NumROIs, the "
            "channels, PooledSize.Height and PooledSize.Width");
  desc.PooledSize = {2, 3};
  EXPECT_EQ(refuse(), "");
  desc.ROITensor = wrong;
  EXPECT_EQ(refuse(), "ROI_POOLING: ROITensor.Sizes = {1, 1, 4, 4} must be {1, 1, NumROIs, 5}");
}

}  // namespace
}  // namespace anydml::regions
