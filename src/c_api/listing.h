// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operator tables as JSON: what front ends in other languages, the command
// line and the generated documentation are made from.
#pragma once

#include <span>
#include <string>

#include "operators/operator.h"

namespace anydml::c_api {

// An array of objects: name, value, level, tensors, fields, support, in_place,
// devices.
std::string ListOperators(std::span<const Definition* const> definitions);

}  // namespace anydml::c_api
