// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// RESAMPLE and its three successors, UPSAMPLE_2D, RESAMPLE_GRAD and RESAMPLE_GRAD1: the pages'
// tables, row by row.
#pragma once

#include <directml.h>

#include "schema/arguments.h"
#include "schema/field_lists.h"

namespace anydml::resample {

// The arrays of a struct, of which DimensionCount is field `kCount`. The fallbacks of the
// offsets are the centres of pixels, which RESAMPLE always means.
template <class Struct, int kCount>
inline constexpr schema::Field kScaleArrays[] = {
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount), 0),
    schema::Array(schema::FieldType::kFloatArray, "Scales", offsetof(Struct, Scales), kCount),
    schema::Array(schema::FieldType::kFloatArray, "InputPixelOffsets",
                  offsetof(Struct, InputPixelOffsets), kCount, 0.5),
    schema::Array(schema::FieldType::kFloatArray, "OutputPixelOffsets",
                  offsetof(Struct, OutputPixelOffsets), kCount, -0.5),
};
template <class Struct>
inline constexpr schema::Field kRoundingField = schema::Enum("RoundingDirection",
                                                             offsetof(Struct, RoundingDirection),
                                                             schema::kAxisDirection);

// RESAMPLE has the first three.
template <int kScales>
inline constexpr schema::Constraint kScaleConstraints[] = {
    schema::SameDataType({0, 1}),
    schema::SameDimensionCount({0, 1}),
    schema::Positive({kScales}),
    schema::Finite({kScales + 1, kScales + 2}),
};

// All versions of RESAMPLE begin with these; each has its own fields after them.
enum Fields { kInputTensor, kOutputTensor, kInterpolationMode };

template <class Struct>
inline constexpr schema::Field kFirstFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::Enum("InterpolationMode", offsetof(Struct, InterpolationMode),
                 schema::kInterpolationMode),
};

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr DataTypeSet kFloatsAndBytes = {DataType::kFloat32, DataType::kFloat16,
                                                DataType::kInt8, DataType::kUint8};

// The sizes of OutputTensor where a front end leaves it out: the largest whose quotient by
// the input's size, as a FLOAT, is at most the scale, and at least 1. That is size * scale
// rounded down, but for scales such as 0.7f, which is less than 0.7: 10 elements become 7.
Result<std::vector<TensorDesc>> ScaledOutputs(const schema::Arguments& arguments, size_t scales);
template <size_t kScales>
Result<std::vector<TensorDesc>> OutputTensors(const schema::Arguments& arguments) {
  return ScaledOutputs(arguments, kScales);
}

namespace version0 {

enum Fields { kScaleCount = kInterpolationMode + 1, kScales };
using Struct = DML_RESAMPLE_OPERATOR_DESC;

inline constexpr auto kFields = schema::JoinFields(
    kFirstFields<Struct>, {schema::DimensionCount("ScaleCount", offsetof(Struct, ScaleCount), 0),
                           schema::Array(schema::FieldType::kFloatArray, "Scales",
                                         offsetof(Struct, Scales), kScaleCount)});

// The level history names RESAMPLE2 alone for 6_2; the pages of RESAMPLE and
// RESAMPLE1 print the same row, and pages win.
inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k6_2, {1, 4}, kFloatsAndBytes},
    {FeatureLevel::k5_1, {1, 4}, kFloats},
    {FeatureLevel::k2_0, {4, 4}, kFloats},
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RESAMPLE",
    .type = DML_OPERATOR_RESAMPLE,
    .level = FeatureLevel::k2_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = std::span(kScaleConstraints<kScales>).first(3),
    .in_place = {},
    .output_tensors = OutputTensors<kScales>,
};

}  // namespace version0

namespace version1 {

enum Fields { kDimensionCount = kInterpolationMode + 1, kScales };
using Struct = DML_RESAMPLE1_OPERATOR_DESC;

inline constexpr auto kFields =
    schema::JoinFields(kFirstFields<Struct>, kScaleArrays<Struct, kDimensionCount>);

inline constexpr schema::TensorSupport kSupport[] = {
    version0::kSupport[0],
    version0::kSupport[1],
    {FeatureLevel::k2_1, {4, 4}, kFloats},
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RESAMPLE1",
    .type = DML_OPERATOR_RESAMPLE1,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kScaleConstraints<kScales>,
    .in_place = {},
    .output_tensors = OutputTensors<kScales>,
};

}  // namespace version1

namespace version2 {

enum Fields { kRoundingDirection = kInterpolationMode + 1, kDimensionCount, kScales };
using Struct = DML_RESAMPLE2_OPERATOR_DESC;

template <class Version>
inline constexpr auto kFields = schema::JoinFields(kFirstFields<Version>, {kRoundingField<Version>},
                                                   kScaleArrays<Version, kDimensionCount>);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RESAMPLE2",
    .type = DML_OPERATOR_RESAMPLE2,
    .level = FeatureLevel::k5_1,
    .struct_size = sizeof(Struct),
    .fields = kFields<Struct>,
    .support = std::span(version0::kSupport).first(2),
    .constraints = kScaleConstraints<kScales>,
    .in_place = {},
    .output_tensors = OutputTensors<kScales>,
};

}  // namespace version2

namespace version3 {

// The fields of version 2 in the same order, and one more.
enum Fields { kAntialiased = version2::kScales + 3 };
using Struct = DML_RESAMPLE3_OPERATOR_DESC;

inline constexpr auto kFields = [] {
  std::array<schema::Field, kAntialiased + 1> fields;
  std::ranges::copy(version2::kFields<Struct>, fields.begin());
  fields.back() = schema::Bool("Antialiased", offsetof(Struct, Antialiased), false);
  return fields;
}();

inline constexpr schema::TensorSupport kSupport[] = {{FeatureLevel::k6_4, {1, 4}, kFloatsAndBytes}};

// The page names a filter that is stretched when it shrinks, and neither its
// shape nor its border (O6).
inline Status RefuseAntialiasing(const schema::Arguments& arguments) {
  if (arguments.Uint(kAntialiased) == 0) return {};
  return Unsupported(
      "RESAMPLE3: Antialiased = TRUE must be FALSE: antialiasing is not implemented");
}

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RESAMPLE3",
    .type = DML_OPERATOR_RESAMPLE3,
    .level = FeatureLevel::k6_4,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kScaleConstraints<version2::kScales>,
    .in_place = {},
    // Rule: Antialiased is FALSE (O6).
    .rule = RefuseAntialiasing,
    .output_tensors = OutputTensors<version2::kScales>,
};

}  // namespace version3

namespace upsample_2d {

enum Fields { kScaleSize = kOutputTensor + 1, kInterpolationMode };
using Struct = DML_UPSAMPLE_2D_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::Size2D("ScaleSize", offsetof(Struct, ScaleSize)),
    schema::Enum("InterpolationMode", offsetof(Struct, InterpolationMode),
                 schema::kInterpolationMode),
};

inline constexpr schema::TensorSupport kSupport[] = {{FeatureLevel::k1_0, {4, 5}, kFloats}};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::AtLeastOne({kScaleSize}),
};

Result<std::vector<TensorDesc>> UpsampledOutputs(const schema::Arguments& arguments);
Status CheckSizes(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "UPSAMPLE_2D",
    .type = DML_OPERATOR_UPSAMPLE_2D,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: OutputTensor has InputTensor's sizes, the last two times ScaleSize.
    .rule = CheckSizes,
    .output_tensors = UpsampledOutputs,
};

}  // namespace upsample_2d

// ---- RESAMPLE_GRAD and RESAMPLE_GRAD1. Sizes, scales and offsets are independent of one another
// (E10).

namespace gradient {

// Both versions begin with these; each has its own fields after them.
enum Fields { kInputGradientTensor, kOutputGradientTensor, kInterpolationMode };

template <class Struct>
inline constexpr schema::Field kFirstFields[] = {
    schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
    schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor)),
    schema::Enum("InterpolationMode", offsetof(Struct, InterpolationMode),
                 schema::kInterpolationMode),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_1, {1, 4}, kFloats},
    {FeatureLevel::k3_0, {4, 4}, kFloats},
};

namespace version0 {

enum Fields { kDimensionCount = kInterpolationMode + 1, kScales };
using Struct = DML_RESAMPLE_GRAD_OPERATOR_DESC;

inline constexpr auto kFields =
    schema::JoinFields(kFirstFields<Struct>, kScaleArrays<Struct, kDimensionCount>);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RESAMPLE_GRAD",
    .type = DML_OPERATOR_RESAMPLE_GRAD,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kScaleConstraints<kScales>,
    .in_place = {},
};

}  // namespace version0

namespace version1 {

enum Fields { kRoundingDirection = kInterpolationMode + 1, kDimensionCount, kScales };
using Struct = DML_RESAMPLE_GRAD1_OPERATOR_DESC;

inline constexpr auto kFields = schema::JoinFields(kFirstFields<Struct>, {kRoundingField<Struct>},
                                                   kScaleArrays<Struct, kDimensionCount>);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RESAMPLE_GRAD1",
    .type = DML_OPERATOR_RESAMPLE_GRAD1,
    .level = FeatureLevel::k5_1,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = std::span(kSupport).first(1),
    .constraints = kScaleConstraints<kScales>,
    .in_place = {},
};

}  // namespace version1

}  // namespace gradient

}  // namespace anydml::resample
