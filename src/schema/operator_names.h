// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The names of all operator types of directml.h, so that one that is known and
// not implemented can be refused by name.
#pragma once

#include <cstdint>
#include <string_view>

namespace anydml::schema {

inline constexpr uint32_t kOperatorTypeCount = 178;

// "MAX_POOLING_GRAD"; empty for a value that is no DML_OPERATOR_TYPE.
std::string_view OperatorTypeName(uint32_t type);

}  // namespace anydml::schema
