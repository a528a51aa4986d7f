// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DirectML's feature levels: each is a strict superset of those before it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace anydml {

// Values of DML_FEATURE_LEVEL.
enum class FeatureLevel : uint32_t {
  k1_0 = 0x1000,
  k2_0 = 0x2000,
  k2_1 = 0x2100,
  k3_0 = 0x3000,
  k3_1 = 0x3100,
  k4_0 = 0x4000,
  k4_1 = 0x4100,
  k5_0 = 0x5000,
  k5_1 = 0x5100,
  k5_2 = 0x5200,
  k6_0 = 0x6000,
  k6_1 = 0x6100,
  k6_2 = 0x6200,
  k6_3 = 0x6300,
  k6_4 = 0x6400,
};
inline constexpr FeatureLevel kNewestFeatureLevel = FeatureLevel::k6_4;
inline constexpr std::array kFeatureLevels = {
    FeatureLevel::k1_0, FeatureLevel::k2_0, FeatureLevel::k2_1, FeatureLevel::k3_0,
    FeatureLevel::k3_1, FeatureLevel::k4_0, FeatureLevel::k4_1, FeatureLevel::k5_0,
    FeatureLevel::k5_1, FeatureLevel::k5_2, FeatureLevel::k6_0, FeatureLevel::k6_1,
    FeatureLevel::k6_2, FeatureLevel::k6_3, FeatureLevel::k6_4};

// "5_1", as the documentation's headings spell it.
std::string FeatureLevelName(FeatureLevel level);

// From "5_1" or "5.1"; empty for a level that does not exist.
std::optional<FeatureLevel> ParseFeatureLevel(std::string_view text);

}  // namespace anydml
