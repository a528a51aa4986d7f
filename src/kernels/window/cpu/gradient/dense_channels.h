// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy dense_channels cuts its work. Knows nothing of vectors.
#pragma once

#include "kernels/window/cpu/gradient/shared_channels.h"

namespace anydml::window::gradient {

// Columns of a tile that are one tap apart from their neighbours, at most.
inline constexpr int64_t kMaxDenseColumns = 64;
inline constexpr int64_t kMaxDenseSize = 5;
// Rows of windows of a band, and of a ring that also holds the rows before it.
inline constexpr int64_t kDenseRows = 8;
inline constexpr int64_t kRingRows = 16;
static_assert(kDenseRows + kMaxDenseSize - 1 <= kRingRows);
// Vectors of channels of a tile: a last one that is not whole comes on top.
inline constexpr int64_t kMaxDenseVectors = 2;

// Units of rows, columns and channels; `lanes` is the length of a vector.
SharedChannels DenseChannels(const Plan& plan, int threads, int64_t lanes);

}  // namespace anydml::window::gradient
