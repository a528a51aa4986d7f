// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Part of directml.h: the structures that do not belong to one operator. Tensors, operators,
// scalars, feature queries, bindings and graphs.
//
// A pair of Type and Desc is a tagged pointer: Type says which structure Desc points to.

#ifndef ANYDML_DIRECTML_CORE_H_
#define ANYDML_DIRECTML_CORE_H_

#include "directml/enumerations.h"
#include "directml/operator_types.h"

struct IDMLDispatchable;
struct IDMLOperator;

// Tensors.

// Sizes and Strides count elements, outermost dimension first. No Strides means packed.
struct DML_BUFFER_TENSOR_DESC {
  DML_TENSOR_DATA_TYPE DataType;
  DML_TENSOR_FLAGS Flags;
  UINT DimensionCount;
  _Field_size_(DimensionCount) const UINT* Sizes;
  _Field_size_opt_(DimensionCount) const UINT* Strides;
  UINT64 TotalTensorSizeInBytes;
  UINT GuaranteedBaseOffsetAlignment;
};

struct DML_TENSOR_DESC {
  DML_TENSOR_TYPE Type;
  const void* Desc;
};

// Operators.

struct DML_OPERATOR_DESC {
  DML_OPERATOR_TYPE Type;
  const void* Desc;
};

struct DML_SCALE_BIAS {
  FLOAT Scale;
  FLOAT Bias;
};

struct DML_SIZE_2D {
  UINT Width;
  UINT Height;
};

#if DML_TARGET_VERSION >= 0x2100
// No member for FLOAT16: its bits travel in UInt16.
union DML_SCALAR_UNION {
  BYTE Bytes[8];
  INT8 Int8;
  UINT8 UInt8;
  INT16 Int16;
  UINT16 UInt16;
  INT32 Int32;
  UINT32 UInt32;
  INT64 Int64;
  UINT64 UInt64;
  FLOAT Float32;
  DOUBLE Float64;
};
#endif

// Feature queries: what IDMLDevice::CheckFeatureSupport reads and fills.

struct DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT {
  DML_TENSOR_DATA_TYPE DataType;
};

struct DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT {
  BOOL IsSupported;
};

#if DML_TARGET_VERSION >= 0x2000
struct DML_FEATURE_QUERY_FEATURE_LEVELS {
  UINT RequestedFeatureLevelCount;
  _Field_size_(RequestedFeatureLevelCount) const DML_FEATURE_LEVEL* RequestedFeatureLevels;
};

struct DML_FEATURE_DATA_FEATURE_LEVELS {
  DML_FEATURE_LEVEL MaxSupportedFeatureLevel;
};
#endif

// Binding.

struct DML_BINDING_PROPERTIES {
  UINT RequiredDescriptorCount;
  UINT64 TemporaryResourceSize;
  UINT64 PersistentResourceSize;
};

struct DML_BINDING_TABLE_DESC {
  IDMLDispatchable* Dispatchable;
  D3D12_CPU_DESCRIPTOR_HANDLE CPUDescriptorHandle;
  D3D12_GPU_DESCRIPTOR_HANDLE GPUDescriptorHandle;
  UINT SizeInDescriptors;
};

struct DML_BINDING_DESC {
  DML_BINDING_TYPE Type;
  _Maybenull_ const void* Desc;
};

struct DML_BUFFER_BINDING {
  _Maybenull_ ID3D12Resource* Buffer;
  UINT64 Offset;
  UINT64 SizeInBytes;
};

struct DML_BUFFER_ARRAY_BINDING {
  UINT BindingCount;
  _Field_size_(BindingCount) const DML_BUFFER_BINDING* Bindings;
};

// Graphs.

#if DML_TARGET_VERSION >= 0x2100
struct DML_GRAPH_EDGE_DESC {
  DML_GRAPH_EDGE_TYPE Type;
  const void* Desc;
};

struct DML_INPUT_GRAPH_EDGE_DESC {
  UINT GraphInputIndex;
  UINT ToNodeIndex;
  UINT ToNodeInputIndex;
  _Field_z_ _Maybenull_ const char* Name;
};

// The page lists other names in another order; this is what clients compile against.
struct DML_OUTPUT_GRAPH_EDGE_DESC {
  UINT FromNodeIndex;
  UINT FromNodeOutputIndex;
  UINT GraphOutputIndex;
  _Field_z_ _Maybenull_ const char* Name;
};

struct DML_INTERMEDIATE_GRAPH_EDGE_DESC {
  UINT FromNodeIndex;
  UINT FromNodeOutputIndex;
  UINT ToNodeIndex;
  UINT ToNodeInputIndex;
  _Field_z_ _Maybenull_ const char* Name;
};

struct DML_GRAPH_NODE_DESC {
  DML_GRAPH_NODE_TYPE Type;
  const void* Desc;
};

struct DML_OPERATOR_GRAPH_NODE_DESC {
  IDMLOperator* Operator;
  _Field_z_ _Maybenull_ const char* Name;
};

#if DML_TARGET_VERSION >= 0x6200
struct DML_CONSTANT_DATA_GRAPH_NODE_DESC {
  _Field_size_bytes_(DataSize) const void* Data;
  SIZE_T DataSize;
  _Field_z_ _Maybenull_ const char* Name;
};
#endif

struct DML_GRAPH_DESC {
  UINT InputCount;
  UINT OutputCount;
  UINT NodeCount;
  _Field_size_(NodeCount) const DML_GRAPH_NODE_DESC* Nodes;
  UINT InputEdgeCount;
  _Field_size_opt_(InputEdgeCount) const DML_GRAPH_EDGE_DESC* InputEdges;
  UINT OutputEdgeCount;
  _Field_size_(OutputEdgeCount) const DML_GRAPH_EDGE_DESC* OutputEdges;
  UINT IntermediateEdgeCount;
  _Field_size_opt_(IntermediateEdgeCount) const DML_GRAPH_EDGE_DESC* IntermediateEdges;
};
#endif  // DML_TARGET_VERSION >= 0x2100

#endif  // ANYDML_DIRECTML_CORE_H_
