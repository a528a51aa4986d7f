// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Operators that the registry does not have, by structs of directml.h that have what
// none of its operators uses: arrays of tensors and an operator that is fused.
#pragma once

#include "operators/operator.h"

namespace anydml::test {

enum JoinFields { kJoinInputCount, kJoinInputTensors, kJoinOutputTensor, kJoinAxis };
enum SplitFields { kSplitInputTensor, kSplitOutputCount, kSplitOutputTensors, kSplitAxis };
enum Add1Fields { kAdd1ATensor, kAdd1BTensor, kAdd1OutputTensor, kAdd1FusedActivation };

// JOIN concatenates 32-bit elements along Axis; its output can be inferred. SPLIT is the
// way back, and its outputs cannot. Both run.
extern const Definition kJoin;
extern const Definition kSplit;

// ELEMENT_WISE_ADD1: takes ACTIVATION_RELU, and ACTIVATION_ELU from 3_0 on.
extern const schema::OperatorSchema kAdd1Schema;
extern const schema::OperatorSchema kEluSchema;

// The real schemas, and these by their names.
const schema::OperatorSchema* FindArraySchema(std::string_view name);

// Packed FLOAT32 of {n, 2} each, joined along the first axis.
schema::Arguments DescribeJoin(std::initializer_list<uint32_t> rows);
schema::Arguments DescribeSplit(std::initializer_list<uint32_t> rows);
// FLOAT32 of {4}, with ACTIVATION_ELU if an alpha is given.
schema::Arguments DescribeAdd1(const float* elu_alpha = nullptr);

}  // namespace anydml::test
