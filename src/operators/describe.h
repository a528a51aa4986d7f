// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Complete descriptions from the named cases, for any data type that the schema
// admits. Read by tests and benchmarks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "operators/case.h"
#include "schema/arguments.h"

namespace anydml {

// The data types of one description, by field index.
using TypeAssignment = std::vector<DataType>;

// All that the newest feature level admits: tensors that must share a type do,
// the others (index tensors) take each of theirs.
std::vector<TypeAssignment> AdmittedTypes(const schema::OperatorSchema& schema);

// "FLOAT16", or "FLOAT16_UINT64" where tensors differ.
std::string TypeName(const schema::OperatorSchema& schema, const TypeAssignment& types);

// Packed description of a case. An array of tensors has as many entries as the case
// sets its count to, and as many sizes; an operator that is fused is set by its type and
// its parameters. Empty when the schema, being an older version
// of the operator, has no field for one of the case's settings, and when these
// types do not go with them (schema::LevelRule).
std::optional<schema::Arguments> DescribeCase(const schema::OperatorSchema& schema, const Case& c,
                                              const TypeAssignment& types);

// Fills in strides (packed ones when none are given) and the least total size.
void SetStrides(TensorDesc& tensor, const std::optional<Dimensions>& strides);

// `order` lists the dimensions from outermost to innermost in memory; `extra`
// elements follow each run of the innermost one, `step` elements lie between
// neighbours.
Dimensions StridesInOrder(const TensorDesc& tensor, const std::vector<uint32_t>& order,
                          uint32_t extra, uint32_t step);

}  // namespace anydml
