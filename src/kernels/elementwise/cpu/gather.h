// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Moves the elements of a tile between a tensor's layout and packed memory, by vectors
// of the chosen instruction set.
#pragma once

#include "kernels/elementwise/cpu/tiles.h"

namespace anydml::elementwise {

struct TileMoves {
  // Puts the elements of a box side by side, in its order of dimensions. The box at
  // `next` is gathered after it.
  void (*gather)(const cpu::Box& box, const int64_t* from_strides, const void* from,
                 const void* next, void* to);
  // The way back.
  void (*scatter)(const cpu::Box& box, const int64_t* to_strides, const void* from, void* to);
};

const TileMoves& TileMovesOf(uint32_t element_size);

}  // namespace anydml::elementwise
