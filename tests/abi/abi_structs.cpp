// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The fields of every structure that does not belong to one operator: type and offset. Sizes are of
// LP64.

#include "abi_field.h"
#include "directml.h"

namespace {

namespace buffer_tensor_desc {
using Desc = DML_BUFFER_TENSOR_DESC;
static_assert(sizeof(Desc) == 48);
ABI_FIELD(DML_TENSOR_DATA_TYPE, DataType, 0);
ABI_FIELD(DML_TENSOR_FLAGS, Flags, 4);
ABI_FIELD(UINT, DimensionCount, 8);
ABI_FIELD(const UINT*, Sizes, 16);
ABI_FIELD(const UINT*, Strides, 24);
ABI_FIELD(UINT64, TotalTensorSizeInBytes, 32);
ABI_FIELD(UINT, GuaranteedBaseOffsetAlignment, 40);
}  // namespace buffer_tensor_desc

namespace tensor_desc {
using Desc = DML_TENSOR_DESC;
static_assert(sizeof(Desc) == 16);
ABI_FIELD(DML_TENSOR_TYPE, Type, 0);
ABI_FIELD(const void*, Desc, 8);
}  // namespace tensor_desc

namespace operator_desc {
using Desc = DML_OPERATOR_DESC;
static_assert(sizeof(Desc) == 16);
ABI_FIELD(DML_OPERATOR_TYPE, Type, 0);
ABI_FIELD(const void*, Desc, 8);
}  // namespace operator_desc

namespace scale_bias {
using Desc = DML_SCALE_BIAS;
static_assert(sizeof(Desc) == 8);
ABI_FIELD(FLOAT, Scale, 0);
ABI_FIELD(FLOAT, Bias, 4);
}  // namespace scale_bias

namespace size_2d {
using Desc = DML_SIZE_2D;
static_assert(sizeof(Desc) == 8);
ABI_FIELD(UINT, Width, 0);
ABI_FIELD(UINT, Height, 4);
}  // namespace size_2d

namespace scalar_union {
using Desc = DML_SCALAR_UNION;
static_assert(sizeof(Desc) == 8);
ABI_FIELD(BYTE[8], Bytes, 0);
ABI_FIELD(INT8, Int8, 0);
ABI_FIELD(UINT8, UInt8, 0);
ABI_FIELD(INT16, Int16, 0);
ABI_FIELD(UINT16, UInt16, 0);
ABI_FIELD(INT32, Int32, 0);
ABI_FIELD(UINT32, UInt32, 0);
ABI_FIELD(INT64, Int64, 0);
ABI_FIELD(UINT64, UInt64, 0);
ABI_FIELD(FLOAT, Float32, 0);
ABI_FIELD(DOUBLE, Float64, 0);
}  // namespace scalar_union

namespace feature_query_tensor_data_type_support {
using Desc = DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT;
static_assert(sizeof(Desc) == 4);
ABI_FIELD(DML_TENSOR_DATA_TYPE, DataType, 0);
}  // namespace feature_query_tensor_data_type_support

namespace feature_data_tensor_data_type_support {
using Desc = DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT;
static_assert(sizeof(Desc) == 4);
ABI_FIELD(BOOL, IsSupported, 0);
}  // namespace feature_data_tensor_data_type_support

namespace feature_query_feature_levels {
using Desc = DML_FEATURE_QUERY_FEATURE_LEVELS;
static_assert(sizeof(Desc) == 16);
ABI_FIELD(UINT, RequestedFeatureLevelCount, 0);
ABI_FIELD(const DML_FEATURE_LEVEL*, RequestedFeatureLevels, 8);
}  // namespace feature_query_feature_levels

namespace feature_data_feature_levels {
using Desc = DML_FEATURE_DATA_FEATURE_LEVELS;
static_assert(sizeof(Desc) == 4);
ABI_FIELD(DML_FEATURE_LEVEL, MaxSupportedFeatureLevel, 0);
}  // namespace feature_data_feature_levels

namespace binding_properties {
using Desc = DML_BINDING_PROPERTIES;
static_assert(sizeof(Desc) == 24);
ABI_FIELD(UINT, RequiredDescriptorCount, 0);
ABI_FIELD(UINT64, TemporaryResourceSize, 8);
ABI_FIELD(UINT64, PersistentResourceSize, 16);
}  // namespace binding_properties

namespace binding_table_desc {
using Desc = DML_BINDING_TABLE_DESC;
static_assert(sizeof(Desc) == 32);
ABI_FIELD(IDMLDispatchable*, Dispatchable, 0);
ABI_FIELD(D3D12_CPU_DESCRIPTOR_HANDLE, CPUDescriptorHandle, 8);
ABI_FIELD(D3D12_GPU_DESCRIPTOR_HANDLE, GPUDescriptorHandle, 16);
ABI_FIELD(UINT, SizeInDescriptors, 24);
}  // namespace binding_table_desc

namespace binding_desc {
using Desc = DML_BINDING_DESC;
static_assert(sizeof(Desc) == 16);
ABI_FIELD(DML_BINDING_TYPE, Type, 0);
ABI_FIELD(const void*, Desc, 8);
}  // namespace binding_desc

namespace buffer_binding {
using Desc = DML_BUFFER_BINDING;
static_assert(sizeof(Desc) == 24);
ABI_FIELD(ID3D12Resource*, Buffer, 0);
ABI_FIELD(UINT64, Offset, 8);
ABI_FIELD(UINT64, SizeInBytes, 16);
}  // namespace buffer_binding

namespace buffer_array_binding {
using Desc = DML_BUFFER_ARRAY_BINDING;
static_assert(sizeof(Desc) == 16);
ABI_FIELD(UINT, BindingCount, 0);
ABI_FIELD(const DML_BUFFER_BINDING*, Bindings, 8);
}  // namespace buffer_array_binding

namespace graph_edge_desc {
using Desc = DML_GRAPH_EDGE_DESC;
static_assert(sizeof(Desc) == 16);
ABI_FIELD(DML_GRAPH_EDGE_TYPE, Type, 0);
ABI_FIELD(const void*, Desc, 8);
}  // namespace graph_edge_desc

namespace input_graph_edge_desc {
using Desc = DML_INPUT_GRAPH_EDGE_DESC;
static_assert(sizeof(Desc) == 24);
ABI_FIELD(UINT, GraphInputIndex, 0);
ABI_FIELD(UINT, ToNodeIndex, 4);
ABI_FIELD(UINT, ToNodeInputIndex, 8);
ABI_FIELD(const char*, Name, 16);
}  // namespace input_graph_edge_desc

namespace output_graph_edge_desc {
using Desc = DML_OUTPUT_GRAPH_EDGE_DESC;
static_assert(sizeof(Desc) == 24);
ABI_FIELD(UINT, FromNodeIndex, 0);
ABI_FIELD(UINT, FromNodeOutputIndex, 4);
ABI_FIELD(UINT, GraphOutputIndex, 8);
ABI_FIELD(const char*, Name, 16);
}  // namespace output_graph_edge_desc

namespace intermediate_graph_edge_desc {
using Desc = DML_INTERMEDIATE_GRAPH_EDGE_DESC;
static_assert(sizeof(Desc) == 24);
ABI_FIELD(UINT, FromNodeIndex, 0);
ABI_FIELD(UINT, FromNodeOutputIndex, 4);
ABI_FIELD(UINT, ToNodeIndex, 8);
ABI_FIELD(UINT, ToNodeInputIndex, 12);
ABI_FIELD(const char*, Name, 16);
}  // namespace intermediate_graph_edge_desc

namespace graph_node_desc {
using Desc = DML_GRAPH_NODE_DESC;
static_assert(sizeof(Desc) == 16);
ABI_FIELD(DML_GRAPH_NODE_TYPE, Type, 0);
ABI_FIELD(const void*, Desc, 8);
}  // namespace graph_node_desc

namespace operator_graph_node_desc {
using Desc = DML_OPERATOR_GRAPH_NODE_DESC;
static_assert(sizeof(Desc) == 16);
ABI_FIELD(IDMLOperator*, Operator, 0);
ABI_FIELD(const char*, Name, 8);
}  // namespace operator_graph_node_desc

namespace constant_data_graph_node_desc {
using Desc = DML_CONSTANT_DATA_GRAPH_NODE_DESC;
static_assert(sizeof(Desc) == 24);
ABI_FIELD(const void*, Data, 0);
ABI_FIELD(SIZE_T, DataSize, 8);
ABI_FIELD(const char*, Name, 16);
}  // namespace constant_data_graph_node_desc

namespace graph_desc {
using Desc = DML_GRAPH_DESC;
static_assert(sizeof(Desc) == 72);
ABI_FIELD(UINT, InputCount, 0);
ABI_FIELD(UINT, OutputCount, 4);
ABI_FIELD(UINT, NodeCount, 8);
ABI_FIELD(const DML_GRAPH_NODE_DESC*, Nodes, 16);
ABI_FIELD(UINT, InputEdgeCount, 24);
ABI_FIELD(const DML_GRAPH_EDGE_DESC*, InputEdges, 32);
ABI_FIELD(UINT, OutputEdgeCount, 40);
ABI_FIELD(const DML_GRAPH_EDGE_DESC*, OutputEdges, 48);
ABI_FIELD(UINT, IntermediateEdgeCount, 56);
ABI_FIELD(const DML_GRAPH_EDGE_DESC*, IntermediateEdges, 64);
}  // namespace graph_desc

}  // namespace
