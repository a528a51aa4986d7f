// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The placed loops of tensor/placed_loop.h on the CPU. Every output element is
// written once; elements of any type are moved as integers of their width.
#pragma once

#include <string_view>

#include "backends/bindings.h"
#include "backends/cpu/executor.h"
#include "tensor/placed_loop.h"

namespace anydml::cpu {

// Why PlaceRows does not take this loop; empty if it does.
std::string_view RefusePlaceRows(const PlacedLoop& loop);

// From input 0 to output 0, row after row of an output whose innermost stride is 1.
void PlaceRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor);

// The same for any strides, element by element.
void PlaceStrided(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor);

}  // namespace anydml::cpu
