// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/pixel_offsets.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "base/escaped.h"

namespace anydml {

Result<bool> ExchangePixelOffsetsFromEnvironment() {
  const char* variable = std::getenv("ANYDML_PIXEL_OFFSETS");
  const std::string_view value = variable == nullptr ? "" : variable;
  if (value.empty() || value == "documented") return false;
  if (value == "exchanged") return true;
  return InvalidArgument(fmt::format(
      "ANYDML_PIXEL_OFFSETS = '{}' must be 'documented' or 'exchanged'", Escaped(value)));
}

}  // namespace anydml
