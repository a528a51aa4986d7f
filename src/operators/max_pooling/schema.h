// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// MAX_POOLING, MAX_POOLING1, MAX_POOLING2, MAX_POOLING_GRAD and MAX_UNPOOLING: the pages' tables,
// row by row.
#pragma once

#include <directml.h>

#include "schema/sliding_window.h"

namespace anydml::max_pooling {

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr DataTypeSet kFloatsAndBytes = {DataType::kFloat32, DataType::kFloat16,
                                                DataType::kInt8, DataType::kUint8};
inline constexpr DataTypeSet kFloatsAndIntegers = {
    DataType::kFloat32, DataType::kFloat16, DataType::kInt64,  DataType::kInt32,  DataType::kInt16,
    DataType::kInt8,    DataType::kUint64,  DataType::kUint32, DataType::kUint16, DataType::kUint8};

// ---- MAX_POOLING

namespace version0 {

enum Fields { kInputTensor, kOutputTensor, kDimensionCount, kStrides, kWindowSize };

using Struct = DML_MAX_POOLING_OPERATOR_DESC;

inline constexpr auto kFields =
    schema::JoinFields({schema::Input("InputTensor", offsetof(Struct, InputTensor)),
                        schema::Output("OutputTensor", offsetof(Struct, OutputTensor))},
                       schema::kWindowArrays<Struct, kDimensionCount>);

inline constexpr schema::SlidingWindowFields kWindowFields =
    schema::WindowFields(kInputTensor, kOutputTensor, kDimensionCount, false);

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_0, {4, 5}, kFloatsAndIntegers},
    {FeatureLevel::k3_0, {4, 5}, kFloatsAndBytes},
    {FeatureLevel::k1_0, {4, 5}, kFloats},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::AtLeastOne({kStrides, kWindowSize}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "MAX_POOLING",
    .type = DML_OPERATOR_MAX_POOLING,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: OutputTensor has the batch and channel sizes of InputTensor. Along each spatial axis
    // WindowSize is at most the size of InputTensor + StartPadding + EndPadding, and the size of
    // OutputTensor is their difference / Stride + 1, rounded down or up (B15).
    .rule = schema::SlidingWindowRule<kWindowFields>,
    .output_tensors = schema::SlidingWindowOutputTensors<kWindowFields>,
};

}  // namespace version0

// ---- MAX_POOLING1: adds the indices. MAX_POOLING2: adds the dilations.

enum Fields {
  kInputTensor,
  kOutputTensor,
  kOutputIndicesTensor,
  kDimensionCount,
  kStrides,
  kWindowSize,
  kDilations = kWindowSize + 3
};

template <class Struct>
inline constexpr schema::Field kTensors[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
    schema::OptionalOutput("OutputIndicesTensor", offsetof(Struct, OutputIndicesTensor)),
};

// MAX_POOLING1 has the last two rows from 2_0 on.
inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_0, {4, 5}, kFloatsAndIntegers, {kInputTensor, kOutputTensor}},
    {FeatureLevel::k5_0, {4, 5}, {DataType::kUint64, DataType::kUint32}, {kOutputIndicesTensor}},
    {FeatureLevel::k3_0, {4, 5}, kFloatsAndBytes, {kInputTensor, kOutputTensor}},
    {FeatureLevel::k3_0, {4, 5}, {DataType::kUint32}, {kOutputIndicesTensor}},
    {FeatureLevel::k2_1, {4, 5}, kFloats, {kInputTensor, kOutputTensor}},
    {FeatureLevel::k2_1, {4, 5}, {DataType::kUint32}, {kOutputIndicesTensor}},
};

// The sentence that the two outputs have the same sizes stands in the pages'
// field texts, not under their constraints.
inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor, kOutputIndicesTensor}),
    schema::SameSizes({kOutputTensor, kOutputIndicesTensor}),
    schema::AtLeastOne({kStrides, kWindowSize}),
};

namespace version1 {

using Struct = DML_MAX_POOLING1_OPERATOR_DESC;

inline constexpr auto kFields =
    schema::JoinFields(kTensors<Struct>, schema::kWindowArrays<Struct, kDimensionCount>);

inline constexpr schema::SlidingWindowFields kWindowFields =
    schema::WindowFields(kInputTensor, kOutputTensor, kDimensionCount, false);

inline constexpr schema::TensorSupport kSupport[] = {
    max_pooling::kSupport[0],
    max_pooling::kSupport[1],
    max_pooling::kSupport[2],
    max_pooling::kSupport[3],
    {FeatureLevel::k2_0, {4, 5}, kFloats, {kInputTensor, kOutputTensor}},
    {FeatureLevel::k2_0, {4, 5}, {DataType::kUint32}, {kOutputIndicesTensor}},
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "MAX_POOLING1",
    .type = DML_OPERATOR_MAX_POOLING1,
    .level = FeatureLevel::k2_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: OutputTensor has the batch and channel sizes of InputTensor. Along each spatial axis
    // WindowSize is at most the size of InputTensor + StartPadding + EndPadding, and the size of
    // OutputTensor is their difference / Stride + 1, rounded down or up (B15).
    .rule = schema::SlidingWindowRule<kWindowFields>,
    .output_tensors = schema::SlidingWindowOutputTensors<kWindowFields>,
};

}  // namespace version1

namespace version2 {

using Struct = DML_MAX_POOLING2_OPERATOR_DESC;

inline constexpr auto kFields =
    schema::JoinFields(kTensors<Struct>, schema::kWindowArrays<Struct, kDimensionCount>,
                       {schema::kDilationsField<Struct, kDimensionCount>});

inline constexpr schema::SlidingWindowFields kWindowFields =
    schema::WindowFields(kInputTensor, kOutputTensor, kDimensionCount, true);

inline constexpr schema::Constraint kConstraints[] = {
    max_pooling::kConstraints[0],
    max_pooling::kConstraints[1],
    max_pooling::kConstraints[2],
    schema::AtLeastOne({kStrides, kWindowSize, kDilations}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "MAX_POOLING2",
    .type = DML_OPERATOR_MAX_POOLING2,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: OutputTensor has the batch and channel sizes of InputTensor. Along each spatial axis
    // (WindowSize - 1) * Dilation + 1 is at most the size of InputTensor + StartPadding +
    // EndPadding, and the size of OutputTensor is their difference / Stride + 1, rounded down or
    // up (B15).
    .rule = schema::SlidingWindowRule<kWindowFields>,
    .output_tensors = schema::SlidingWindowOutputTensors<kWindowFields>,
};

}  // namespace version2

// ---- MAX_POOLING_GRAD

namespace gradient {

enum Fields {
  kInputTensor,
  kInputGradientTensor,
  kOutputGradientTensor,
  kDimensionCount,
  kStrides,
  kWindowSize,
  kDilations = kWindowSize + 3
};

using Struct = DML_MAX_POOLING_GRAD_OPERATOR_DESC;

// The page says that the only valid DimensionCount is 2, which its own table
// contradicts from 4_0 on; the table wins (B24).
inline constexpr auto kFields = schema::JoinFields(
    {schema::Input("InputTensor", offsetof(Struct, InputTensor)),
     schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
     schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor))},
    schema::kWindowArrays<Struct, kDimensionCount>,
    {schema::kDilationsField<Struct, kDimensionCount>});

inline constexpr schema::SlidingWindowFields kWindowFields =
    schema::WindowFields(kInputTensor, kInputGradientTensor, kDimensionCount, true);

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k4_0, {4, 5}, kFloats},
    {FeatureLevel::k3_0, {4, 4}, kFloats},
};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kInputGradientTensor, kOutputGradientTensor}),
    schema::SameDimensionCount({kInputTensor, kInputGradientTensor, kOutputGradientTensor}),
    schema::SameSizes({kInputTensor, kOutputGradientTensor}),
    schema::AtLeastOne({kStrides, kWindowSize, kDilations}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "MAX_POOLING_GRAD",
    .type = DML_OPERATOR_MAX_POOLING_GRAD,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: InputGradientTensor has the batch and channel sizes of InputTensor. Along each spatial
    // axis (WindowSize - 1) * Dilation + 1 is at most the size of InputTensor + StartPadding +
    // EndPadding, and the size of InputGradientTensor is their difference / Stride + 1, rounded
    // down or up (B15).
    .rule = schema::SlidingWindowRule<kWindowFields>,
};

}  // namespace gradient

// ---- MAX_UNPOOLING

namespace unpooling {

enum Fields { kInputTensor, kIndicesTensor, kOutputTensor };

using Struct = DML_MAX_UNPOOLING_OPERATOR_DESC;

inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Input("IndicesTensor", offsetof(Struct, IndicesTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
};

inline constexpr DataTypeSet kIndexTypes = {DataType::kUint64, DataType::kUint32};

// The page says 3_0; the history of feature levels and the header say 2_0 (B55).
inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k5_0, {4, 4}, kFloatsAndIntegers, {kInputTensor, kOutputTensor}},
    {FeatureLevel::k5_0, {4, 4}, kIndexTypes, {kIndicesTensor}},
    {FeatureLevel::k2_0, {4, 4}, kFloats, {kInputTensor, kOutputTensor}},
    {FeatureLevel::k2_0, {4, 4}, {DataType::kUint32}, {kIndicesTensor}},
};
inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameSizes({kInputTensor, kIndicesTensor}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "MAX_UNPOOLING",
    .type = DML_OPERATOR_MAX_UNPOOLING,
    .level = FeatureLevel::k2_0,
    .struct_size = sizeof(Struct),
    .fields = kFields,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
};

}  // namespace unpooling

}  // namespace anydml::max_pooling
