// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Complete descriptions from the named cases: every data type that the schema
// admits, in several layouts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operators/operator.h"

namespace anydml::test {

// The data types of one description, by field index.
using TypeAssignment = std::vector<DataType>;

// All that the newest feature level admits: tensors that must share a type do,
// the others (index tensors) take each of theirs.
std::vector<TypeAssignment> AdmittedTypes(const schema::OperatorSchema& schema);

// "FLOAT16", or "FLOAT16_UINT64" where tensors differ.
std::string TypeName(const schema::OperatorSchema& schema, const TypeAssignment& types);

enum class Layout { kPacked, kPermuted, kPaddedRows, kGaps, kBroadcast, kOverlapping, kMixed };
inline constexpr Layout kLayouts[] = {Layout::kPacked, Layout::kPermuted,  Layout::kPaddedRows,
                                      Layout::kGaps,   Layout::kBroadcast, Layout::kOverlapping,
                                      Layout::kMixed};
std::string_view LayoutName(Layout layout);

// Packed description of a case. Empty when the schema, being an older version
// of the operator, has no field for one of the case's settings.
std::optional<schema::Arguments> Describe(const schema::OperatorSchema& schema, const Case& c,
                                          const TypeAssignment& types);

// The same in another layout; total sizes follow.
schema::Arguments WithLayout(schema::Arguments packed, Layout layout);

// Fills in strides (packed ones when none are given) and the least total size.
void SetStrides(TensorDesc& tensor, const std::optional<Dimensions>& strides);

// Fields of the schema that are input (output) tensors, in binding order.
std::vector<size_t> InputFields(const schema::OperatorSchema& schema);
std::vector<size_t> OutputFields(const schema::OperatorSchema& schema);

}  // namespace anydml::test
