// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The text of the print command.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tensor/data_type.h"

namespace anydml::model {

// "Resource 'output': 6, 15, 24": numbers as C++ streams write them, with 6
// significant digits, FLOAT16 by its value; 8-bit integers as numbers (DxDispatch
// writes them as characters). The verbose form has a line per element: index,
// value, bits ("[ 0] 1.5 (0x3FC00000)"). No newline at the end. A type without
// elements gives no values.
std::string PrintResource(std::string_view name, DataType data_type,
                          std::span<const uint8_t> values, bool verbose = false);

// One element, as it stands in that list; empty for a type without elements.
std::string ElementText(DataType data_type, const uint8_t* element);

}  // namespace anydml::model
