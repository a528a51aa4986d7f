// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// GEMM, CONVOLUTION and MATRIX_MULTIPLY_INTEGER: the pages' tables, row by row.
#pragma once

#include <directml.h>

#include "operators/fused_activations.h"
#include "schema/schema.h"

namespace anydml::matmul {

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};

constexpr schema::Field OptionalInput(std::string_view name, size_t offset) {
  schema::Field field = schema::Input(name, offset);
  field.optional = true;
  return field;
}
constexpr schema::Field WithFallback(schema::Field field, double fallback) {
  field.has_fallback = true;
  field.fallback = fallback;
  return field;
}

namespace gemm {

enum Fields {
  kATensor,
  kBTensor,
  kCTensor,
  kOutputTensor,
  kTransA,
  kTransB,
  kAlpha,
  kBeta,
  kFusedActivation
};

using Struct = DML_GEMM_OPERATOR_DESC;

inline constexpr std::string_view kTransforms[] = {"NONE", "TRANSPOSE"};
inline constexpr schema::Enumeration kMatrixTransform = {"DML_MATRIX_TRANSFORM_", kTransforms};

inline constexpr schema::Field kFields[] = {
    schema::Input("ATensor", offsetof(Struct, ATensor)),
    schema::Input("BTensor", offsetof(Struct, BTensor)),
    OptionalInput("CTensor", offsetof(Struct, CTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    WithFallback(schema::Enum("TransA", offsetof(Struct, TransA), kMatrixTransform), 0),
    WithFallback(schema::Enum("TransB", offsetof(Struct, TransB), kMatrixTransform), 0),
    WithFallback(schema::Float("Alpha", offsetof(Struct, Alpha)), 1),
    WithFallback(schema::Float("Beta", offsetof(Struct, Beta)), 1),
    schema::Fused("FusedActivation", offsetof(Struct, FusedActivation), kFusedByGemm),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k4_0, {2, 4}, kFloats},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kATensor, kBTensor, kCTensor, kOutputTensor}),
    schema::SameDimensionCount({kATensor, kBTensor, kCTensor, kOutputTensor}),
    schema::SameSizes({kCTensor, kOutputTensor}),
};

Status Check(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> OutputTensors(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "GEMM",
    .type = DML_OPERATOR_GEMM,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: ATensor is {.., M, K} ({.., K, M} with TransA), BTensor {.., K, N} ({.., N, K} with
    // TransB), OutputTensor {.., M, N}; their leading sizes are equal. OutputTensor satisfies the
    // rules of a FusedActivation on its tensors.
    .rule = Check,
    .output_tensors = OutputTensors,
};

}  // namespace gemm

namespace convolution {

enum Fields {
  kInputTensor,
  kFilterTensor,
  kBiasTensor,
  kOutputTensor,
  kMode,
  kDirection,
  kDimensionCount,
  kStrides,
  kDilations,
  kStartPadding,
  kEndPadding,
  kOutputPadding,
  kGroupCount,
  kFusedActivation
};

using Struct = DML_CONVOLUTION_OPERATOR_DESC;

inline constexpr std::string_view kModes[] = {"CONVOLUTION", "CROSS_CORRELATION"};
inline constexpr schema::Enumeration kConvolutionMode = {"DML_CONVOLUTION_MODE_", kModes};
inline constexpr std::string_view kDirections[] = {"FORWARD", "BACKWARD"};
inline constexpr schema::Enumeration kConvolutionDirection = {"DML_CONVOLUTION_DIRECTION_",
                                                              kDirections};

constexpr schema::Field Uints(std::string_view name, size_t offset, double fallback) {
  return schema::Array(schema::FieldType::kUintArray, name, offset, kDimensionCount, fallback);
}

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Input("FilterTensor", offsetof(Struct, FilterTensor)),
    OptionalInput("BiasTensor", offsetof(Struct, BiasTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    WithFallback(schema::Enum("Mode", offsetof(Struct, Mode), kConvolutionMode),
                 DML_CONVOLUTION_MODE_CROSS_CORRELATION),
    WithFallback(schema::Enum("Direction", offsetof(Struct, Direction), kConvolutionDirection),
                 DML_CONVOLUTION_DIRECTION_FORWARD),
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount), kInputTensor, 2),
    Uints("Strides", offsetof(Struct, Strides), 1),
    Uints("Dilations", offsetof(Struct, Dilations), 1),
    Uints("StartPadding", offsetof(Struct, StartPadding), 0),
    Uints("EndPadding", offsetof(Struct, EndPadding), 0),
    Uints("OutputPadding", offsetof(Struct, OutputPadding), 0),
    WithFallback({.name = "GroupCount", .offset = offsetof(Struct, GroupCount)}, 1),
    schema::Fused("FusedActivation", offsetof(Struct, FusedActivation), kFusedActivationsAndClip),
};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k4_0, {3, 5}, kFloats},
    {FeatureLevel::k1_0, {4, 5}, kFloats},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kFilterTensor, kBiasTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kFilterTensor, kBiasTensor, kOutputTensor}),
    schema::AtLeastOne({kStrides, kDilations}),
};

Status Check(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> OutputTensors(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "CONVOLUTION",
    .type = DML_OPERATOR_CONVOLUTION,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: InputTensor is {N, Ci, ..}, OutputTensor {N, Co, ..}, BiasTensor {1, Co, 1, ..};
    // FilterTensor is {Co, Ci / GroupCount, ..} forward and {Ci, Co / GroupCount, ..} backward.
    // GroupCount divides Ci and Co. OutputPadding is less than the size of OutputTensor. The
    // dilated window fits the padded image, and so do all windows of the other tensor (B71).
    .rule = Check,
    .output_tensors = OutputTensors,
};

}  // namespace convolution

namespace integer {

enum Fields { kATensor, kAZeroPointTensor, kBTensor, kBZeroPointTensor, kOutputTensor };

using Struct = DML_MATRIX_MULTIPLY_INTEGER_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("ATensor", offsetof(Struct, ATensor)),
    OptionalInput("AZeroPointTensor", offsetof(Struct, AZeroPointTensor)),
    schema::Input("BTensor", offsetof(Struct, BTensor)),
    OptionalInput("BZeroPointTensor", offsetof(Struct, BZeroPointTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
};

inline constexpr DataTypeSet kBytes = {DataType::kInt8, DataType::kUint8};
inline constexpr DataTypeSet kSums = {DataType::kInt32};
inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_2, {2, 4}, kBytes, {kATensor, kBTensor}},
    {FeatureLevel::k5_2, {1, 4}, kBytes, {kAZeroPointTensor, kBZeroPointTensor}},
    {FeatureLevel::k5_2, {2, 4}, kSums, {kOutputTensor}},
    {FeatureLevel::k4_0, {2, 4}, kBytes, {kATensor, kBTensor, kBZeroPointTensor}},
    {FeatureLevel::k4_0, {1, 4}, kBytes, {kAZeroPointTensor}},
    {FeatureLevel::k4_0, {2, 4}, kSums, {kOutputTensor}},
    {FeatureLevel::k2_1,
     {4, 4},
     kBytes,
     {kATensor, kAZeroPointTensor, kBTensor, kBZeroPointTensor}},
    {FeatureLevel::k2_1, {4, 4}, kSums, {kOutputTensor}},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kATensor, kAZeroPointTensor}),
    schema::SameDataType({kBTensor, kBZeroPointTensor}),
    schema::SameDimensionCount({kATensor, kBTensor, kOutputTensor}),
};

Status Check(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> OutputTensors(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kSchema = {
    .name = "MATRIX_MULTIPLY_INTEGER",
    .type = DML_OPERATOR_MATRIX_MULTIPLY_INTEGER,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: ATensor is {.., M, K}, BTensor {.., K, N}, OutputTensor {.., M, N}; their leading sizes
    // are equal. AZeroPointTensor has one element, or one per row, {.., 1, M, 1}; BZeroPointTensor
    // one, or one per column, {.., 1, N}.
    .rule = Check,
    .output_tensors = OutputTensors,
};

}  // namespace integer

}  // namespace anydml::matmul
