// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The placed loops of tensor/placed_loop.h on the CPU. Every output element is
// written once; elements of any type are moved as bytes. An Accepts function
// says whether its Place function takes a loop.
#pragma once

#include "backends/bindings.h"
#include "backends/cpu/executor.h"
#include "kernels/strategy.h"
#include "tensor/placed_loop.h"

namespace anydml::cpu {

// From input 0 to output 0, row after row of an output whose innermost stride is 1.

// Elements of a row lie side by side in both tensors: copies.
Refusal AcceptsPackedRows(const PlacedLoop& loop);
void PlacePackedRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor);

// Elements lie and land at any distance, in either direction, and what is between them
// belongs to the input: shuffled bytes of vectors.
Refusal AcceptsSteppedRows(const PlacedLoop& loop);
void PlaceSteppedRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor);

// The same element by element; reads nothing between them.
Refusal AcceptsGappedRows(const PlacedLoop& loop);
void PlaceGappedRows(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor);

// Any strides, element by element.
void PlaceStrided(const PlacedLoop& loop, const Bindings& bindings, const Executor& executor);

}  // namespace anydml::cpu
