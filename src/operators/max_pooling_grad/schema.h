// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_MAX_POOLING_GRAD_OPERATOR_DESC: the page's tables, row by row.
#pragma once

#include <directml.h>

#include "schema/sliding_window.h"

namespace anydml::max_pooling_grad {

enum Fields {
  kInputTensor,
  kInputGradientTensor,
  kOutputGradientTensor,
  kDimensionCount,
  kStrides,
  kWindowSize,
  kStartPadding,
  kEndPadding,
  kDilations,
};

using Struct = DML_MAX_POOLING_GRAD_OPERATOR_DESC;

// The page says that the only valid DimensionCount is 2, which its own table
// contradicts from 4_0 on; the table wins (B24).
inline constexpr schema::Field kFields[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
    schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor)),
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount), kInputTensor, 2),
    schema::Array(schema::FieldType::kUintArray, "Strides", offsetof(Struct, Strides),
                  kDimensionCount, 1),
    schema::Array(schema::FieldType::kUintArray, "WindowSize", offsetof(Struct, WindowSize),
                  kDimensionCount),
    schema::Array(schema::FieldType::kUintArray, "StartPadding", offsetof(Struct, StartPadding),
                  kDimensionCount, 0),
    schema::Array(schema::FieldType::kUintArray, "EndPadding", offsetof(Struct, EndPadding),
                  kDimensionCount, 0),
    schema::Array(schema::FieldType::kUintArray, "Dilations", offsetof(Struct, Dilations),
                  kDimensionCount, 1),
};

inline constexpr schema::SlidingWindowFields kWindowFields = {.wide = kInputTensor,
                                                              .narrow = kInputGradientTensor,
                                                              .strides = kStrides,
                                                              .window_size = kWindowSize,
                                                              .start_padding = kStartPadding,
                                                              .end_padding = kEndPadding,
                                                              .dilations = kDilations};

inline constexpr schema::TensorSupport kSupport[] = {
    {FeatureLevel::k4_0, {4, 5}, {DataType::kFloat32, DataType::kFloat16}},
    {FeatureLevel::k3_0, {4, 4}, {DataType::kFloat32, DataType::kFloat16}},
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

}  // namespace anydml::max_pooling_grad
