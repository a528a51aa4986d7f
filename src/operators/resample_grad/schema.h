// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_RESAMPLE_GRAD_OPERATOR_DESC and DML_RESAMPLE_GRAD1_OPERATOR_DESC: the
// pages' tables, row by row. Sizes, scales and offsets are independent of one
// another (E10).
#pragma once

#include <directml.h>

#include "operators/resampled_axes.h"

namespace anydml::resample_grad {

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
    {FeatureLevel::k5_1, {1, 4}, {DataType::kFloat32, DataType::kFloat16}},
    {FeatureLevel::k3_0, {4, 4}, {DataType::kFloat32, DataType::kFloat16}},
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

}  // namespace anydml::resample_grad
