// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include <directml.h>

#include <cstring>

namespace anydml::test {

// C4: the bytes beyond the selected member hold rubbish in every test.
template <typename T>
DML_SCALAR_UNION Bound(T value) {
  DML_SCALAR_UNION bound;
  std::memset(&bound, 0xEE, sizeof bound);
  std::memcpy(&bound, &value, sizeof value);
  return bound;
}

}  // namespace anydml::test
