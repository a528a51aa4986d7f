// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Structs that begin with their own size, so that a program built against an
// older or newer header than the library's keeps working: the members that both
// know are exchanged.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/result.h"

namespace anydml::c_api {

// From the caller, over the defaults in `own`. All structs are of their first
// version yet, so that none can be smaller than it is here.
template <typename Struct>
Status CopyIn(const Struct* given, std::string_view name, Struct& own) {
  if (given == nullptr) return InvalidArgument(fmt::format("{} must not be null", name));
  if (given->struct_size < sizeof(Struct)) {
    return InvalidArgument(fmt::format("{}.struct_size = {} must be sizeof({}) = {}", name,
                                       given->struct_size, name, sizeof(Struct)));
  }
  own = *given;
  own.struct_size = sizeof(Struct);
  return {};
}

// To the caller, whose struct_size stays as it is.
template <typename Struct>
Status CopyOut(const Struct& filled, std::string_view name, Struct* out) {
  if (out == nullptr) return InvalidArgument(fmt::format("{} must not be null", name));
  const size_t size = out->struct_size;
  if (size < sizeof(size_t)) {
    return InvalidArgument(fmt::format("{}.struct_size = {} must be sizeof({}) = {}", name, size,
                                       name, sizeof(Struct)));
  }
  std::memcpy(out, &filled, std::min(size, sizeof(Struct)));
  out->struct_size = size;
  return {};
}

}  // namespace anydml::c_api
