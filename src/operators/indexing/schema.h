// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Operators that read or write elements by their indices: the pages' tables, row by row.
#pragma once

#include <directml.h>

#include "schema/arguments.h"
#include "schema/schema.h"

namespace anydml::indexing {

inline constexpr DataTypeSet kFloats = {DataType::kFloat32, DataType::kFloat16};
inline constexpr DataTypeSet kEightTypes =
    kFloats | DataTypeSet{DataType::kInt32,  DataType::kInt16,  DataType::kInt8,
                          DataType::kUint32, DataType::kUint16, DataType::kUint8};
inline constexpr DataTypeSet kTenTypes =
    kEightTypes | DataTypeSet{DataType::kInt64, DataType::kUint64};
inline constexpr DataTypeSet kElevenTypes = kTenTypes | DataTypeSet{DataType::kFloat64};
inline constexpr DataTypeSet kUint32 = {DataType::kUint32};
inline constexpr DataTypeSet kIndexTypes = {DataType::kInt64, DataType::kInt32, DataType::kUint64,
                                            DataType::kUint32};

// ---- GATHER_ELEMENTS, GATHER_ND and GATHER_ND1

namespace gather {
enum Fields { kInputTensor, kIndicesTensor, kOutputTensor, kAxis };
enum TupleFields { kInputDimensionCount = kAxis, kIndicesDimensionCount, kBatchDimensionCount };
using Elements = DML_GATHER_ELEMENTS_OPERATOR_DESC;
using Tuples = DML_GATHER_ND_OPERATOR_DESC;
using Tuples1 = DML_GATHER_ND1_OPERATOR_DESC;
}  // namespace gather

// ---- SCATTER and SCATTER_ND

namespace scatter {
enum Fields { kInputTensor, kIndicesTensor, kUpdatesTensor, kOutputTensor, kAxis };
enum TupleFields { kInputDimensionCount = kAxis, kIndicesDimensionCount };
using Elements = DML_SCATTER_OPERATOR_DESC;
using Tuples = DML_SCATTER_ND_OPERATOR_DESC;
}  // namespace scatter

inline constexpr schema::Field kGatherElementsFields[] = {
    schema::Input("InputTensor", offsetof(gather::Elements, InputTensor)),
    schema::Input("IndicesTensor", offsetof(gather::Elements, IndicesTensor)),
    schema::Output("OutputTensor", offsetof(gather::Elements, OutputTensor)),
    schema::Uint("Axis", offsetof(gather::Elements, Axis)),
};
inline constexpr schema::Field kGatherNdFields[] = {
    schema::Input("InputTensor", offsetof(gather::Tuples, InputTensor)),
    schema::Input("IndicesTensor", offsetof(gather::Tuples, IndicesTensor)),
    schema::Output("OutputTensor", offsetof(gather::Tuples, OutputTensor)),
    schema::Uint("InputDimensionCount", offsetof(gather::Tuples, InputDimensionCount)),
    schema::Uint("IndicesDimensionCount", offsetof(gather::Tuples, IndicesDimensionCount)),
};
inline constexpr schema::Field kGatherNd1Fields[] = {
    schema::Input("InputTensor", offsetof(gather::Tuples1, InputTensor)),
    schema::Input("IndicesTensor", offsetof(gather::Tuples1, IndicesTensor)),
    schema::Output("OutputTensor", offsetof(gather::Tuples1, OutputTensor)),
    schema::Uint("InputDimensionCount", offsetof(gather::Tuples1, InputDimensionCount)),
    schema::Uint("IndicesDimensionCount", offsetof(gather::Tuples1, IndicesDimensionCount)),
    schema::Uint("BatchDimensionCount", offsetof(gather::Tuples1, BatchDimensionCount)),
};
inline constexpr schema::Field kScatterFields[] = {
    schema::Input("InputTensor", offsetof(scatter::Elements, InputTensor)),
    schema::Input("IndicesTensor", offsetof(scatter::Elements, IndicesTensor)),
    schema::Input("UpdatesTensor", offsetof(scatter::Elements, UpdatesTensor)),
    schema::Output("OutputTensor", offsetof(scatter::Elements, OutputTensor)),
    schema::Uint("Axis", offsetof(scatter::Elements, Axis)),
};
inline constexpr schema::Field kScatterNdFields[] = {
    schema::Input("InputTensor", offsetof(scatter::Tuples, InputTensor)),
    schema::Input("IndicesTensor", offsetof(scatter::Tuples, IndicesTensor)),
    schema::Input("UpdatesTensor", offsetof(scatter::Tuples, UpdatesTensor)),
    schema::Output("OutputTensor", offsetof(scatter::Tuples, OutputTensor)),
    schema::Uint("InputDimensionCount", offsetof(scatter::Tuples, InputDimensionCount)),
    schema::Uint("IndicesDimensionCount", offsetof(scatter::Tuples, IndicesDimensionCount)),
};

// Operators that came later have fewer of the last rows.
constexpr std::array<schema::TensorSupport, 8> IndexedSupport(schema::FieldSet values,
                                                              schema::FieldSet indices) {
  return {{{FeatureLevel::k4_1, {1, 8}, kElevenTypes, values},
           {FeatureLevel::k4_1, {1, 8}, kIndexTypes, indices},
           {FeatureLevel::k3_0, {1, 8}, kEightTypes, values},
           {FeatureLevel::k3_0, {1, 8}, kIndexTypes, indices},
           {FeatureLevel::k2_1, {4, 4}, kEightTypes, values},
           {FeatureLevel::k2_1, {4, 4}, kUint32, indices},
           {FeatureLevel::k2_0, {4, 4}, kFloats, values},
           {FeatureLevel::k2_0, {4, 4}, kUint32, indices}}};
}
inline constexpr auto kGatherSupport =
    IndexedSupport({gather::kInputTensor, gather::kOutputTensor}, {gather::kIndicesTensor});
inline constexpr auto kScatterSupport =
    IndexedSupport({scatter::kInputTensor, scatter::kUpdatesTensor, scatter::kOutputTensor},
                   {scatter::kIndicesTensor});

inline constexpr schema::Constraint kGatherElementsConstraints[] = {
    schema::SameDataType({gather::kInputTensor, gather::kOutputTensor}),
    schema::SameDimensionCount(
        {gather::kInputTensor, gather::kIndicesTensor, gather::kOutputTensor}),
    schema::SameSizes({gather::kIndicesTensor, gather::kOutputTensor}),
};
inline constexpr schema::Constraint kGatherNdConstraints[] = {
    schema::SameDataType({gather::kInputTensor, gather::kOutputTensor}),
    schema::SameDimensionCount(
        {gather::kInputTensor, gather::kIndicesTensor, gather::kOutputTensor}),
};
inline constexpr schema::Constraint kScatterConstraints[] = {
    schema::SameDataType({scatter::kInputTensor, scatter::kUpdatesTensor, scatter::kOutputTensor}),
    schema::SameDimensionCount({scatter::kInputTensor, scatter::kIndicesTensor,
                                scatter::kUpdatesTensor, scatter::kOutputTensor}),
    schema::SameSizes({scatter::kInputTensor, scatter::kOutputTensor}),
    schema::SameSizes({scatter::kIndicesTensor, scatter::kUpdatesTensor}),
};
inline constexpr auto kScatterNdConstraints = std::span(kScatterConstraints).first<3>();

Status CheckElements(const schema::Arguments& arguments);
Status CheckGatherTuples(const schema::Arguments& arguments);
Status CheckScatterTuples(const schema::Arguments& arguments);
Result<std::vector<TensorDesc>> GatherNdOutputs(const schema::Arguments& arguments);

inline constexpr schema::OperatorSchema kGatherElementsSchema = {
    .name = "GATHER_ELEMENTS",
    .type = DML_OPERATOR_GATHER_ELEMENTS,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(gather::Elements),
    .fields = kGatherElementsFields,
    .support = std::span(kGatherSupport).first<6>(),
    .constraints = kGatherElementsConstraints,
    .in_place = {},
    // Rule: Axis is less than the DimensionCount. IndicesTensor has the sizes of InputTensor, but
    // along Axis.
    .rule = CheckElements,
};
inline constexpr schema::OperatorSchema kGatherNdSchema = {
    .name = "GATHER_ND",
    .type = DML_OPERATOR_GATHER_ND,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(gather::Tuples),
    .fields = kGatherNdFields,
    .support = std::span(kGatherSupport).first<6>(),
    .constraints = kGatherNdConstraints,
    .in_place = {},
    // Rule: sizes before the last InputDimensionCount ones of InputTensor, and the last
    // IndicesDimensionCount ones of IndicesTensor, are 1. The last size of IndicesTensor is at most
    // InputDimensionCount. OutputTensor has the other sizes of IndicesTensor, and behind them those
    // of InputTensor that no index is for; ones before them.
    .rule = CheckGatherTuples,
    .output_tensors = GatherNdOutputs,
};
inline constexpr schema::OperatorSchema kGatherNd1Schema = {
    .name = "GATHER_ND1",
    .type = DML_OPERATOR_GATHER_ND1,
    .level = FeatureLevel::k3_0,
    .struct_size = sizeof(gather::Tuples1),
    .fields = kGatherNd1Fields,
    .support = std::span(kGatherSupport).first<4>(),
    .constraints = kGatherNdConstraints,
    .in_place = {},
    // Rule: that of GATHER_ND. BatchDimensionCount is less than both counts; so many sizes, the
    // first of the counted ones, are equal in both tensors, and no index is for them.
    .rule = CheckGatherTuples,
    .output_tensors = GatherNdOutputs,
};
inline constexpr schema::OperatorSchema kScatterSchema = {
    .name = "SCATTER_ELEMENTS",
    .type = DML_OPERATOR_SCATTER,
    .level = FeatureLevel::k2_0,
    .struct_size = sizeof(scatter::Elements),
    .fields = kScatterFields,
    .support = kScatterSupport,
    .constraints = kScatterConstraints,
    .in_place = {scatter::kInputTensor},
    // Rule: Axis is less than the DimensionCount. IndicesTensor has the sizes of InputTensor, but
    // along Axis.
    .rule = CheckElements,
};
inline constexpr schema::OperatorSchema kScatterNdSchema = {
    .name = "SCATTER_ND",
    .type = DML_OPERATOR_SCATTER_ND,
    .level = FeatureLevel::k2_1,
    .struct_size = sizeof(scatter::Tuples),
    .fields = kScatterNdFields,
    .support = std::span(kScatterSupport).first<6>(),
    .constraints = kScatterNdConstraints,
    .in_place = {scatter::kInputTensor},
    // Rule: that of GATHER_ND, with UpdatesTensor in the place of OutputTensor.
    .rule = CheckScatterTuples,
};

}  // namespace anydml::indexing
