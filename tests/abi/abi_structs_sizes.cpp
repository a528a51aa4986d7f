// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The size of every operator description, by operator number. The fields of those that training
// needs are in abi_structs_training.cpp.

#include <type_traits>

#include "directml.h"

// Feature level 1.0.
static_assert(sizeof(DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_ABS_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_ACOS_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_ADD_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_ASIN_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_ATAN_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_CEIL_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_CLIP_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ELEMENT_WISE_COS_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_DIVIDE_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_EXP_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_FLOOR_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_LOG_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_LOGICAL_AND_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_LOGICAL_EQUALS_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_LOGICAL_NOT_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ELEMENT_WISE_LOGICAL_OR_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_LOGICAL_XOR_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_MAX_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_MEAN_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_MIN_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_POW_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ELEMENT_WISE_CONSTANT_POW_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ELEMENT_WISE_RECIP_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_SIN_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_SQRT_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_SUBTRACT_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_TAN_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ELEMENT_WISE_DEQUANTIZE_LINEAR_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ACTIVATION_ELU_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_HARDMAX_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ACTIVATION_HARD_SIGMOID_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_IDENTITY_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_LINEAR_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_LOG_SOFTMAX_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ACTIVATION_PARAMETERIZED_RELU_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_PARAMETRIC_SOFTPLUS_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_RELU_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ACTIVATION_SCALED_ELU_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_SCALED_TANH_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_SIGMOID_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ACTIVATION_SOFTMAX_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ACTIVATION_SOFTPLUS_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_SOFTSIGN_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ACTIVATION_TANH_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ACTIVATION_THRESHOLDED_RELU_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_CONVOLUTION_OPERATOR_DESC) == 104);
static_assert(sizeof(DML_GEMM_OPERATOR_DESC) == 56);
static_assert(sizeof(DML_REDUCE_OPERATOR_DESC) == 40);
static_assert(sizeof(DML_AVERAGE_POOLING_OPERATOR_DESC) == 64);
static_assert(sizeof(DML_LP_POOLING_OPERATOR_DESC) == 64);
static_assert(sizeof(DML_MAX_POOLING_OPERATOR_DESC) == 56);
static_assert(sizeof(DML_ROI_POOLING_OPERATOR_DESC) == 40);
static_assert(sizeof(DML_SLICE_OPERATOR_DESC) == 48);
static_assert(sizeof(DML_CAST_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_SPLIT_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_JOIN_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_PADDING_OPERATOR_DESC) == 48);
static_assert(sizeof(DML_VALUE_SCALE_2D_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_UPSAMPLE_2D_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_GATHER_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_SPACE_TO_DEPTH_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_DEPTH_TO_SPACE_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_TILE_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_TOP_K_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_BATCH_NORMALIZATION_OPERATOR_DESC) == 64);
static_assert(sizeof(DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC) == 56);
static_assert(sizeof(DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC) == 40);
static_assert(sizeof(DML_LP_NORMALIZATION_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_RNN_OPERATOR_DESC) == 88);
static_assert(sizeof(DML_LSTM_OPERATOR_DESC) == 120);
static_assert(sizeof(DML_GRU_OPERATOR_DESC) == 88);

// Feature level 2.0.
static_assert(sizeof(DML_ELEMENT_WISE_SIGN_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ELEMENT_WISE_IS_NAN_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ELEMENT_WISE_ERF_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_SINH_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_COSH_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_TANH_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_ASINH_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_ACOSH_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_ATANH_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_IF_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ELEMENT_WISE_ADD1_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ACTIVATION_SHRINK_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_MAX_POOLING1_OPERATOR_DESC) == 64);
static_assert(sizeof(DML_MAX_UNPOOLING_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_DIAGONAL_MATRIX_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_SCATTER_OPERATOR_DESC) == 40);
static_assert(std::is_same_v<DML_SCATTER_ELEMENTS_OPERATOR_DESC, DML_SCATTER_OPERATOR_DESC>);
static_assert(sizeof(DML_ONE_HOT_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_RESAMPLE_OPERATOR_DESC) == 32);

// Feature level 2.1.
static_assert(sizeof(DML_ELEMENT_WISE_BIT_SHIFT_LEFT_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_BIT_SHIFT_RIGHT_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_ROUND_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_IS_INFINITY_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_MODULUS_TRUNCATE_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_FILL_VALUE_CONSTANT_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_CUMULATIVE_SUMMATION_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_GATHER_ELEMENTS_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_GATHER_ND_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_SCATTER_ND_OPERATOR_DESC) == 40);
static_assert(sizeof(DML_MAX_POOLING2_OPERATOR_DESC) == 72);
static_assert(sizeof(DML_SLICE1_OPERATOR_DESC) == 48);
static_assert(sizeof(DML_TOP_K1_OPERATOR_DESC) == 40);
static_assert(sizeof(DML_DEPTH_TO_SPACE1_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_SPACE_TO_DEPTH1_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC) == 64);
static_assert(sizeof(DML_RESAMPLE1_OPERATOR_DESC) == 48);
static_assert(sizeof(DML_MATRIX_MULTIPLY_INTEGER_OPERATOR_DESC) == 40);
static_assert(sizeof(DML_QUANTIZED_LINEAR_MATRIX_MULTIPLY_OPERATOR_DESC) == 72);
static_assert(sizeof(DML_CONVOLUTION_INTEGER_OPERATOR_DESC) == 88);
static_assert(sizeof(DML_QUANTIZED_LINEAR_CONVOLUTION_OPERATOR_DESC) == 128);

// Feature level 3.0.
static_assert(sizeof(DML_ELEMENT_WISE_BIT_AND_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_BIT_OR_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_BIT_XOR_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_BIT_NOT_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ELEMENT_WISE_BIT_COUNT_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_CELU_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_AVERAGE_POOLING_GRAD_OPERATOR_DESC) == 64);
static_assert(sizeof(DML_MAX_POOLING_GRAD_OPERATOR_DESC) == 72);
static_assert(sizeof(DML_RANDOM_GENERATOR_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_NONZERO_COORDINATES_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_RESAMPLE_GRAD_OPERATOR_DESC) == 48);
static_assert(sizeof(DML_SLICE_GRAD_OPERATOR_DESC) == 48);
static_assert(sizeof(DML_ADAM_OPTIMIZER_OPERATOR_DESC) == 80);
static_assert(sizeof(DML_ARGMIN_OPERATOR_DESC) == 40);
static_assert(sizeof(DML_ARGMAX_OPERATOR_DESC) == 40);
static_assert(sizeof(DML_ROI_ALIGN_OPERATOR_DESC) == 64);
static_assert(sizeof(DML_GATHER_ND1_OPERATOR_DESC) == 40);

// Feature level 3.1.
static_assert(sizeof(DML_ELEMENT_WISE_ATAN_YX_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ELEMENT_WISE_DIFFERENCE_SQUARE_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_LOCAL_RESPONSE_NORMALIZATION_GRAD_OPERATOR_DESC) == 48);
static_assert(sizeof(DML_CUMULATIVE_PRODUCT_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_BATCH_NORMALIZATION_GRAD_OPERATOR_DESC) == 72);

// Feature level 4.0.
static_assert(sizeof(DML_ELEMENT_WISE_QUANTIZED_LINEAR_ADD_OPERATOR_DESC) == 72);
static_assert(sizeof(DML_DYNAMIC_QUANTIZE_LINEAR_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ROI_ALIGN1_OPERATOR_DESC) == 72);

// Feature level 4.1.
static_assert(sizeof(DML_ROI_ALIGN_GRAD_OPERATOR_DESC) == 88);
static_assert(sizeof(DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC) == 72);
static_assert(sizeof(DML_BATCH_NORMALIZATION_TRAINING_GRAD_OPERATOR_DESC) == 72);

// Feature level 5.0.
static_assert(sizeof(DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC) == 48);
static_assert(sizeof(DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC) == 48);
static_assert(sizeof(DML_PADDING1_OPERATOR_DESC) == 56);
static_assert(sizeof(DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC) == 16);

// Feature level 5.1.
static_assert(sizeof(DML_ACTIVATION_GELU_OPERATOR_DESC) == 16);
static_assert(sizeof(DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ACTIVATION_LOG_SOFTMAX1_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_ACTIVATION_HARDMAX1_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_RESAMPLE2_OPERATOR_DESC) == 56);
static_assert(sizeof(DML_RESAMPLE_GRAD1_OPERATOR_DESC) == 56);
static_assert(sizeof(DML_DIAGONAL_MATRIX1_OPERATOR_DESC) == 40);

// Feature level 6.1.
static_assert(sizeof(DML_MULTIHEAD_ATTENTION_OPERATOR_DESC) == 128);

// Feature level 6.2.
static_assert(sizeof(DML_LP_POOLING1_OPERATOR_DESC) == 72);
static_assert(sizeof(DML_AVERAGE_POOLING1_OPERATOR_DESC) == 72);
static_assert(sizeof(DML_ACTIVATION_SWISH_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_ACTIVATION_HARD_SWISH_OPERATOR_DESC) == 24);
static_assert(sizeof(DML_QUANTIZED_LINEAR_AVERAGE_POOLING_OPERATOR_DESC) == 104);
static_assert(sizeof(DML_MATRIX_MULTIPLY_INTEGER_TO_FLOAT_OPERATOR_DESC) == 64);

// Feature level 6.3.
static_assert(sizeof(DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC) == 72);
static_assert(sizeof(DML_MULTIHEAD_ATTENTION1_OPERATOR_DESC) == 144);
static_assert(sizeof(DML_QUANTIZE_OPERATOR_DESC) == 32);
static_assert(sizeof(DML_DEQUANTIZE_OPERATOR_DESC) == 32);

// Feature level 6.4.
static_assert(sizeof(DML_RESAMPLE3_OPERATOR_DESC) == 64);
static_assert(sizeof(DML_FOLD_OPERATOR_DESC) == 64);
static_assert(sizeof(DML_UNFOLD_OPERATOR_DESC) == 64);
