// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Repeated executions, timed, beside a copy of the same number of bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "c_api/device.h"

namespace anydml::tool {

struct Timing {
  uint32_t iterations = 0;
  double median_ms = 0;
  double least_ms = 0;
  double most_ms = 0;
  double copy_median_ms = 0;
};

// Alternates `execute` with a copy on the same device that reads and writes
// `bytes` in total, so that both see the same machine. Draws a progress bar on standard error when
// a person watches.
Result<Timing> Measure(uint32_t iterations, uint64_t bytes, const c_api::Device& device,
                       const std::function<Status()>& execute);

// "100 iterations, 0.0023 ms median, ..."
std::string Text(const Timing& timing, uint64_t bytes);

}  // namespace anydml::tool
