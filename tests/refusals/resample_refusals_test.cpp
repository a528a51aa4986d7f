// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the RESAMPLE family refuses, and in which words: the constraints and the
// rows of the four pages' tables.
#include <gtest/gtest.h>

#include <limits>

#include "operators/registry.h"
#include "support/run.h"

namespace anydml::test {
namespace {

using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Refused {
  Sizes from = {2, 2};
  Sizes to = {2, 3};
  DML_TENSOR_DATA_TYPE from_type = DML_TENSOR_DATA_TYPE_FLOAT32;
  DML_TENSOR_DATA_TYPE to_type = DML_TENSOR_DATA_TYPE_FLOAT32;
  int mode = DML_INTERPOLATION_MODE_LINEAR;
  int rounding = DML_AXIS_DIRECTION_DECREASING;
  UINT count = 2;
  Floats scales = {1, 1, 1, 1};
  Floats in = {0, 0, 0, 0};
  Floats out = {0, 0, 0, 0};
  BOOL antialiased = FALSE;
  FeatureLevel level = kNewestFeatureLevel;
};

const float* OrNull(const Floats& values) { return values.empty() ? nullptr : values.data(); }

// The sentence of version 0, 1, 2 or 3.
std::string Refuse(int version, const Refused& r) {
  const Tensor input(r.from_type, r.from), output(r.to_type, r.to);
  const auto mode = static_cast<DML_INTERPOLATION_MODE>(r.mode);
  const auto rounding = static_cast<DML_AXIS_DIRECTION>(r.rounding);
  const float *scales = OrNull(r.scales), *in = OrNull(r.in), *out = OrNull(r.out);
  const DeviceOptions options = {.feature_level = r.level};
  const DML_RESAMPLE_OPERATOR_DESC desc = {input, output, mode, r.count, scales};
  const DML_RESAMPLE1_OPERATOR_DESC desc1 = {input, output, mode, r.count, scales, in, out};
  const DML_RESAMPLE2_OPERATOR_DESC desc2 = {input,   output, mode, rounding,
                                             r.count, scales, in,   out};
  const DML_RESAMPLE3_OPERATOR_DESC desc3 = {input,  output, mode, rounding,     r.count,
                                             scales, in,     out,  r.antialiased};
  switch (version) {
    case 0:
      return test::Refuse(DML_OPERATOR_RESAMPLE, &desc, options);
    case 1:
      return test::Refuse(DML_OPERATOR_RESAMPLE1, &desc1, options);
    case 2:
      return test::Refuse(DML_OPERATOR_RESAMPLE2, &desc2, options);
    default:
      return test::Refuse(DML_OPERATOR_RESAMPLE3, &desc3, options);
  }
}

constexpr const char* kNames[] = {"RESAMPLE", "RESAMPLE1", "RESAMPLE2", "RESAMPLE3"};

// Every version refuses with its own name before the same words.
void ExpectEach(int first_version, const Refused& r, const std::string& rest) {
  for (int version = first_version; version <= 3; ++version) {
    EXPECT_EQ(Refuse(version, r), std::string(kNames[version]) + ": " + rest);
  }
}

TEST(Resample, AsksForNoRelationBetweenSizesAndScales) {
  for (int version = 0; version <= 3; ++version) {
    EXPECT_EQ(Refuse(version, {.from = {7, 1}, .to = {3, 90}, .scales = {1000, 1e-40f}}), "");
    EXPECT_EQ(Refuse(version, {.scales = {kInfinity, 1}}), "");
  }
}

// B11
TEST(Resample, RefusesScalesAndOffsetsThatAreNotNumbersToDivideBy) {
  const std::string rule = " must be greater than 0 in every entry";
  ExpectEach(0, {.scales = {1, 0}}, "Scales = {1, 0}" + rule);
  ExpectEach(0, {.scales = {-0.5f, 1}}, "Scales = {-0.5, 1}" + rule);
  ExpectEach(0, {.scales = {1, -kInfinity}}, "Scales = {1, -inf}" + rule);
  ExpectEach(0, {.scales = {kNan, 1}}, "Scales = {nan, 1}" + rule);
  ExpectEach(1, {.in = {kNan, 0}}, "InputPixelOffsets = {nan, 0} must be finite in every entry");
  ExpectEach(1, {.out = {0, kInfinity}},
             "OutputPixelOffsets = {0, inf} must be finite in every entry");
}

// RESAMPLE alone calls its count ScaleCount.
TEST(Resample, RefusesACountThatIsNotTheTensorsAndNullArrays) {
  EXPECT_EQ(Refuse(0, {.count = 3}),
            "RESAMPLE: ScaleCount = 3 must equal InputTensor.DimensionCount = 2");
  ExpectEach(1, {.count = 1}, "DimensionCount = 1 must equal InputTensor.DimensionCount = 2");
  ExpectEach(0, {.scales = {}}, "Scales must not be null");
  ExpectEach(1, {.in = {}}, "InputPixelOffsets must not be null");
  ExpectEach(1, {.out = {}}, "OutputPixelOffsets must not be null");
}

TEST(Resample, RefusesTensorsThatDisagree) {
  ExpectEach(0, {.to = {6}},
             "OutputTensor.DimensionCount = 1 must equal InputTensor.DimensionCount = 2");
  ExpectEach(0, {.to_type = DML_TENSOR_DATA_TYPE_FLOAT16},
             "OutputTensor.DataType = FLOAT16 must equal InputTensor.DataType = FLOAT32");
}

// T13: RoundingDirection is checked in LINEAR mode too.
TEST(Resample, RefusesUndefinedEnumerators) {
  ExpectEach(0, {.mode = 2}, "InterpolationMode = 2 must be NEAREST_NEIGHBOR (0) or LINEAR (1)");
  ExpectEach(2, {.rounding = 2}, "RoundingDirection = 2 must be INCREASING (0) or DECREASING (1)");
}

TEST(Resample, RefusesTypesAndDimensionCountsOutsideItsTables) {
  const Sizes five = {1, 1, 1, 1, 1};
  ExpectEach(0, {.from = five, .to = five, .count = 5},
             "InputTensor.DimensionCount = 5 must be 1 to 4");
  const auto type = DML_TENSOR_DATA_TYPE_INT32;
  ExpectEach(0, {.from_type = type, .to_type = type},
             "InputTensor.DataType = INT32 must be FLOAT32, FLOAT16, UINT8 or INT8");
}

// O6: known, and not available here.
TEST(Resample3, RefusesAntialiasingInWords) {
  EXPECT_EQ(Refuse(3, {.antialiased = TRUE}),
            "RESAMPLE3: Antialiased = TRUE must be FALSE: antialiasing is not implemented");
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {2});
  const float scale = 1, offset = 0;
  const DML_RESAMPLE3_OPERATOR_DESC desc = {tensor,
                                            tensor,
                                            DML_INTERPOLATION_MODE_LINEAR,
                                            DML_AXIS_DIRECTION_DECREASING,
                                            1,
                                            &scale,
                                            &offset,
                                            &offset,
                                            TRUE};
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_RESAMPLE3, &desc};
  const Result<Operator> op = CreateOperator(&operator_desc, {});
  ASSERT_FALSE(op.ok());
  EXPECT_EQ(op.error().code, ErrorCode::kUnsupported);
}

// Introduced in 2_0, 2_1, 5_1 and 6_4.
TEST(Resample, NamesTheFeatureLevelOfEachVersion) {
  const Sizes four = {1, 1, 2, 2};
  Refused r = {.from = four, .to = four, .count = 4};
  const std::pair<FeatureLevel, std::string> below[] = {
      {FeatureLevel::k1_0, "2_0 or above; this device has 1_0"},
      {FeatureLevel::k2_0, "2_1 or above; this device has 2_0"},
      {FeatureLevel::k5_0, "5_1 or above; this device has 5_0"},
      {FeatureLevel::k6_3, "6_4 or above; this device has 6_3"}};
  const FeatureLevel since[] = {FeatureLevel::k2_0, FeatureLevel::k2_1, FeatureLevel::k5_1,
                                FeatureLevel::k6_4};
  for (int version = 0; version <= 3; ++version) {
    r.level = below[version].first;
    EXPECT_EQ(Refuse(version, r), std::string(kNames[version]) +
                                      ": this operator needs feature level " +
                                      below[version].second);
    r.level = since[version];
    EXPECT_EQ(Refuse(version, r), "");
  }
}

// The first two versions took exactly 4 dimensions before 5_1.
TEST(Resample, TakesOtherThanFourDimensionsFrom5_1) {
  for (int version : {0, 1}) {
    EXPECT_EQ(Refuse(version, {.level = FeatureLevel::k5_1}), "");
    EXPECT_EQ(Refuse(version, {.level = FeatureLevel::k5_0}),
              std::string(kNames[version]) +
                  ": InputTensor.DimensionCount = 2 needs feature level 5_1 or above; this device "
                  "has 5_0");
  }
}

// O9: the pages of the first three print the row at 6_2.
TEST(Resample, TakesIntegersFrom6_2) {
  for (auto [type, name] : {std::pair{DML_TENSOR_DATA_TYPE_INT8, std::string("INT8")},
                            {DML_TENSOR_DATA_TYPE_UINT8, "UINT8"}}) {
    Refused r = {.from_type = type, .to_type = type};
    for (int version : {0, 1, 2}) {
      r.level = FeatureLevel::k6_2;
      EXPECT_EQ(Refuse(version, r), "");
      r.level = FeatureLevel::k6_1;
      EXPECT_EQ(Refuse(version, r), std::string(kNames[version]) +
                                        ": InputTensor.DataType = " + name +
                                        " needs feature level 6_2 or above; this device has 6_1");
    }
    r.level = FeatureLevel::k6_4;
    EXPECT_EQ(Refuse(3, r), "");
  }
}

// Silent pages and the schema's flag NONE: not in place (B23).
TEST(Resample, DoesNotRunInPlace) {
  for (const char* name : kNames) EXPECT_TRUE(FindOperator(name)->schema->in_place.empty()) << name;
}

std::string RefuseUpsample(const Sizes& from, const Sizes& to, DML_SIZE_2D scale, int mode = 0,
                           DML_TENSOR_DATA_TYPE type = DML_TENSOR_DATA_TYPE_FLOAT32) {
  const Tensor input(type, from), output(type, to);
  const DML_UPSAMPLE_2D_OPERATOR_DESC desc = {input, output, scale,
                                              static_cast<DML_INTERPOLATION_MODE>(mode)};
  return test::Refuse(DML_OPERATOR_UPSAMPLE_2D, &desc, {.feature_level = FeatureLevel::k1_0});
}

// Four or five dimensions, of which the last two grow by whole factors.
TEST(Upsample2D, RefusesWhatIsNoUpsampling) {
  const Sizes one = {1, 1, 1, 2}, twice = {1, 1, 1, 4};
  EXPECT_EQ(RefuseUpsample(one, twice, {2, 1}), "");
  EXPECT_EQ(RefuseUpsample({1, 2, 3, 1, 2}, {1, 2, 3, 1, 4}, {2, 1}), "");
  EXPECT_EQ(RefuseUpsample(one, twice, {0, 1}),
            "UPSAMPLE_2D: ScaleSize = {0, 1} must be at least 1 in every entry");
  EXPECT_EQ(RefuseUpsample(one, twice, {1, 2}),
            "UPSAMPLE_2D: OutputTensor.Sizes[2] = 1 must be 2 = 1 * 2, InputTensor.Sizes[2] times "
            "its scale");
  EXPECT_EQ(RefuseUpsample(one, {2, 1, 1, 4}, {2, 1}),
            "UPSAMPLE_2D: OutputTensor.Sizes[0] = 2 must be 1 = 1 * 1, InputTensor.Sizes[0] times "
            "its scale");
  // The product is not taken modulo 2^32.
  EXPECT_EQ(RefuseUpsample(one, one, {2147483649u, 1}),
            "UPSAMPLE_2D: OutputTensor.Sizes[3] = 2 must be 4294967298 = 2 * 2147483649, "
            "InputTensor.Sizes[3] times its scale");
  EXPECT_EQ(RefuseUpsample({1, 1, 2}, {1, 1, 4}, {2, 1}),
            "UPSAMPLE_2D: InputTensor.DimensionCount = 3 must be 4 to 5");
  EXPECT_EQ(RefuseUpsample(one, twice, {2, 1}, 2),
            "UPSAMPLE_2D: InterpolationMode = 2 must be NEAREST_NEIGHBOR (0) or LINEAR (1)");
  EXPECT_EQ(RefuseUpsample(one, twice, {2, 1}, 0, DML_TENSOR_DATA_TYPE_UINT8),
            "UPSAMPLE_2D: InputTensor.DataType = UINT8 must be FLOAT32 or FLOAT16");
}

}  // namespace
}  // namespace anydml::test
