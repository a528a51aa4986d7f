// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Small pieces of text for error sentences, on top of {fmt}.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string>

namespace anydml {

// "{1, 2, 3}", as C++ programmers write the array that they passed.
template <typename T>
std::string BracedList(std::span<const T> values) {
  return fmt::format("{{{}}}", fmt::join(values.begin(), values.end(), ", "));
}

}  // namespace anydml
