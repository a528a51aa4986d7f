// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Which window a thread takes, one window each, or which element.
#pragma once

#include "backends/cuda/launch.cuh"

namespace anydml::cuda {

struct WindowPlace {
  uint32_t batch, channel;
  int at[3];  // depth, height, width
};

// Of planes of these sizes. A loop has a Divider `channels`. Windows of one row are
// neighbours, but if the channels lie closest windows of one place are.
template <typename Loop>
__device__ WindowPlace WindowPlaceOf(const Loop& loop, const Divider (&sizes)[3], uint32_t number) {
  WindowPlace place;
  if (loop.channels_closest) {
    place.channel = number;
    number = loop.channels.Split(place.channel);
  }
  for (int i = 2; i >= 0; --i) {
    uint32_t at = number;
    number = sizes[i].Split(at);
    place.at[i] = static_cast<int>(at);
  }
  if (loop.channels_closest) {
    place.batch = number;
  } else {
    place.channel = number;
    place.batch = loop.channels.Split(place.channel);
  }
  return place;
}

}  // namespace anydml::cuda
