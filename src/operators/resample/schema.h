// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_RESAMPLE_OPERATOR_DESC, its three successors and DML_UPSAMPLE_2D_OPERATOR_DESC: the
// pages' tables, row by row.
#pragma once

#include <directml.h>

#include "schema/arguments.h"
#include "schema/schema.h"

namespace anydml::resample {

// All versions of RESAMPLE begin with these; each has its own fields after them.
enum Fields { kInputTensor, kOutputTensor, kInterpolationMode };

// The fallbacks of the offsets are the centres of pixels, which RESAMPLE always
// means.
inline constexpr double kCentreOfInputPixel = 0.5;
inline constexpr double kCentreOfOutputPixel = -0.5;

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

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::Enum("InterpolationMode", offsetof(Struct, InterpolationMode),
                 schema::kInterpolationMode),
    schema::DimensionCount("ScaleCount", offsetof(Struct, ScaleCount), kInputTensor),
    schema::Array(schema::FieldType::kFloatArray, "Scales", offsetof(Struct, Scales), kScaleCount),
};

// The level history names RESAMPLE2 alone for 6_2; the pages of RESAMPLE and
// RESAMPLE1 print the same row, and pages win.
inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k6_2,
     {1, 4},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt8, DataType::kUint8}},
    {FeatureLevel::k5_1, {1, 4}, {DataType::kFloat32, DataType::kFloat16}},
    {FeatureLevel::k2_0, {4, 4}, {DataType::kFloat32, DataType::kFloat16}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::Positive({kScales}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RESAMPLE",
    .type = DML_OPERATOR_RESAMPLE,
    .level = FeatureLevel::k2_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    .output_tensors = OutputTensors<kScales>,
};

}  // namespace version0

namespace version1 {

enum Fields {
  kDimensionCount = kInterpolationMode + 1,
  kScales,
  kInputPixelOffsets,
  kOutputPixelOffsets
};
using Struct = DML_RESAMPLE1_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::Enum("InterpolationMode", offsetof(Struct, InterpolationMode),
                 schema::kInterpolationMode),
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount), kInputTensor),
    schema::Array(schema::FieldType::kFloatArray, "Scales", offsetof(Struct, Scales),
                  kDimensionCount),
    schema::Array(schema::FieldType::kFloatArray, "InputPixelOffsets",
                  offsetof(Struct, InputPixelOffsets), kDimensionCount, kCentreOfInputPixel),
    schema::Array(schema::FieldType::kFloatArray, "OutputPixelOffsets",
                  offsetof(Struct, OutputPixelOffsets), kDimensionCount, kCentreOfOutputPixel),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k6_2,
     {1, 4},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt8, DataType::kUint8}},
    {FeatureLevel::k5_1, {1, 4}, {DataType::kFloat32, DataType::kFloat16}},
    {FeatureLevel::k2_1, {4, 4}, {DataType::kFloat32, DataType::kFloat16}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::Positive({kScales}),
    schema::Finite({kInputPixelOffsets, kOutputPixelOffsets}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RESAMPLE1",
    .type = DML_OPERATOR_RESAMPLE1,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    .output_tensors = OutputTensors<kScales>,
};

}  // namespace version1

namespace version2 {

enum Fields {
  kRoundingDirection = kInterpolationMode + 1,
  kDimensionCount,
  kScales,
  kInputPixelOffsets,
  kOutputPixelOffsets
};
using Struct = DML_RESAMPLE2_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::Enum("InterpolationMode", offsetof(Struct, InterpolationMode),
                 schema::kInterpolationMode),
    schema::Enum("RoundingDirection", offsetof(Struct, RoundingDirection), schema::kAxisDirection),
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount), kInputTensor),
    schema::Array(schema::FieldType::kFloatArray, "Scales", offsetof(Struct, Scales),
                  kDimensionCount),
    schema::Array(schema::FieldType::kFloatArray, "InputPixelOffsets",
                  offsetof(Struct, InputPixelOffsets), kDimensionCount, kCentreOfInputPixel),
    schema::Array(schema::FieldType::kFloatArray, "OutputPixelOffsets",
                  offsetof(Struct, OutputPixelOffsets), kDimensionCount, kCentreOfOutputPixel),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k6_2,
     {1, 4},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt8, DataType::kUint8}},
    {FeatureLevel::k5_1, {1, 4}, {DataType::kFloat32, DataType::kFloat16}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::Positive({kScales}),
    schema::Finite({kInputPixelOffsets, kOutputPixelOffsets}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "RESAMPLE2",
    .type = DML_OPERATOR_RESAMPLE2,
    .level = FeatureLevel::k5_1,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    .output_tensors = OutputTensors<kScales>,
};

}  // namespace version2

namespace version3 {

// The fields of version 2 in the same order, and one more.
enum Fields { kAntialiased = version2::kOutputPixelOffsets + 1 };
using Struct = DML_RESAMPLE3_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::Enum("InterpolationMode", offsetof(Struct, InterpolationMode),
                 schema::kInterpolationMode),
    schema::Enum("RoundingDirection", offsetof(Struct, RoundingDirection), schema::kAxisDirection),
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount), kInputTensor),
    schema::Array(schema::FieldType::kFloatArray, "Scales", offsetof(Struct, Scales),
                  version2::kDimensionCount),
    schema::Array(schema::FieldType::kFloatArray, "InputPixelOffsets",
                  offsetof(Struct, InputPixelOffsets), version2::kDimensionCount,
                  kCentreOfInputPixel),
    schema::Array(schema::FieldType::kFloatArray, "OutputPixelOffsets",
                  offsetof(Struct, OutputPixelOffsets), version2::kDimensionCount,
                  kCentreOfOutputPixel),
    schema::Bool("Antialiased", offsetof(Struct, Antialiased), false),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k6_4,
     {1, 4},
     {DataType::kFloat32, DataType::kFloat16, DataType::kInt8, DataType::kUint8}},
};

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
    .constraints = version2::kConstraints,
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

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k1_0, {4, 5}, {DataType::kFloat32, DataType::kFloat16}},
};

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

}  // namespace anydml::resample
