// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The descriptions of operators/describe.h in several awkward layouts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operators/describe.h"
#include "operators/operator.h"

namespace anydml::test {

using anydml::AdmittedTypes;
using anydml::SetStrides;
using anydml::TypeAssignment;
using anydml::TypeName;

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

}  // namespace anydml::test
