// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ABI_FIELD asserts the type and the offset of one field of Desc, which the user declares as an
// alias of the structure in question.

#ifndef ANYDML_TESTS_ABI_ABI_FIELD_H_
#define ANYDML_TESTS_ABI_ABI_FIELD_H_

#include <cstddef>
#include <type_traits>

// A macro because offsetof takes a name. Offsets alone would let a UINT* become an INT*.
#define ABI_FIELD(Type, field, offset)                        \
  static_assert(std::is_same_v<decltype(Desc::field), Type>); \
  static_assert(offsetof(Desc, field) == (offset))

#endif  // ANYDML_TESTS_ABI_ABI_FIELD_H_
