// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Descriptions written as JSON, as the files of tests/reference_data/ hold them.
// The schema says how a field is read; no operator is named.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/arguments.h"

namespace anydml::test {

// Tensors are packed. A name that the schema does not have, a required field
// that is missing and an enumerator that does not exist are errors.
Result<schema::Arguments> ArgumentsFromJson(const schema::OperatorSchema& schema,
                                            const nlohmann::json& fields);

// "00ff" -> {0x00, 0xFF}
std::vector<uint8_t> BytesFromHex(std::string_view text);

}  // namespace anydml::test
