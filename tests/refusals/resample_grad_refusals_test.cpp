// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What RESAMPLE_GRAD and RESAMPLE_GRAD1 refuse, and in which words: acceptance
// case RS-12, rules E1 to E11, the rows of the pages' tables.
#include <gtest/gtest.h>

#include <cfloat>
#include <limits>

#include "operators/registry.h"
#include "support/run.h"

namespace anydml::test {
namespace {

using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr auto kNearest = DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR;
constexpr auto kLinear = DML_INTERPOLATION_MODE_LINEAR;
constexpr auto kFloor = DML_AXIS_DIRECTION_DECREASING;

struct Refused {
  Sizes from = {2, 3};
  Sizes to = {2, 2};
  DML_TENSOR_DATA_TYPE from_type = DML_TENSOR_DATA_TYPE_FLOAT32;
  DML_TENSOR_DATA_TYPE to_type = DML_TENSOR_DATA_TYPE_FLOAT32;
  int mode = kNearest;
  int rounding = kFloor;
  UINT count = 2;
  Floats scales = {1, 1, 1, 1};
  Floats in = {0, 0, 0, 0};
  Floats out = {0, 0, 0, 0};
  DeviceOptions options = {};
};

const float* OrNull(const Floats& values) { return values.empty() ? nullptr : values.data(); }

std::string Refuse1(const Refused& r) {
  const Tensor input(r.from_type, r.from), output(r.to_type, r.to);
  const DML_RESAMPLE_GRAD1_OPERATOR_DESC desc = {input,
                                                 output,
                                                 static_cast<DML_INTERPOLATION_MODE>(r.mode),
                                                 static_cast<DML_AXIS_DIRECTION>(r.rounding),
                                                 r.count,
                                                 OrNull(r.scales),
                                                 OrNull(r.in),
                                                 OrNull(r.out)};
  return test::Refuse(DML_OPERATOR_RESAMPLE_GRAD1, &desc, r.options);
}

std::string Refuse(const Refused& r) {
  const Tensor input(r.from_type, r.from), output(r.to_type, r.to);
  const DML_RESAMPLE_GRAD_OPERATOR_DESC desc = {
      input,        output,           static_cast<DML_INTERPOLATION_MODE>(r.mode),
      r.count,      OrNull(r.scales), OrNull(r.in),
      OrNull(r.out)};
  return test::Refuse(DML_OPERATOR_RESAMPLE_GRAD, &desc, r.options);
}

// E10: no relation between sizes, scales and offsets is asked for.
TEST(ResampleGrad1, AsksForNoRelationBetweenSizesAndScales) {
  EXPECT_EQ(Refuse1({.from = {7, 1}, .to = {3, 90}, .scales = {1000, 1e-40f}, .out = {-9, 1e30f}}),
            "");
  EXPECT_EQ(Refuse({.from = {7, 1}, .to = {3, 90}, .scales = {FLT_MAX, 1e-40f}}), "");
  EXPECT_EQ(Refuse1({.scales = {kInfinity, 1}}), "");
  EXPECT_EQ(Refuse({.scales = {kInfinity, 1}}), "");
}

// RS-12, E6, E7, B11
TEST(ResampleGrad1, RefusesScalesAndOffsetsThatAreNotNumbersToDivideBy) {
  const std::string rule = " must be greater than 0 in every entry";
  EXPECT_EQ(Refuse1({.scales = {1, 0}}), "RESAMPLE_GRAD1: Scales = {1, 0}" + rule);
  EXPECT_EQ(Refuse1({.scales = {-1, 1}}), "RESAMPLE_GRAD1: Scales = {-1, 1}" + rule);
  EXPECT_EQ(Refuse1({.scales = {1, kNan}}), "RESAMPLE_GRAD1: Scales = {1, nan}" + rule);
  EXPECT_EQ(Refuse1({.scales = {-kInfinity, 1}}), "RESAMPLE_GRAD1: Scales = {-inf, 1}" + rule);
  EXPECT_EQ(Refuse1({.in = {kNan, 0}}),
            "RESAMPLE_GRAD1: InputPixelOffsets = {nan, 0} must be finite in every entry");
  EXPECT_EQ(Refuse1({.out = {0, -kInfinity}}),
            "RESAMPLE_GRAD1: OutputPixelOffsets = {0, -inf} must be finite in every entry");
  EXPECT_EQ(Refuse({.scales = {1, 0}}), "RESAMPLE_GRAD: Scales = {1, 0}" + rule);
  EXPECT_EQ(Refuse({.out = {0, kInfinity}}),
            "RESAMPLE_GRAD: OutputPixelOffsets = {0, inf} must be finite in every entry");
}

// RS-12, E3, RS-P14, RS-P15
TEST(ResampleGrad1, RefusesACountThatIsNotTheTensorsAndNullArrays) {
  EXPECT_EQ(Refuse1({.count = 3}),
            "RESAMPLE_GRAD1: DimensionCount = 3 must equal InputGradientTensor.DimensionCount = 2");
  EXPECT_EQ(Refuse({.count = 1}),
            "RESAMPLE_GRAD: DimensionCount = 1 must equal InputGradientTensor.DimensionCount = 2");
  EXPECT_EQ(Refuse1({.scales = {}}), "RESAMPLE_GRAD1: Scales must not be null");
  EXPECT_EQ(Refuse1({.in = {}}), "RESAMPLE_GRAD1: InputPixelOffsets must not be null");
  EXPECT_EQ(Refuse({.out = {}}), "RESAMPLE_GRAD: OutputPixelOffsets must not be null");
}

// E2, E8, RS-P22
TEST(ResampleGrad1, RefusesTensorsThatDisagree) {
  EXPECT_EQ(Refuse1({.to = {2}}),
            "RESAMPLE_GRAD1: OutputGradientTensor.DimensionCount = 1 must equal "
            "InputGradientTensor.DimensionCount = 2");
  EXPECT_EQ(Refuse1({.to_type = DML_TENSOR_DATA_TYPE_FLOAT16}),
            "RESAMPLE_GRAD1: OutputGradientTensor.DataType = FLOAT16 must equal "
            "InputGradientTensor.DataType = FLOAT32");
  EXPECT_EQ(Refuse({.from_type = DML_TENSOR_DATA_TYPE_FLOAT16}),
            "RESAMPLE_GRAD: OutputGradientTensor.DataType = FLOAT32 must equal "
            "InputGradientTensor.DataType = FLOAT16");
}

// RS-12, E4, E5: RoundingDirection is checked in LINEAR mode too.
TEST(ResampleGrad1, RefusesUndefinedEnumerators) {
  EXPECT_EQ(Refuse1({.mode = kLinear, .rounding = 2}),
            "RESAMPLE_GRAD1: RoundingDirection = 2 must be INCREASING (0) or DECREASING (1)");
  EXPECT_EQ(Refuse1({.mode = 2}),
            "RESAMPLE_GRAD1: InterpolationMode = 2 must be NEAREST_NEIGHBOR (0) or LINEAR (1)");
  EXPECT_EQ(Refuse({.mode = 7}),
            "RESAMPLE_GRAD: InterpolationMode = 7 must be NEAREST_NEIGHBOR (0) or LINEAR (1)");
}

// RS-12, E1, E9, RS-P23. The gradient never gained INT8 and UINT8.
TEST(ResampleGrad1, RefusesTypesAndDimensionCountsOutsideItsTable) {
  EXPECT_EQ(Refuse1({.from = {1, 1, 1, 1, 1}, .to = {1, 1, 1, 1, 1}, .count = 5}),
            "RESAMPLE_GRAD1: InputGradientTensor.DimensionCount = 5 must be 1 to 4");
  for (auto [type, name] : {std::pair{DML_TENSOR_DATA_TYPE_INT8, "INT8"},
                            {DML_TENSOR_DATA_TYPE_UINT8, "UINT8"},
                            {DML_TENSOR_DATA_TYPE_FLOAT64, "FLOAT64"}}) {
    EXPECT_EQ(Refuse1({.from_type = type, .to_type = type}),
              std::string("RESAMPLE_GRAD1: InputGradientTensor.DataType = ") + name +
                  " must be FLOAT32 or FLOAT16");
    EXPECT_NE(Refuse({.from_type = type, .to_type = type}), "");
  }
}

// RS-P21, and the rows of the RESAMPLE_GRAD page.
TEST(ResampleGrad1, NamesTheFeatureLevelsOfItsRows) {
  EXPECT_EQ(Refuse1({.options = {.feature_level = FeatureLevel::k5_1}}), "");
  EXPECT_EQ(Refuse1({.options = {.feature_level = FeatureLevel::k5_0}}),
            "RESAMPLE_GRAD1: this operator needs feature level 5_1 or above; this device has 5_0");
  EXPECT_EQ(Refuse({.options = {.feature_level = FeatureLevel::k5_1}}), "");
  EXPECT_EQ(Refuse({.options = {.feature_level = FeatureLevel::k5_0}}),
            "RESAMPLE_GRAD: InputGradientTensor.DimensionCount = 2 needs feature level 5_1 or "
            "above; this device has 5_0");
  const Sizes four = {1, 1, 2, 2};
  EXPECT_EQ(
      Refuse(
          {.from = four, .to = four, .count = 4, .options = {.feature_level = FeatureLevel::k3_0}}),
      "");
  EXPECT_EQ(
      Refuse(
          {.from = four, .to = four, .count = 4, .options = {.feature_level = FeatureLevel::k2_1}}),
      "RESAMPLE_GRAD: this operator needs feature level 3_0 or above; this device has 2_1");
}

// E11
TEST(ResampleGrad1, DoesNotRunInPlace) {
  EXPECT_TRUE(FindOperator("RESAMPLE_GRAD")->schema->in_place.empty());
  EXPECT_TRUE(FindOperator("RESAMPLE_GRAD1")->schema->in_place.empty());
}

}  // namespace
}  // namespace anydml::test
