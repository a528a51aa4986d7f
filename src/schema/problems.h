// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// All that is wrong with a description, each problem one sentence. The public
// calls report the first; a checker of models reports every one.
#pragma once

#include <vector>

#include "base/result.h"
#include "schema/arguments.h"

namespace anydml::schema {

using Problems = std::vector<Error>;

// Whether a required output may be absent: one that follows from the other fields
// (output_tensors.h) may be until it is inferred.
enum class AbsentOutputs { kRefused, kInferred };

// T2 to T11, the operator's level and its support rows.
Problems FindTensorProblems(const Arguments& arguments, FeatureLevel level,
                            AbsentOutputs absent = AbsentOutputs::kRefused);

// T13, counts and the constraints. The tensors have no problems of their own;
// what speaks of an absent one is passed over.
Problems FindTableProblems(const Arguments& arguments);

// The same, and the operator's own rule.
Problems FindAttributeProblems(const Arguments& arguments, FeatureLevel level);

// An operator that is fused has a level of its own, and one since when it may be.
Status CheckFusedLevel(const Arguments& arguments, size_t field, FeatureLevel level);

// Both, in the order in which they can be told.
Problems FindProblems(const Arguments& arguments, FeatureLevel level);

// A count field against its tensor: told before the arrays that it counts are
// read.
Status CheckDimensionCount(const Arguments& arguments, const Field& field, const FieldValue& value);
// The same of a field that counts an array of tensors.
Status CheckAxisCount(const Arguments& arguments, const Field& field, uint32_t count);
Status CheckChannelCount(const Arguments& arguments, const Field& field, uint32_t count);
Status CheckTensorCount(const Arguments& arguments, const Field& field, uint32_t count);

}  // namespace anydml::schema
