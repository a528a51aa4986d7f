// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// SLICE, SLICE1 and SLICE_GRAD: the pages' tables, row by row.
#pragma once

#include <directml.h>

#include "schema/field_lists.h"

namespace anydml::slice {

// Of all three. In SLICE_GRAD the first two are InputGradientTensor and OutputGradientTensor.
enum Fields { kInputTensor, kOutputTensor, kDimensionCount, kOffsets, kSizes, kStrides };

// In SLICE a size counts the copied elements; in SLICE1 it is the extent of the
// window that they are taken from. Its strides are INT in the header although
// the page prints UINT (B16).
inline constexpr schema::Field kSliceFields[] = {
    schema::Input("InputTensor", offsetof(DML_SLICE_OPERATOR_DESC, InputTensor)),
    schema::Output("OutputTensor", offsetof(DML_SLICE_OPERATOR_DESC, OutputTensor)),
    schema::DimensionCount("DimensionCount", offsetof(DML_SLICE_OPERATOR_DESC, DimensionCount),
                           kInputTensor),
    schema::Array(schema::FieldType::kUintArray, "Offsets",
                  offsetof(DML_SLICE_OPERATOR_DESC, Offsets), kDimensionCount, 0),
    schema::Array(schema::FieldType::kUintArray, "Sizes", offsetof(DML_SLICE_OPERATOR_DESC, Sizes),
                  kDimensionCount),
    schema::Array(schema::FieldType::kUintArray, "Strides",
                  offsetof(DML_SLICE_OPERATOR_DESC, Strides), kDimensionCount, 1),
};
// Of SLICE1 and SLICE_GRAD.
template <class Struct>
inline constexpr schema::Field kWindowArrays[] = {
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount), kInputTensor),
    schema::Array(schema::FieldType::kUintArray, "InputWindowOffsets",
                  offsetof(Struct, InputWindowOffsets), kDimensionCount, 0),
    schema::Array(schema::FieldType::kUintArray, "InputWindowSizes",
                  offsetof(Struct, InputWindowSizes), kDimensionCount),
    schema::Array(schema::FieldType::kIntArray, "InputWindowStrides",
                  offsetof(Struct, InputWindowStrides), kDimensionCount, 1),
};
template <class Struct = DML_SLICE1_OPERATOR_DESC>
inline constexpr auto kSlice1Fields =
    schema::JoinFields({schema::Input("InputTensor", offsetof(Struct, InputTensor)),
                        schema::Output("OutputTensor", offsetof(Struct, OutputTensor))},
                       kWindowArrays<Struct>);
template <class Struct = DML_SLICE_GRAD_OPERATOR_DESC>
inline constexpr auto kSliceGradFields = schema::JoinFields(
    {schema::Input("InputGradientTensor", offsetof(Struct, InputGradientTensor)),
     schema::Output("OutputGradientTensor", offsetof(Struct, OutputGradientTensor))},
    kWindowArrays<Struct>);

inline constexpr DataTypeSet kElevenTypes = {
    DataType::kFloat64, DataType::kFloat32, DataType::kFloat16, DataType::kInt64,
    DataType::kInt32,   DataType::kInt16,   DataType::kInt8,    DataType::kUint64,
    DataType::kUint32,  DataType::kUint16,  DataType::kUint8};
inline constexpr DataTypeSet kEightTypes = {
    DataType::kFloat32, DataType::kFloat16, DataType::kInt32,  DataType::kInt16,
    DataType::kInt8,    DataType::kUint32,  DataType::kUint16, DataType::kUint8};
inline constexpr DataTypeSet kSixTypes = {DataType::kFloat32, DataType::kFloat16,
                                          DataType::kInt32,   DataType::kInt16,
                                          DataType::kUint32,  DataType::kUint16};

inline constexpr schema::TensorSupport kSliceSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kElevenTypes},
    {FeatureLevel::k3_0, {1, 8}, kEightTypes},
    {FeatureLevel::k2_1, {4, 5}, kEightTypes},
    {FeatureLevel::k1_0, {4, 5}, kSixTypes},
};
inline constexpr schema::TensorSupport kSlice1Support[] = {
    {FeatureLevel::k4_1, {1, 8}, kElevenTypes},
    {FeatureLevel::k3_0, {1, 8}, kEightTypes},
    {FeatureLevel::k2_1, {4, 5}, kEightTypes},
};
inline constexpr schema::TensorSupport kSliceGradSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kElevenTypes},
    {FeatureLevel::k3_1, {1, 8}, kEightTypes},
    {FeatureLevel::k3_0, {4, 5}, kEightTypes},
};

// SLICE's page does not forbid a stride of 0; we do, as in SLICE1 (B26).
inline constexpr schema::Constraint kSliceConstraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::NotZero({kStrides}),
};
// Of SLICE_GRAD too.
inline constexpr schema::Constraint kSlice1Constraints[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
    schema::AtLeastOne({kSizes}),
    schema::NotZero({kStrides}),
};

Status CheckSlice(const schema::Arguments& arguments);
Status CheckSlice1(const schema::Arguments& arguments);
Status CheckSliceGrad(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> SliceOutputs(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> Slice1Outputs(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kSliceSchema = {
    .name = "SLICE",
    .type = DML_OPERATOR_SLICE,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_SLICE_OPERATOR_DESC),
    .fields = kSliceFields,
    .support = kSliceSupport,
    .constraints = kSliceConstraints,
    .in_place = {},
    // Rule: Sizes are those of OutputTensor. Along each axis Offset + (Size - 1) * Stride is less
    // than the size of InputTensor.
    .rule = CheckSlice,
    .output_tensors = SliceOutputs,
};
inline constexpr schema::OperatorSchema kSlice1Schema = {
    .name = "SLICE1",
    .type = DML_OPERATOR_SLICE1,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(DML_SLICE1_OPERATOR_DESC),
    .fields = kSlice1Fields<>,
    .support = kSlice1Support,
    .constraints = kSlice1Constraints,
    .in_place = {},
    // Rule: Along each axis InputWindowOffset + InputWindowSize is at most the size of
    // InputTensor, and the size of OutputTensor at most 1 + (InputWindowSize - 1) /
    // abs(InputWindowStride) (B16).
    .rule = CheckSlice1,
    .output_tensors = Slice1Outputs,
};
inline constexpr schema::OperatorSchema kSliceGradSchema = {
    .name = "SLICE_GRAD",
    .type = DML_OPERATOR_SLICE_GRAD,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(DML_SLICE_GRAD_OPERATOR_DESC),
    .fields = kSliceGradFields<>,
    .support = kSliceGradSupport,
    .constraints = kSlice1Constraints,
    .in_place = {},
    // Rule: Along each axis InputWindowOffset + InputWindowSize is at most the size of
    // OutputGradientTensor, and the size of InputGradientTensor at most 1 + (InputWindowSize - 1)
    // / abs(InputWindowStride) (B16).
    .rule = CheckSliceGrad,
};

}  // namespace anydml::slice
