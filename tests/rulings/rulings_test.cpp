// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rulings that concern several operators at once (docs/rulings.md). What one
// operator can say for itself is in its folder.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "operators/registry.h"
#include "support/run.h"

namespace anydml::test {
namespace {

using Floats = std::vector<float>;
using Names = std::vector<std::string_view>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Names InPlaceInputs(const schema::OperatorSchema& schema) {
  Names names;
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (schema.in_place.Contains(i)) names.push_back(schema.fields[i].name);
  }
  return names;
}

// B23, O7, B59: element-wise operators run in place, and no others.
TEST(Rulings, OperatorsRunInPlaceExactlyWhereTheyMay) {
  const Names input = {"InputTensor"}, either = {"InputTensor", "InputGradientTensor"};
  const Names both = {"ATensor", "BTensor"};
  std::map<std::string_view, Names> allowed = {
      {"ELEMENT_WISE_IDENTITY", input},   {"ELEMENT_WISE_CLIP", input},
      {"ELEMENT_WISE_CLIP1", input},      {"ACTIVATION_RELU", input},
      {"ACTIVATION_RELU_GRAD", either},   {"ELEMENT_WISE_CLIP_GRAD", either},
      {"ELEMENT_WISE_CLIP_GRAD1", either}};
  // B127. Where types differ, their sizes decide.
  for (const char* name :
       {"ELEMENT_WISE_ADD", "ELEMENT_WISE_ADD1", "ELEMENT_WISE_SUBTRACT", "ELEMENT_WISE_MULTIPLY",
        "ELEMENT_WISE_DIVIDE", "ELEMENT_WISE_MAX", "ELEMENT_WISE_MIN",
        "ELEMENT_WISE_LOGICAL_EQUALS", "ELEMENT_WISE_LOGICAL_GREATER_THAN",
        "ELEMENT_WISE_LOGICAL_LESS_THAN", "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL",
        "ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL"}) {
    allowed[name] = both;
  }
  allowed["ELEMENT_WISE_IF"] = {"ConditionTensor", "ATensor", "BTensor"};
  for (const char* name : {"ELEMENT_WISE_NEGATE",
                           "ELEMENT_WISE_ABS",
                           "ELEMENT_WISE_RECIP",
                           "ELEMENT_WISE_SQRT",
                           "ELEMENT_WISE_EXP",
                           "ELEMENT_WISE_LOG",
                           "ELEMENT_WISE_ERF",
                           "ELEMENT_WISE_TANH",
                           "ACTIVATION_TANH",
                           "ACTIVATION_SIGMOID",
                           "ACTIVATION_GELU",
                           "ACTIVATION_ELU",
                           "ACTIVATION_CELU",
                           "ACTIVATION_SCALED_ELU",
                           "ACTIVATION_SCALED_TANH",
                           "ACTIVATION_IDENTITY",
                           "ACTIVATION_LINEAR",
                           "ACTIVATION_LEAKY_RELU",
                           "ACTIVATION_THRESHOLDED_RELU",
                           "ACTIVATION_HARD_SIGMOID",
                           "ACTIVATION_SOFTSIGN"}) {
    allowed[name] = input;
  }
  for (std::string_view name : {"MODULUS_TRUNCATE", "MODULUS_FLOOR", "MEAN", "DIFFERENCE_SQUARE",
                                "LOGICAL_AND", "LOGICAL_OR", "LOGICAL_XOR", "BIT_AND", "BIT_OR",
                                "BIT_XOR", "BIT_SHIFT_LEFT", "BIT_SHIFT_RIGHT"}) {
    allowed[FindSchema(fmt::format("ELEMENT_WISE_{}", name))->name] = both;
  }
  for (std::string_view name :
       {"THRESHOLD", "SIGN", "CEIL", "FLOOR", "ROUND", "LOGICAL_NOT", "BIT_NOT"}) {
    allowed[FindSchema(fmt::format("ELEMENT_WISE_{}", name))->name] = input;
  }
  allowed["ACTIVATION_SHRINK"] = allowed["ACTIVATION_HARD_SWISH"] = input;
  allowed["ACTIVATION_PARAMETERIZED_RELU"] = {"InputTensor", "SlopeTensor"};
  allowed["ELEMENT_WISE_QUANTIZE_LINEAR"] = {"ZeroPointTensor"};
  for (const char* name :
       {"ACTIVATION_SOFTPLUS", "ACTIVATION_PARAMETRIC_SOFTPLUS", "ACTIVATION_SWISH",
        "ELEMENT_WISE_SIN", "ELEMENT_WISE_COS", "ELEMENT_WISE_TAN", "ELEMENT_WISE_ASIN",
        "ELEMENT_WISE_ACOS", "ELEMENT_WISE_ATAN", "ELEMENT_WISE_SINH", "ELEMENT_WISE_COSH",
        "ELEMENT_WISE_ASINH", "ELEMENT_WISE_ACOSH", "ELEMENT_WISE_ATANH",
        "ELEMENT_WISE_CONSTANT_POW"}) {
    allowed[name] = input;
  }
  allowed["ELEMENT_WISE_ATAN_YX"] = both;
  allowed["ELEMENT_WISE_POW"] = {"InputTensor", "ExponentTensor"};
  allowed["ELEMENT_WISE_DEQUANTIZE_LINEAR"] = {"InputTensor", "ScaleTensor", "ZeroPointTensor"};
  allowed["ELEMENT_WISE_BIT_COUNT"] = allowed["ELEMENT_WISE_IS_NAN"] = input;
  allowed["CAST"] = input;
  allowed["ADAM_OPTIMIZER"] = {"InputParametersTensor", "InputFirstMomentTensor",
                               "InputSecondMomentTensor", "GradientTensor"};
  // B83.
  allowed["SCATTER_ELEMENTS"] = allowed["SCATTER_ND"] = input;
  // B59.
  allowed["CUMULATIVE_SUMMATION"] = allowed["CUMULATIVE_PRODUCT"] = input;
  size_t found = 0;
  for (const Definition* definition : Registry()) {
    const auto entry = allowed.find(definition->schema->name);
    found += entry != allowed.end();
    EXPECT_EQ(InPlaceInputs(*definition->schema), entry == allowed.end() ? Names() : entry->second)
        << definition->schema->name;
  }
  EXPECT_EQ(found, allowed.size());
}

// B8, B26: versions without a RoundingDirection take 0.5 from the input offset
// in float, and then floor. (0 - 0.5) / float(5/3) is -0.3 and float(-0.8) - 0.5
// rounds to -1.3, whose difference is 1 - 2^-24: pixel 0. floor(x + 0.5) with x
// rounded first would be 1, as it would be without rounding.
TEST(Rulings, OlderResamplingsTakeHalfFromTheInputOffsetInSinglePrecision) {
  const Tensor two(DML_TENSOR_DATA_TYPE_FLOAT32, {2}), one(DML_TENSOR_DATA_TYPE_FLOAT32, {1});
  const float scale = 5.0f / 3, in = -0.8f, out = 0.5f;
  const auto nearest = DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR;
  const DML_RESAMPLE1_OPERATOR_DESC forward = {two, one, nearest, 1, &scale, &in, &out};
  const DML_RESAMPLE_GRAD_OPERATOR_DESC gradient = {one, two, nearest, 1, &scale, &in, &out};
  const Floats x = {1, 2}, dy = {1};
  EXPECT_EQ(RunOn<float>(DML_OPERATOR_RESAMPLE1, &forward, {In(x)}, 1), (Floats{1}));
  EXPECT_EQ(RunOn<float>(DML_OPERATOR_RESAMPLE_GRAD, &gradient, {In(dy)}, 2), (Floats{1, 0}));
}

// B5: legal, with nothing between the bounds: no gradient but at NaN, and one
// value forward.
TEST(Rulings, EqualBoundsLeaveNothingBetweenThem) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const Floats x = {-2, 1, 2, kNan}, dy = {1, 2, 3, 4}, dx = {0, 0, 0, 4};
  DML_SCALAR_UNION bound = {};
  bound.Float32 = 1;
  const DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC gradient = {tensor, tensor, tensor, 1, 1};
  const DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC gradient1 = {
      tensor, tensor, tensor, DML_TENSOR_DATA_TYPE_FLOAT32, bound, bound};
  EXPECT_EQ(RunOn<float>(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD, &gradient, {In(x), In(dy)}, 4), dx);
  EXPECT_EQ(RunOn<float>(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1, &gradient1, {In(x), In(dy)}, 4), dx);
  const DML_ELEMENT_WISE_CLIP_OPERATOR_DESC clip = {tensor, tensor, nullptr, 1, 1};
  const Floats y = RunOn<float>(DML_OPERATOR_ELEMENT_WISE_CLIP, &clip, {In(x)}, 4);
  EXPECT_EQ(Floats(y.begin(), y.begin() + 3), (Floats{1, 1, 1}));
  EXPECT_TRUE(std::isnan(y[3]));
}

}  // namespace
}  // namespace anydml::test
