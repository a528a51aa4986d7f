// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strips of planes: 16 bytes of columns times some rows, one per thread.
#pragma once

#include "backends/cuda/row_words.cuh"
#include "tensor/window.h"

namespace anydml::cuda {

struct StripPosition {
  uint32_t batch, channel;
  int pack;   // among those side by side
  int chunk;  // among those one above the other
};

// Strips of one row are neighbours, but if the channels lie closest strips of one
// place are.
struct StripOrder {
  Divider packs;   // strips side by side
  Divider chunks;  // strips one above the other
  Divider channels;
  bool channels_closest;

  __device__ StripPosition PositionOf(uint32_t number) const {
    uint32_t channel = 0;
    uint32_t rest = number;
    if (channels_closest) {
      channel = rest;
      rest = channels.Split(channel);
    }
    uint32_t pack = rest;
    uint32_t chunk = packs.Split(pack);
    uint32_t batch = chunks.Split(chunk);
    if (!channels_closest) {
      channel = batch;
      batch = channels.Split(channel);
    }
    return {batch, channel, static_cast<int>(pack), static_cast<int>(chunk)};
  }
};

inline RowTensor RowTensorOf(const PlaneStrides& strides) {
  return {strides.batch, strides.channel, strides.spatial[WindowLoop::kHeight],
          strides.spatial[WindowLoop::kWidth]};
}

}  // namespace anydml::cuda
