// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Where the planes of a stage lie.
#pragma once

#include "backends/cuda/launch.cuh"
#include "kernels/resample/cuda/axis_sums_stage.h"

namespace anydml::cuda {

struct StagePlanes {
  Divider channels;
  int64_t source_batch, source_channel;
  int64_t target_batch, target_channel;

  StagePlanes() = default;
  explicit StagePlanes(const SumStage& stage)
      : channels(stage.channels),
        source_batch(stage.source.batch),
        source_channel(stage.source.channel),
        target_batch(stage.target.batch),
        target_channel(stage.target.channel) {}

  template <typename S, typename T>
  __device__ void Move(uint32_t plane, const S*& source, T*& target) const {
    const uint32_t batch = channels.Split(plane);
    source += batch * source_batch + plane * source_channel;
    target += batch * target_batch + plane * target_channel;
  }
};

}  // namespace anydml::cuda
