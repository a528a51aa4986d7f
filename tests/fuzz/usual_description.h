// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include "fuzz/bytes.h"
#include "schema/arguments.h"

namespace anydml::test {

// Gives a valid description of pooling or resampling the sizes, windows, factors
// and layouts that programs use; those of other operators stay as they are.
void MakeUsual(schema::Arguments& arguments, Bytes& bytes);

}  // namespace anydml::test
