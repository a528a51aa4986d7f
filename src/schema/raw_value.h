// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Enumerations of descriptions are read as numbers.
#pragma once

#include "base/raw_value.h"

namespace anydml::schema {

using anydml::RawValue;

}  // namespace anydml::schema
