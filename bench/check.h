// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Whether a result is the reference operator's, bit for bit.
#pragma once

#include <optional>
#include <string>

#include "bench/row.h"

namespace anydml::bench {

// Looks at the outputs that `bindings` hold. Where the items of the first
// dimension are independent, the reference computes only the first, the middle
// and the last of them (of a tensor of one dimension, as many elements of its
// start, middle and end); elsewhere everything. Returns what differs, as a
// sentence.
std::optional<std::string> FindDifference(const Row& row, const Bindings& bindings);

}  // namespace anydml::bench
