// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The value of every enumerator but the operator types, which are in abi_operator_types.cpp, and of
// the constants.

#include "directml.h"

static_assert(DML_TARGET_VERSION == 0x6400);
static_assert(DML_TENSOR_DIMENSION_COUNT_MAX == 5);
static_assert(DML_TENSOR_DIMENSION_COUNT_MAX1 == 8);
static_assert(DML_TEMPORARY_BUFFER_ALIGNMENT == 256);
static_assert(DML_PERSISTENT_BUFFER_ALIGNMENT == 256);
static_assert(DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT == 16);

static_assert(sizeof(DML_TENSOR_DATA_TYPE) == 4);
static_assert(DML_TENSOR_DATA_TYPE_UNKNOWN == 0);
static_assert(DML_TENSOR_DATA_TYPE_FLOAT32 == 1);
static_assert(DML_TENSOR_DATA_TYPE_FLOAT16 == 2);
static_assert(DML_TENSOR_DATA_TYPE_UINT32 == 3);
static_assert(DML_TENSOR_DATA_TYPE_UINT16 == 4);
static_assert(DML_TENSOR_DATA_TYPE_UINT8 == 5);
static_assert(DML_TENSOR_DATA_TYPE_INT32 == 6);
static_assert(DML_TENSOR_DATA_TYPE_INT16 == 7);
static_assert(DML_TENSOR_DATA_TYPE_INT8 == 8);
static_assert(DML_TENSOR_DATA_TYPE_FLOAT64 == 9);
static_assert(DML_TENSOR_DATA_TYPE_UINT64 == 10);
static_assert(DML_TENSOR_DATA_TYPE_INT64 == 11);
static_assert(DML_TENSOR_DATA_TYPE_UINT4 == 12);
static_assert(DML_TENSOR_DATA_TYPE_INT4 == 13);

static_assert(sizeof(DML_TENSOR_TYPE) == 4);
static_assert(DML_TENSOR_TYPE_INVALID == 0);
static_assert(DML_TENSOR_TYPE_BUFFER == 1);

static_assert(sizeof(DML_TENSOR_FLAGS) == 4);
static_assert(DML_TENSOR_FLAG_NONE == 0);
static_assert(DML_TENSOR_FLAG_OWNED_BY_DML == 1);

static_assert(sizeof(DML_FEATURE_LEVEL) == 4);
static_assert(DML_FEATURE_LEVEL_1_0 == 0x1000);
static_assert(DML_FEATURE_LEVEL_2_0 == 0x2000);
static_assert(DML_FEATURE_LEVEL_2_1 == 0x2100);
static_assert(DML_FEATURE_LEVEL_3_0 == 0x3000);
static_assert(DML_FEATURE_LEVEL_3_1 == 0x3100);
static_assert(DML_FEATURE_LEVEL_4_0 == 0x4000);
static_assert(DML_FEATURE_LEVEL_4_1 == 0x4100);
static_assert(DML_FEATURE_LEVEL_5_0 == 0x5000);
static_assert(DML_FEATURE_LEVEL_5_1 == 0x5100);
static_assert(DML_FEATURE_LEVEL_5_2 == 0x5200);
static_assert(DML_FEATURE_LEVEL_6_0 == 0x6000);
static_assert(DML_FEATURE_LEVEL_6_1 == 0x6100);
static_assert(DML_FEATURE_LEVEL_6_2 == 0x6200);
static_assert(DML_FEATURE_LEVEL_6_3 == 0x6300);
static_assert(DML_FEATURE_LEVEL_6_4 == 0x6400);

static_assert(sizeof(DML_FEATURE) == 4);
static_assert(DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT == 0);
static_assert(DML_FEATURE_FEATURE_LEVELS == 1);

static_assert(sizeof(DML_INTERPOLATION_MODE) == 4);
static_assert(DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR == 0);
static_assert(DML_INTERPOLATION_MODE_LINEAR == 1);

static_assert(sizeof(DML_AXIS_DIRECTION) == 4);
static_assert(DML_AXIS_DIRECTION_INCREASING == 0);
static_assert(DML_AXIS_DIRECTION_DECREASING == 1);

static_assert(sizeof(DML_EXECUTION_FLAGS) == 4);
static_assert(DML_EXECUTION_FLAG_NONE == 0);
static_assert(DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION == 1);
static_assert(DML_EXECUTION_FLAG_DISABLE_META_COMMANDS == 2);
static_assert(DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE == 4);

static_assert(sizeof(DML_CREATE_DEVICE_FLAGS) == 4);
static_assert(DML_CREATE_DEVICE_FLAG_NONE == 0);
static_assert(DML_CREATE_DEVICE_FLAG_DEBUG == 1);

static_assert(sizeof(DML_BINDING_TYPE) == 4);
static_assert(DML_BINDING_TYPE_NONE == 0);
static_assert(DML_BINDING_TYPE_BUFFER == 1);
static_assert(DML_BINDING_TYPE_BUFFER_ARRAY == 2);

static_assert(sizeof(DML_GRAPH_EDGE_TYPE) == 4);
static_assert(DML_GRAPH_EDGE_TYPE_INVALID == 0);
static_assert(DML_GRAPH_EDGE_TYPE_INPUT == 1);
static_assert(DML_GRAPH_EDGE_TYPE_OUTPUT == 2);
static_assert(DML_GRAPH_EDGE_TYPE_INTERMEDIATE == 3);

static_assert(sizeof(DML_GRAPH_NODE_TYPE) == 4);
static_assert(DML_GRAPH_NODE_TYPE_INVALID == 0);
static_assert(DML_GRAPH_NODE_TYPE_OPERATOR == 1);
static_assert(DML_GRAPH_NODE_TYPE_CONSTANT == 2);

static_assert(sizeof(DML_REDUCE_FUNCTION) == 4);
static_assert(DML_REDUCE_FUNCTION_ARGMAX == 0);
static_assert(DML_REDUCE_FUNCTION_ARGMIN == 1);
static_assert(DML_REDUCE_FUNCTION_AVERAGE == 2);
static_assert(DML_REDUCE_FUNCTION_L1 == 3);
static_assert(DML_REDUCE_FUNCTION_L2 == 4);
static_assert(DML_REDUCE_FUNCTION_LOG_SUM == 5);
static_assert(DML_REDUCE_FUNCTION_LOG_SUM_EXP == 6);
static_assert(DML_REDUCE_FUNCTION_MAX == 7);
static_assert(DML_REDUCE_FUNCTION_MIN == 8);
static_assert(DML_REDUCE_FUNCTION_MULTIPLY == 9);
static_assert(DML_REDUCE_FUNCTION_SUM == 10);
static_assert(DML_REDUCE_FUNCTION_SUM_SQUARE == 11);

static_assert(sizeof(DML_MATRIX_TRANSFORM) == 4);
static_assert(DML_MATRIX_TRANSFORM_NONE == 0);
static_assert(DML_MATRIX_TRANSFORM_TRANSPOSE == 1);

static_assert(sizeof(DML_CONVOLUTION_MODE) == 4);
static_assert(DML_CONVOLUTION_MODE_CONVOLUTION == 0);
static_assert(DML_CONVOLUTION_MODE_CROSS_CORRELATION == 1);

static_assert(sizeof(DML_CONVOLUTION_DIRECTION) == 4);
static_assert(DML_CONVOLUTION_DIRECTION_FORWARD == 0);
static_assert(DML_CONVOLUTION_DIRECTION_BACKWARD == 1);

static_assert(sizeof(DML_PADDING_MODE) == 4);
static_assert(DML_PADDING_MODE_CONSTANT == 0);
static_assert(DML_PADDING_MODE_EDGE == 1);
static_assert(DML_PADDING_MODE_REFLECTION == 2);
static_assert(DML_PADDING_MODE_SYMMETRIC == 3);
static_assert(DML_PADDING_MODE_WRAP == 4);

static_assert(sizeof(DML_RECURRENT_NETWORK_DIRECTION) == 4);
static_assert(DML_RECURRENT_NETWORK_DIRECTION_FORWARD == 0);
static_assert(DML_RECURRENT_NETWORK_DIRECTION_BACKWARD == 1);
static_assert(DML_RECURRENT_NETWORK_DIRECTION_BIDIRECTIONAL == 2);

static_assert(sizeof(DML_ROUNDING_MODE) == 4);
static_assert(DML_ROUNDING_MODE_HALVES_TO_NEAREST_EVEN == 0);
static_assert(DML_ROUNDING_MODE_TOWARD_ZERO == 1);
static_assert(DML_ROUNDING_MODE_TOWARD_INFINITY == 2);

static_assert(sizeof(DML_IS_INFINITY_MODE) == 4);
static_assert(DML_IS_INFINITY_MODE_EITHER == 0);
static_assert(DML_IS_INFINITY_MODE_POSITIVE == 1);
static_assert(DML_IS_INFINITY_MODE_NEGATIVE == 2);

static_assert(sizeof(DML_DEPTH_SPACE_ORDER) == 4);
static_assert(DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW == 0);
static_assert(DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH == 1);

static_assert(sizeof(DML_RANDOM_GENERATOR_TYPE) == 4);
static_assert(DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10 == 0);

static_assert(sizeof(DML_MULTIHEAD_ATTENTION_MASK_TYPE) == 4);
static_assert(DML_MULTIHEAD_ATTENTION_MASK_TYPE_NONE == 0);
static_assert(DML_MULTIHEAD_ATTENTION_MASK_TYPE_KEY_SEQUENCE_LENGTH == 1);
static_assert(DML_MULTIHEAD_ATTENTION_MASK_TYPE_KEY_SEQUENCE_END_START == 2);
static_assert(DML_MULTIHEAD_ATTENTION_MASK_TYPE_KEY_QUERY_SEQUENCE_LENGTH_START_END == 3);
static_assert(DML_MULTIHEAD_ATTENTION_MASK_TYPE_BOOLEAN == 4);

static_assert(sizeof(DML_QUANTIZATION_TYPE) == 4);
static_assert(DML_QUANTIZATION_TYPE_NONE == 0);
static_assert(DML_QUANTIZATION_TYPE_SCALE == 1);
static_assert(DML_QUANTIZATION_TYPE_SCALE_ZERO_POINT == 2);
