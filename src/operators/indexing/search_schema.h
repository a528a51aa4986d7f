// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Operators that find elements and tell where they are: the pages' tables, row by row.
#pragma once

#include "operators/indexing/schema.h"

namespace anydml::indexing {

// ---- TOP_K and TOP_K1

namespace top_k {
enum Fields {
  kInputTensor,
  kOutputValueTensor,
  kOutputIndexTensor,
  kAxis,
  kK,
  kAxisDirection,  // of TOP_K1
};
using Struct = DML_TOP_K_OPERATOR_DESC;
using Struct1 = DML_TOP_K1_OPERATOR_DESC;
}  // namespace top_k

inline constexpr schema::Field kTopKFields[] = {
    schema::Input("InputTensor", offsetof(top_k::Struct, InputTensor)),
    schema::Output("OutputValueTensor", offsetof(top_k::Struct, OutputValueTensor)),
    schema::Output("OutputIndexTensor", offsetof(top_k::Struct, OutputIndexTensor)),
    schema::Uint("Axis", offsetof(top_k::Struct, Axis)),
    schema::Uint("K", offsetof(top_k::Struct, K)),
};
inline constexpr schema::Field kTopK1Fields[] = {
    schema::Input("InputTensor", offsetof(top_k::Struct1, InputTensor)),
    schema::Output("OutputValueTensor", offsetof(top_k::Struct1, OutputValueTensor)),
    schema::Output("OutputIndexTensor", offsetof(top_k::Struct1, OutputIndexTensor)),
    schema::Uint("Axis", offsetof(top_k::Struct1, Axis)),
    schema::Uint("K", offsetof(top_k::Struct1, K)),
    schema::Enum("AxisDirection", offsetof(top_k::Struct1, AxisDirection), schema::kAxisDirection),
};

inline constexpr schema::FieldSet kRanked = {top_k::kInputTensor, top_k::kOutputValueTensor};
inline constexpr schema::TensorSupport kTopKSupport[] = {
    {FeatureLevel::k5_0, {1, 8}, kTenTypes, kRanked},
    {FeatureLevel::k5_0,
     {1, 8},
     {DataType::kUint64, DataType::kUint32},
     {top_k::kOutputIndexTensor}},
    {FeatureLevel::k3_1, {1, 8}, kEightTypes, kRanked},
    {FeatureLevel::k3_1, {1, 8}, kUint32, {top_k::kOutputIndexTensor}},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes, kRanked},
    {FeatureLevel::k2_1, {4, 4}, kUint32, {top_k::kOutputIndexTensor}},
    {FeatureLevel::k2_0, {4, 4}, kFloats, kRanked},
    {FeatureLevel::k2_0, {4, 4}, kUint32, {top_k::kOutputIndexTensor}},
};

inline constexpr schema::Constraint kTopKConstraints[] = {
    schema::SameDataType({top_k::kInputTensor, top_k::kOutputValueTensor}),
    schema::SameDimensionCount(
        {top_k::kInputTensor, top_k::kOutputValueTensor, top_k::kOutputIndexTensor}),
    schema::SameSizes({top_k::kOutputValueTensor, top_k::kOutputIndexTensor}),
};

Status CheckTopK(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> TopKOutputs(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kTopKSchema = {
    .name = "TOP_K",
    .type = DML_OPERATOR_TOP_K,
    .level = FeatureLevel::k2_0,
    .struct_size = sizeof(top_k::Struct),
    .fields = kTopKFields,
    .support = kTopKSupport,
    .constraints = kTopKConstraints,
    .in_place = {},
    // Rule: Axis is less than the DimensionCount, K is at least 1 and at most the size of
    // InputTensor there. The outputs have the sizes of InputTensor, but K along Axis.
    .rule = CheckTopK,
    .output_tensors = TopKOutputs,
};
inline constexpr schema::OperatorSchema kTopK1Schema = {
    .name = "TOP_K1",
    .type = DML_OPERATOR_TOP_K1,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(top_k::Struct1),
    .fields = kTopK1Fields,
    .support = std::span(kTopKSupport).first<6>(),
    .constraints = kTopKConstraints,
    .in_place = {},
    // Rule: that of TOP_K.
    .rule = CheckTopK,
    .output_tensors = TopKOutputs,
};

// ---- NONZERO_COORDINATES

namespace nonzero {
enum Fields { kInputTensor, kOutputCountTensor, kOutputCoordinatesTensor };
using Struct = DML_NONZERO_COORDINATES_OPERATOR_DESC;
}  // namespace nonzero

inline constexpr schema::Field kNonzeroFields[] = {
    schema::Input("InputTensor", offsetof(nonzero::Struct, InputTensor)),
    schema::Output("OutputCountTensor", offsetof(nonzero::Struct, OutputCountTensor)),
    schema::Output("OutputCoordinatesTensor", offsetof(nonzero::Struct, OutputCoordinatesTensor)),
};
inline constexpr schema::TensorSupport kNonzeroSupport[] = {
    {FeatureLevel::k4_0, {1, 8}, kEightTypes, {nonzero::kInputTensor}},
    {FeatureLevel::k4_0, {1, 8}, kUint32, {nonzero::kOutputCountTensor}},
    {FeatureLevel::k4_0, {2, 8}, kUint32, {nonzero::kOutputCoordinatesTensor}},
    {FeatureLevel::k3_0, {4, 5}, kEightTypes, {nonzero::kInputTensor}},
    {FeatureLevel::k3_0,
     {4, 5},
     kUint32,
     {nonzero::kOutputCountTensor, nonzero::kOutputCoordinatesTensor}},
};

Status CheckNonzero(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> NonzeroOutputs(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kNonzeroSchema = {
    .name = "NONZERO_COORDINATES",
    .type = DML_OPERATOR_NONZERO_COORDINATES,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(nonzero::Struct),
    .fields = kNonzeroFields,
    .support = kNonzeroSupport,
    .constraints = {},
    .in_place = {},
    // Rule: OutputCountTensor has one element. OutputCoordinatesTensor has a row for every element
    // of InputTensor, and a column for every dimension, or for as many of the last ones as leave
    // none but leading ones of size 1; sizes before these two are 1.
    .rule = CheckNonzero,
    .output_tensors = NonzeroOutputs,
};

}  // namespace anydml::indexing
