// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operator tables as JSON: what front ends in other languages, the command
// line and the generated documentation are made from.
#pragma once

#include <nlohmann/json.hpp>

#include "operators/operator.h"

namespace anydml::c_api {

// Name, value, level, tensors, fields, support, in_place, devices.
nlohmann::ordered_json ListOperator(const Definition& definition);

// All of the registry, as an array.
nlohmann::ordered_json ListOperators();

}  // namespace anydml::c_api
