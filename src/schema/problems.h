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

// T2 to T11, the operator's level and its support rows.
Problems FindTensorProblems(const Arguments& arguments, FeatureLevel level);

// T13, the constraints, and the operator's own rule. The tensors have no
// problems of their own.
Problems FindAttributeProblems(const Arguments& arguments);

// Both, in the order in which they can be told.
Problems FindProblems(const Arguments& arguments, FeatureLevel level);

// A count field against its tensor: told before the arrays that it counts are
// read.
Status CheckDimensionCount(const Arguments& arguments, const Field& field, const FieldValue& value);

}  // namespace anydml::schema
