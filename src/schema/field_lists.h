// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Lists of fields that begin or end alike in several structs.
#pragma once

#include <algorithm>
#include <array>

#include "schema/schema.h"

namespace anydml::schema {

template <size_t A, size_t B>
constexpr std::array<Field, A + B> JoinFields(const Field (&first)[A], const Field (&then)[B]) {
  std::array<Field, A + B> all;
  std::ranges::copy(then, std::ranges::copy(first, all.begin()).out);
  return all;
}
template <size_t A, size_t B, size_t C>
constexpr std::array<Field, A + B + C> JoinFields(const Field (&first)[A], const Field (&then)[B],
                                                  const Field (&last)[C]) {
  std::array<Field, A + B + C> all;
  std::ranges::copy(last, std::ranges::copy(JoinFields(first, then), all.begin()).out);
  return all;
}

}  // namespace anydml::schema
