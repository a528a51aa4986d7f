// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// AVERAGE_POOLING, AVERAGE_POOLING1, AVERAGE_POOLING_GRAD, LP_POOLING and LP_POOLING1: the pages'
// tables, row by row.
#pragma once

#include <directml.h>

#include "schema/sliding_window.h"

namespace anydml::average_pooling {

// Of all five; versions 1 have Dilations before IncludePadding or P. In the gradient the first
// two are InputGradientTensor and OutputGradientTensor.
enum Fields {
  kInputTensor,
  kOutputTensor,
  kDimensionCount,
  kStrides,
  kWindowSize,
  kStartPadding,
  kEndPadding,
  kIncludePadding,
  kP = kIncludePadding,
};
enum Fields1 { kDilations = kIncludePadding, kIncludePadding1, kP1 = kIncludePadding1 };

template <class Struct>
inline constexpr schema::Field kTensors[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
};
template <class Struct>
inline constexpr schema::Field kIncludePaddingField = schema::Bool("IncludePadding",
                                                                   offsetof(Struct, IncludePadding),
                                                                   false);

template <class Struct = DML_AVERAGE_POOLING_OPERATOR_DESC>
inline constexpr auto kFields = schema::JoinFields(kTensors<Struct>,
                                                   schema::kWindowArrays<Struct, kDimensionCount>,
                                                   {kIncludePaddingField<Struct>});
template <class Struct = DML_AVERAGE_POOLING1_OPERATOR_DESC>
inline constexpr auto kFields1 = schema::JoinFields(
    kTensors<Struct>, schema::kWindowArrays<Struct, kDimensionCount>,
    {schema::kDilationsField<Struct, kDimensionCount>, kIncludePaddingField<Struct>});
template <class Struct = DML_AVERAGE_POOLING_GRAD_OPERATOR_DESC>
inline constexpr auto kGradientFields = schema::JoinFields(
    {schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
     schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor))},
    schema::kWindowArrays<Struct, kDimensionCount>, {kIncludePaddingField<Struct>});
template <class Struct = DML_LP_POOLING_OPERATOR_DESC>
inline constexpr auto kLpFields = schema::JoinFields(kTensors<Struct>,
                                                     schema::kWindowArrays<Struct, kDimensionCount>,
                                                     {schema::Uint("P", offsetof(Struct, P))});
template <class Struct = DML_LP_POOLING1_OPERATOR_DESC>
inline constexpr auto kLpFields1 = schema::JoinFields(
    kTensors<Struct>, schema::kWindowArrays<Struct, kDimensionCount>,
    {schema::kDilationsField<Struct, kDimensionCount>, schema::Uint("P", offsetof(Struct, P))});

inline constexpr schema::SlidingWindowFields kWindowFields =
    schema::WindowFields(kInputTensor, kOutputTensor, kDimensionCount, false);
inline constexpr schema::SlidingWindowFields kWindowFields1 =
    schema::WindowFields(kInputTensor, kOutputTensor, kDimensionCount, true);
// The gradient goes from the narrow tensor to the wide one.
inline constexpr schema::SlidingWindowFields kGradientWindowFields =
    schema::WindowFields(kOutputTensor, kInputTensor, kDimensionCount, false);

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr schema::TensorSupport kSupport[] = {{FeatureLevel::k1_0, {4, 5}, kFloats}};
inline constexpr schema::TensorSupport kSupport1[] = {{FeatureLevel::k6_2, {4, 5}, kFloats}};
inline constexpr schema::TensorSupport kGradientSupport[] = {{FeatureLevel::k3_0, {4, 5}, kFloats}};

inline constexpr schema::Constraint kConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::AtLeastOne({kStrides, kWindowSize}),
};
inline constexpr schema::Constraint kConstraints1[] = {
    kConstraints[0],
    kConstraints[1],
    schema::AtLeastOne({kStrides, kWindowSize, kDilations}),
};
// P is at least 1 (B37).
inline constexpr schema::Constraint kLpConstraints[] = {
    kConstraints[0],
    kConstraints[1],
    schema::AtLeastOne({kStrides, kWindowSize, kP}),
};
inline constexpr schema::Constraint kLpConstraints1[] = {
    kConstraints[0],
    kConstraints[1],
    schema::AtLeastOne({kStrides, kWindowSize, kDilations, kP1}),
};

inline constexpr schema::OperatorSchema kSchema = {
    .name = "AVERAGE_POOLING",
    .type = DML_OPERATOR_AVERAGE_POOLING,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_AVERAGE_POOLING_OPERATOR_DESC),
    .fields = kFields<>,
    .support = kSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: OutputTensor has the batch and channel sizes of InputTensor. Along each spatial axis
    // WindowSize is at most the size of InputTensor + StartPadding + EndPadding, and the size of
    // OutputTensor is their difference / Stride + 1, rounded down or up (B15).
    .rule = schema::SlidingWindowRule<kWindowFields>,
    .output_tensors = schema::SlidingWindowOutputTensors<kWindowFields>,
};
inline constexpr schema::OperatorSchema kSchema1 = {
    .name = "AVERAGE_POOLING1",
    .type = DML_OPERATOR_AVERAGE_POOLING1,
    .level = FeatureLevel::k6_2,
    .struct_size = sizeof(DML_AVERAGE_POOLING1_OPERATOR_DESC),
    .fields = kFields1<>,
    .support = kSupport1,
    .constraints = kConstraints1,
    .in_place = {},
    // Rule: OutputTensor has the batch and channel sizes of InputTensor. Along each spatial axis
    // (WindowSize - 1) * Dilation + 1 is at most the size of InputTensor + StartPadding +
    // EndPadding, and the size of OutputTensor is their difference / Stride + 1, rounded down or
    // up (B15, B35).
    .rule = schema::SlidingWindowRule<kWindowFields1>,
    .output_tensors = schema::SlidingWindowOutputTensors<kWindowFields1>,
};
inline constexpr schema::OperatorSchema kGradientSchema = {
    .name = "AVERAGE_POOLING_GRAD",
    .type = DML_OPERATOR_AVERAGE_POOLING_GRAD,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(DML_AVERAGE_POOLING_GRAD_OPERATOR_DESC),
    .fields = kGradientFields<>,
    .support = kGradientSupport,
    .constraints = kConstraints,
    .in_place = {},
    // Rule: InputGradientTensor has the batch and channel sizes of OutputGradientTensor. Along
    // each spatial axis WindowSize is at most the size of OutputGradientTensor + StartPadding +
    // EndPadding, and the size of InputGradientTensor is their difference / Stride + 1, rounded
    // down or up (B15).
    .rule = schema::SlidingWindowRule<kGradientWindowFields>,
};
inline constexpr schema::OperatorSchema kLpSchema = {
    .name = "LP_POOLING",
    .type = DML_OPERATOR_LP_POOLING,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_LP_POOLING_OPERATOR_DESC),
    .fields = kLpFields<>,
    .support = kSupport,
    .constraints = kLpConstraints,
    .in_place = {},
    // Rule: OutputTensor has the batch and channel sizes of InputTensor. Along each spatial axis
    // WindowSize is at most the size of InputTensor + StartPadding + EndPadding, and the size of
    // OutputTensor is their difference / Stride + 1, rounded down or up (B15).
    .rule = schema::SlidingWindowRule<kWindowFields>,
    .output_tensors = schema::SlidingWindowOutputTensors<kWindowFields>,
};
inline constexpr schema::OperatorSchema kLpSchema1 = {
    .name = "LP_POOLING1",
    .type = DML_OPERATOR_LP_POOLING1,
    .level = FeatureLevel::k6_2,
    .struct_size = sizeof(DML_LP_POOLING1_OPERATOR_DESC),
    .fields = kLpFields1<>,
    .support = kSupport1,
    .constraints = kLpConstraints1,
    .in_place = {},
    // Rule: OutputTensor has the batch and channel sizes of InputTensor. Along each spatial axis
    // (WindowSize - 1) * Dilation + 1 is at most the size of InputTensor + StartPadding +
    // EndPadding, and the size of OutputTensor is their difference / Stride + 1, rounded down or
    // up (B15, B35).
    .rule = schema::SlidingWindowRule<kWindowFields1>,
    .output_tensors = schema::SlidingWindowOutputTensors<kWindowFields1>,
};

}  // namespace anydml::average_pooling
