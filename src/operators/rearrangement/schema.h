// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Operators whose output elements are copies of input elements, or a padding value: the pages'
// tables, row by row.
#pragma once

#include <directml.h>

#include "schema/arguments.h"
#include "schema/field_lists.h"

namespace anydml::rearrangement {

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr DataTypeSet kEightTypes =
    kFloats | DataTypeSet{DataType::kInt32,  DataType::kInt16,  DataType::kInt8,
                          DataType::kUint32, DataType::kUint16, DataType::kUint8};
inline constexpr DataTypeSet kTenTypes =
    kEightTypes | DataTypeSet{DataType::kInt64, DataType::kUint64};
inline constexpr DataTypeSet kElevenTypes = kTenTypes | DataTypeSet{DataType::kFloat64};

// All but REVERSE_SUBSEQUENCES begin with these.
enum Fields { kInputTensor, kOutputTensor };

template <class Struct>
inline constexpr schema::Field kTensors[] = {
    schema::Input("InputTensor", offsetof(Struct, InputTensor)),
    schema::Output("OutputTensor", offsetof(Struct, OutputTensor)),
};
inline constexpr schema::Constraint kTwoTensors[] = {
    schema::SameDataType({kInputTensor, kOutputTensor}),
    schema::SameDimensionCount({kInputTensor, kOutputTensor}),
};

using Outputs = Result<std::vector<TensorDesc>>;
// That the output has the sizes that follow.
template <Outputs (*kOutputs)(const schema::Arguments&)>
Status CheckOutput(const schema::Arguments& arguments);

// ---- PADDING and PADDING1

namespace padding {
enum Fields { kPaddingMode = rearrangement::kOutputTensor + 1, kPaddingValue };
enum Fields1 { kPaddingValueDataType = kPaddingMode + 1, kPaddingValue1 };
using Struct = DML_PADDING_OPERATOR_DESC;
using Struct1 = DML_PADDING1_OPERATOR_DESC;
}  // namespace padding

inline constexpr std::string_view kPaddingModes[] = {"CONSTANT", "EDGE", "REFLECTION", "SYMMETRIC",
                                                     "WRAP"};
inline constexpr schema::Enumeration kPaddingMode = {"DML_PADDING_MODE_", kPaddingModes};

// The arrays are the last two fields.
template <class Struct, int kCount>
inline constexpr schema::Field kPaddingArrays[] = {
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount), kInputTensor),
    schema::Array(schema::FieldType::kUintArray, "StartPadding", offsetof(Struct, StartPadding),
                  kCount, 0),
    schema::Array(schema::FieldType::kUintArray, "EndPadding", offsetof(Struct, EndPadding), kCount,
                  0),
};
inline constexpr auto kPaddingFields = schema::JoinFields(
    kTensors<padding::Struct>,
    {schema::Enum("PaddingMode", offsetof(padding::Struct, PaddingMode), kPaddingMode),
     schema::Float("PaddingValue", offsetof(padding::Struct, PaddingValue))},
    kPaddingArrays<padding::Struct, padding::kPaddingValue + 1>);
inline constexpr auto kPadding1Fields = schema::JoinFields(
    kTensors<padding::Struct1>,
    {schema::Enum("PaddingMode", offsetof(padding::Struct1, PaddingMode), kPaddingMode),
     schema::DataTypeOf("PaddingValueDataType", offsetof(padding::Struct1, PaddingValueDataType),
                        kOutputTensor),
     schema::ScalarUnion("PaddingValue", offsetof(padding::Struct1, PaddingValue),
                         padding::kPaddingValueDataType)},
    kPaddingArrays<padding::Struct1, padding::kPaddingValue1 + 1>);

inline constexpr schema::TensorSupport kPaddingSupport[] = {
    {FeatureLevel::k5_0, {1, 8}, kElevenTypes},
    {FeatureLevel::k3_1, {1, 8}, kEightTypes},
    {FeatureLevel::k2_1, {4, 5}, kEightTypes},
    {FeatureLevel::k1_0, {4, 5}, kFloats},
};

Outputs PaddedOutputs(const schema::Arguments& arguments);
// SYMMETRIC from 3_0, WRAP from 6_4 (B80).
Status CheckPaddingMode(const schema::Arguments& arguments, FeatureLevel level);

inline constexpr schema::OperatorSchema kPaddingSchema = {
    .name = "PADDING",
    .type = DML_OPERATOR_PADDING,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(padding::Struct),
    .fields = kPaddingFields,
    .support = kPaddingSupport,
    .constraints = kTwoTensors,
    .in_place = {},
    // Rule: a size of OutputTensor is that of InputTensor, StartPadding and EndPadding added.
    // PaddingMode SYMMETRIC needs feature level 3_0, WRAP 6_4.
    .rule = CheckOutput<PaddedOutputs>,
    .output_tensors = PaddedOutputs,
    .level_rule = CheckPaddingMode,
};
inline constexpr schema::OperatorSchema kPadding1Schema = {
    .name = "PADDING1",
    .type = DML_OPERATOR_PADDING1,
    .level = FeatureLevel::k5_0,
    .struct_size = sizeof(padding::Struct1),
    .fields = kPadding1Fields,
    .support = std::span(kPaddingSupport).first(1),
    .constraints = kTwoTensors,
    .in_place = {},
    // Rule: that of PADDING.
    .rule = CheckOutput<PaddedOutputs>,
    .output_tensors = PaddedOutputs,
    .level_rule = CheckPaddingMode,
};

// ---- TILE

namespace tile {
enum Fields { kRepeatsCount = rearrangement::kOutputTensor + 1, kRepeats };
using Struct = DML_TILE_OPERATOR_DESC;
}  // namespace tile

inline constexpr schema::Field kTileCounts[] = {
    schema::DimensionCount("RepeatsCount", offsetof(tile::Struct, RepeatsCount), kInputTensor),
    schema::Array(schema::FieldType::kUintArray, "Repeats", offsetof(tile::Struct, Repeats),
                  tile::kRepeatsCount),
};
inline constexpr auto kTileFields = schema::JoinFields(kTensors<tile::Struct>, kTileCounts);

inline constexpr schema::TensorSupport kTileSupport[] = {
    {FeatureLevel::k4_1, {1, 8}, kTenTypes},
    {FeatureLevel::k3_1, {1, 8}, kEightTypes},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr schema::Constraint kTileConstraints[] = {
    kTwoTensors[0],
    kTwoTensors[1],
    schema::AtLeastOne({tile::kRepeats}),
};

Outputs TiledOutputs(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kTileSchema = {
    .name = "TILE",
    .type = DML_OPERATOR_TILE,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(tile::Struct),
    .fields = kTileFields,
    .support = kTileSupport,
    .constraints = kTileConstraints,
    .in_place = {},
    // Rule: a size of OutputTensor is that of InputTensor times Repeats.
    .rule = CheckOutput<TiledOutputs>,
    .output_tensors = TiledOutputs,
};

// ---- DEPTH_TO_SPACE and SPACE_TO_DEPTH

namespace blocks {
enum Fields { kBlockSize = rearrangement::kOutputTensor + 1, kOrder };
}  // namespace blocks

inline constexpr std::string_view kDepthSpaceOrders[] = {"DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"};
inline constexpr schema::Enumeration kDepthSpaceOrder = {"DML_DEPTH_SPACE_ORDER_",
                                                         kDepthSpaceOrders};

template <class Struct>
inline constexpr auto kBlockFields =
    schema::JoinFields(kTensors<Struct>, {schema::Uint("BlockSize", offsetof(Struct, BlockSize))});
template <class Struct>
inline constexpr auto kBlockFields1 = schema::JoinFields(
    kTensors<Struct>, {schema::Uint("BlockSize", offsetof(Struct, BlockSize)),
                       schema::Enum("Order", offsetof(Struct, Order), kDepthSpaceOrder)});

inline constexpr schema::TensorSupport kBlockSupport[] = {
    {FeatureLevel::k5_0, {4, 4}, kElevenTypes},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes},
    {FeatureLevel::k1_0, {4, 4}, kFloats},
};
inline constexpr schema::Constraint kBlockConstraints[] = {
    kTwoTensors[0],
    kTwoTensors[1],
    schema::AtLeastOne({blocks::kBlockSize}),
};

Outputs SpaceOutputs(const schema::Arguments& arguments);
Outputs DepthOutputs(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kSpaceToDepthSchema = {
    .name = "SPACE_TO_DEPTH",
    .type = DML_OPERATOR_SPACE_TO_DEPTH,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_SPACE_TO_DEPTH_OPERATOR_DESC),
    .fields = kBlockFields<DML_SPACE_TO_DEPTH_OPERATOR_DESC>,
    .support = kBlockSupport,
    .constraints = kBlockConstraints,
    .in_place = {},
    // Rule: height and width of InputTensor are multiples of BlockSize. OutputTensor has BlockSize
    // times less of both, and BlockSize * BlockSize times its channels.
    .rule = CheckOutput<DepthOutputs>,
    .output_tensors = DepthOutputs,
};
inline constexpr schema::OperatorSchema kDepthToSpaceSchema = {
    .name = "DEPTH_TO_SPACE",
    .type = DML_OPERATOR_DEPTH_TO_SPACE,
    .level = FeatureLevel::k1_0,
    .struct_size = sizeof(DML_DEPTH_TO_SPACE_OPERATOR_DESC),
    .fields = kBlockFields<DML_DEPTH_TO_SPACE_OPERATOR_DESC>,
    .support = kBlockSupport,
    .constraints = kBlockConstraints,
    .in_place = {},
    // Rule: the channels of InputTensor are a multiple of BlockSize * BlockSize. OutputTensor has
    // so many times fewer, and BlockSize times its height and width.
    .rule = CheckOutput<SpaceOutputs>,
    .output_tensors = SpaceOutputs,
};
inline constexpr schema::OperatorSchema kSpaceToDepth1Schema = {
    .name = "SPACE_TO_DEPTH1",
    .type = DML_OPERATOR_SPACE_TO_DEPTH1,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(DML_SPACE_TO_DEPTH1_OPERATOR_DESC),
    .fields = kBlockFields1<DML_SPACE_TO_DEPTH1_OPERATOR_DESC>,
    .support = std::span(kBlockSupport).first(2),
    .constraints = kBlockConstraints,
    .in_place = {},
    // Rule: that of SPACE_TO_DEPTH.
    .rule = CheckOutput<DepthOutputs>,
    .output_tensors = DepthOutputs,
};
inline constexpr schema::OperatorSchema kDepthToSpace1Schema = {
    .name = "DEPTH_TO_SPACE1",
    .type = DML_OPERATOR_DEPTH_TO_SPACE1,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(DML_DEPTH_TO_SPACE1_OPERATOR_DESC),
    .fields = kBlockFields1<DML_DEPTH_TO_SPACE1_OPERATOR_DESC>,
    .support = std::span(kBlockSupport).first(2),
    .constraints = kBlockConstraints,
    .in_place = {},
    // Rule: that of DEPTH_TO_SPACE.
    .rule = CheckOutput<SpaceOutputs>,
    .output_tensors = SpaceOutputs,
};

// ---- REVERSE_SUBSEQUENCES

namespace reverse {
enum Fields { kInputTensor, kSequenceLengthsTensor, kOutputTensor, kAxis };
using Struct = DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC;
}  // namespace reverse

inline constexpr schema::Field kReverseFields[] = {
    schema::Input("InputTensor", offsetof(reverse::Struct, InputTensor)),
    schema::Input("SequenceLengthsTensor", offsetof(reverse::Struct, SequenceLengthsTensor)),
    schema::Output("OutputTensor", offsetof(reverse::Struct, OutputTensor)),
    schema::Uint("Axis", offsetof(reverse::Struct, Axis)),
};

inline constexpr schema::FieldSet kSequences = {reverse::kInputTensor, reverse::kOutputTensor};
inline constexpr schema::FieldSet kLengths = {reverse::kSequenceLengthsTensor};
inline constexpr schema::TensorSupport kReverseSupport[] = {
    {FeatureLevel::k5_0, {1, 8}, kElevenTypes, kSequences},
    {FeatureLevel::k5_0, {1, 8}, {DataType::kUint32, DataType::kUint64}, kLengths},
    {FeatureLevel::k4_0, {1, 8}, kEightTypes, kSequences},
    {FeatureLevel::k4_0, {1, 8}, {DataType::kUint32}, kLengths},
    {FeatureLevel::k3_0, {4, 5}, kEightTypes, kSequences},
    {FeatureLevel::k3_0, {4, 5}, {DataType::kUint32}, kLengths},
    {FeatureLevel::k2_1, {4, 4}, kEightTypes, kSequences},
    {FeatureLevel::k2_1, {4, 4}, {DataType::kUint32}, kLengths},
};
inline constexpr schema::Constraint kReverseConstraints[] = {
    schema::SameDataType({reverse::kInputTensor, reverse::kOutputTensor}),
    schema::SameDimensionCount(
        {reverse::kInputTensor, reverse::kSequenceLengthsTensor, reverse::kOutputTensor}),
    schema::SameSizes({reverse::kInputTensor, reverse::kOutputTensor}),
};

Status CheckLengths(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kReverseSchema = {
    .name = "REVERSE_SUBSEQUENCES",
    .type = DML_OPERATOR_REVERSE_SUBSEQUENCES,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(reverse::Struct),
    .fields = kReverseFields,
    .support = kReverseSupport,
    .constraints = kReverseConstraints,
    .in_place = {},
    // Rule: Axis is less than the DimensionCount. SequenceLengthsTensor has the sizes of
    // InputTensor, but 1 along Axis.
    .rule = CheckLengths,
};

}  // namespace anydml::rearrangement
