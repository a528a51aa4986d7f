// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Every implemented operator, in the order of DML_OPERATOR_TYPE.
#pragma once

#include <span>
#include <string_view>

#include "operators/operator.h"

namespace anydml {

std::span<const Definition* const> Registry();

// Null when the operator is not implemented. SCATTER finds SCATTER_ELEMENTS
// (schema/operator_names.h).
const Definition* FindOperator(uint32_t type);
const Definition* FindOperator(std::string_view name);

// For readers of descriptions, which need no more of an operator.
const schema::OperatorSchema* FindSchema(std::string_view name);

}  // namespace anydml
