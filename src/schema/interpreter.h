// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The one interpreter of the operator tables. It validates every description of
// every operator, and it builds every error sentence: operator, field, given
// value, rule.
#pragma once

#include "base/result.h"
#include "schema/arguments.h"
#include "schema/feature_level.h"
#include "schema/problems.h"
#include "schema/schema.h"

namespace anydml::schema {

// Reads a DML_*_OPERATOR_DESC and validates it for a device of `level`. Nothing
// of the caller's memory is referred to afterwards. With kInferred a null output is
// one that is left out (output_tensors.h).
Result<Arguments> ReadDescription(const OperatorSchema& schema, const void* dml_desc,
                                  FeatureLevel level,
                                  AbsentOutputs absent = AbsentOutputs::kRefused);

// The same for an operator whose inputs are given, in binding order: the struct's own are null.
Result<Arguments> ReadDescription(const OperatorSchema& schema, const void* dml_desc,
                                  std::span<const TensorDesc> inputs, FeatureLevel level);

// The part that needs no pointers: rules T2 to T11, T13, the support rows, the
// constraints and the operator's own rule.
Status Validate(const Arguments& arguments, FeatureLevel level);

// The support row of a tensor at a level; null when the level has none.
const TensorSupport* FindSupport(const OperatorSchema& schema, size_t tensor, FeatureLevel level);

}  // namespace anydml::schema
