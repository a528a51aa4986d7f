// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One element of a data type from one JSON value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/json_text.h"
#include "model/place.h"
#include "tensor/data_type.h"

namespace anydml::model {

// Every type that has elements of whole bytes.
using ElementTypes = TypeList<float, Float16, double, int64_t, int32_t, int16_t, int8_t, uint64_t,
                              uint32_t, uint16_t, uint8_t>;

// Stores ElementSize(type) bytes; returns the rule that the value breaks, empty
// when it breaks none. Integers take no fractions and nothing out of range;
// floats also take "nan", "inf" and "-inf" in any case, and a finite number
// that would round to infinity is refused.
std::string StoreElement(const Json& value, DataType type, uint8_t* out);

// An unsigned integer of at most `most`; tells its own problem.
std::optional<uint64_t> ReadUnsigned(const Json& value, uint64_t most, const Place& place);

// Nearest even, in one rounding (by way of float it would be two).
Float16 ToFloat16(double value);

}  // namespace anydml::model
