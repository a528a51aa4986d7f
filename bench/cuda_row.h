// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A row on a CUDA device: checked bit for bit against the CPU, then timed in turns
// with a copy on the same card.
#pragma once

#include <string_view>

#include "bench/measure_row.h"

namespace anydml::bench {

// Whether it is "cpu" or a device that is here.
Status CheckDevice(std::string_view name);

// `options.device` names the device.
Result<RowResult> MeasureRowOnCuda(const Row& row, const MeasureOptions& options);

}  // namespace anydml::bench
