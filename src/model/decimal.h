// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Numbers of a text against the doubles next to them.
#pragma once

#include <string_view>

namespace anydml::model {

// Whether a double may be halfway between two elements of a smaller type, where a second
// rounding turns. FLOAT32 has the most bits, 24; halfway are 25.
bool MayBeHalfway(double value);

// Whether a double is an integer that it may stand for: beyond 2^53 it stands for several.
bool IsExactInteger(double value);

// The sign of `text` - `value`, exactly. The text is a number of JSON, whose point may
// be another character, as locales have it; `value` is one of the two kinds above.
int CompareDecimal(std::string_view text, double value);

}  // namespace anydml::model
