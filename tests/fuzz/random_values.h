// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Graphs that are written value by value: operators of all kinds that read inputs, constants and
// views of each other's outputs.
#pragma once

#include <vector>

#include "fuzz/bytes.h"
#include "gradient/network.h"

namespace anydml::test {

// Returns what operators gave, and views of it. What was refused, for which there is a sentence,
// is left out.
std::vector<GraphValue> AddRandomValues(gradient::Network& network, Bytes& bytes);

}  // namespace anydml::test
