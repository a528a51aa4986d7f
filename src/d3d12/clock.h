// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The clock of timestamp queries and of GetClockCalibration: nanoseconds.
#pragma once

#include <chrono>
#include <cstdint>

namespace anydml::d3d12 {

inline constexpr uint64_t kTicksPerSecond = 1'000'000'000;

inline uint64_t Ticks() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace anydml::d3d12
