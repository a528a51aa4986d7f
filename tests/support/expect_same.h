// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Lists of floats that must be the same: NaN equal to NaN, everything else by its bits.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace anydml::test {

inline void ExpectSame(const std::vector<float>& actual, const std::vector<float>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    const bool nan = std::isnan(expected[i]);
    EXPECT_TRUE(nan ? std::isnan(actual[i])
                    : std::bit_cast<uint32_t>(actual[i]) == std::bit_cast<uint32_t>(expected[i]))
        << i << ": " << actual[i] << " is not " << expected[i];
  }
}

}  // namespace anydml::test
