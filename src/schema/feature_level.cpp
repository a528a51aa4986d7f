// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "schema/feature_level.h"

#include <fmt/format.h>

#include <algorithm>

namespace anydml {

std::string FeatureLevelName(FeatureLevel level) {
  const auto value = static_cast<uint32_t>(level);
  return fmt::format("{}_{}", value >> 12, (value >> 8) & 0xF);
}

std::optional<FeatureLevel> ParseFeatureLevel(std::string_view text) {
  std::string name(text);
  std::replace(name.begin(), name.end(), '.', '_');
  for (FeatureLevel level : kFeatureLevels) {
    if (FeatureLevelName(level) == name) return level;
  }
  return std::nullopt;
}

}  // namespace anydml
