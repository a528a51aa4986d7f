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
