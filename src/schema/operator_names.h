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

// DML_OPERATOR_SCATTER_ELEMENTS was DML_OPERATOR_SCATTER first; the header has both names for the
// one value. DxDispatch knows the first name alone, so models are written with it; both are read.
std::string_view FirstOperatorName(std::string_view name);
std::string_view CurrentOperatorName(std::string_view name);

}  // namespace anydml::schema
