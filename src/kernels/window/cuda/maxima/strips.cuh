// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A thread owns a strip of OutputTensor: 16 bytes of columns, some rows. It walks
// down the input rows, keeps the maxima of each along the width with their
// places, and copies the winner of each window bit for bit.
#pragma once

#include "kernels/window/cuda/maxima/strips.h"
#include "kernels/window/cuda/window_keys.cuh"

namespace anydml::window::maxima {

using Access = cuda::RowAccess;

// kPad: the padding along the width where kAccess is kAligned; elsewhere it is
// known at run time only.
template <typename T, int kSize, int kStride, Access kAccess, int kPad>
struct StripShape {
  static constexpr bool kIsAligned = kAccess == Access::kAligned;
  static constexpr int kWindows = 16 / sizeof(T);
  static constexpr int kOwnTaps = kWindows * kStride;
  // Aligned words begin with an even element.
  static constexpr int kPerWord = kIsAligned ? 4 / sizeof(T) : 1;
  static constexpr int kTapLead = kIsAligned ? kPad % kPerWord : 0;
  static constexpr int kFirstTap = kIsAligned ? -kPad : 0;
  static constexpr int kTaps = (kWindows - 1) * kStride + kSize + kTapLead;
  static constexpr int kLiveRows = kSize > kStride ? kSize : kStride;
  static constexpr int kWarmUp = (kLiveRows - 1) / kStride;
  static constexpr int kUnroll = kStride == 1 ? kLiveRows : 2;
  // Places: so many per row, falling; rows fall too.
  static constexpr int kRowPlaces = 32;
  static constexpr int kLastPlaceRow = 1023;
  static_assert(kTaps <= kRowPlaces);
};

__device__ inline int64_t PlaneOf(const cuda::RowTensor& tensor, uint32_t batch, uint32_t channel) {
  return batch * tensor.batch + channel * tensor.channel;
}

template <typename Index>
__device__ inline void StoreIndex(const StripGrid& grid, void* indices, int64_t at,
                                  const uint64_t plane, int row, int column) {
  const uint64_t rows = plane * grid.height + row;
  static_cast<Index*>(indices)[at] = static_cast<Index>(rows * grid.width + column);
}

// Stores the index of a window whose winner is element (row, column).
__device__ inline void StoreIndex(const StripGrid& grid, const cuda::StripPosition& place,
                                  void* indices, int out_row, int out_column, int row, int column) {
  if (grid.index_type == DataType::kUnknown) return;
  const int64_t at = PlaneOf(grid.indices, place.batch, place.channel) +
                     out_row * grid.indices.row + out_column * grid.indices.column;
  const uint64_t plane = uint64_t{place.batch} * grid.channels.divisor() + place.channel;
  if (grid.index_type == DataType::kUint64) {
    StoreIndex<uint64_t>(grid, indices, at, plane, row, column);
  } else {
    StoreIndex<uint32_t>(grid, indices, at, plane, row, column);
  }
}

template <typename T, int kSize, int kStride, Access kAccess, int kPad>
__global__ void __launch_bounds__(128) PoolStrips(StripGrid grid, const T* x, T* y, void* indices) {
  using Shape = StripShape<T, kSize, kStride, kAccess, kPad>;
  constexpr int kLive = Shape::kLiveRows;
  const auto number = static_cast<uint32_t>(cuda::ThreadNumber());
  const bool active = number < grid.strips;
  if (kAccess != Access::kAnywhere && !active) return;
  const cuda::StripPosition place = grid.PositionOf(active ? number : grid.strips - 1);
  const auto neighbours = cuda::RowNeighbours::Of(number, grid.strips, place.pack,
                                                  static_cast<int>(grid.packs.divisor()));
  const T* x_plane = x + PlaneOf(grid.x, place.batch, place.channel);
  T* y_plane = y + PlaneOf(grid.y, place.batch, place.channel);

  const int window = place.pack * Shape::kWindows;
  const int own_tap = window * kStride;
  const int first_tap = own_tap - (Shape::kIsAligned ? kPad : grid.pad_width) - Shape::kTapLead;
  constexpr int kOwnBegin = Shape::kIsAligned ? kPad + Shape::kTapLead : 0;
  constexpr int kOwnEnd =
      Shape::kIsAligned ? std::min(kOwnBegin + Shape::kOwnTaps, Shape::kTaps) : 0;
  const cuda::TapKeys<T, Shape::kTaps, kOwnBegin, kOwnEnd> keys(first_tap, grid.width);
  const int first_row = place.chunk * grid.rows;  // of OutputTensor
  const int row0 = first_row * kStride - grid.pad_height;

  cuda::Words<T, Shape::kTaps> taps[kStride];
  auto load = [&](int iteration) {
    for (int s = 0; s < kStride; ++s) {
      const int row = row0 + iteration * kStride + kLive - kStride + s;
      taps[s] = {};
      if (row < row0 || row < 0 || row >= grid.height || iteration >= grid.rows) continue;
      taps[s] =
          cuda::LoadRow<T, kAccess, Shape::kFirstTap - Shape::kTapLead, Shape::kTaps,
                        Shape::kOwnTaps>(grid.x, x_plane, row, own_tap, first_tap, grid.width);
    }
  };

  cuda::Maximum<T> maxima[kLive][Shape::kWindows] = {};
  load(-Shape::kWarmUp);
#pragma unroll 1
  for (int begin = -Shape::kWarmUp; begin < grid.rows; begin += Shape::kUnroll) {
#pragma unroll
    for (int u = 0; u < Shape::kUnroll; ++u) {
      const int iteration = begin + u;
      if (iteration >= grid.rows) break;
      cuda::DropRows<kStride>(maxima);
#pragma unroll
      for (int s = 0; s < kStride; ++s) {
        const int row = row0 + iteration * kStride + kLive - kStride + s;
        cuda::Maximum<T>(&row_maxima)[Shape::kWindows] = maxima[kLive - kStride + s];
        if (row >= 0 && row < grid.height) {
          // Rows are numbered from row0 - kLive on.
          const int place_row = Shape::kLastPlaceRow - (row - row0 + kLive);
          cuda::Maximum<T> single[Shape::kTaps];
          keys.template Maxima<1>(taps[s], place_row * Shape::kRowPlaces + Shape::kRowPlaces - 1,
                                  single);
          cuda::MaximaOfRow<kSize, kStride, 1, Shape::kWindows>(single + Shape::kTapLead,
                                                                row_maxima);
        } else {
          for (int w = 0; w < Shape::kWindows; ++w) row_maxima[w] = {};
        }
      }
      load(iteration + 1);
      const int out_row = first_row + iteration;
      if (iteration < 0) continue;
      const bool stores = active && out_row < grid.out_height;
      cuda::Pack<T> values = {};
      for (int w = 0; w < Shape::kWindows; ++w) {
        if (!stores || window + w >= grid.out_width) continue;
        const uint32_t winner = cuda::GreatestOfColumn<kSize, 1>(maxima, w).place();
        const int row =
            row0 - kLive + Shape::kLastPlaceRow - static_cast<int>(winner / Shape::kRowPlaces);
        const int column =
            first_tap + Shape::kRowPlaces - 1 - static_cast<int>(winner % Shape::kRowPlaces);
        values.values[w] = x_plane[row * grid.x.row + column * grid.x.column];
        StoreIndex(grid, place, indices, out_row, window + w, row, column);
      }
      T* y_row = y_plane + out_row * grid.y.row;
      if constexpr (kAccess == Access::kAligned) {
        if (stores) cuda::StorePack(values, y_row + window);
      } else if constexpr (kAccess == Access::kAnywhere) {
        cuda::StoreAnywhere(values, y_row, window, grid.out_width, neighbours, stores);
      } else {
        for (int w = 0; w < Shape::kWindows; ++w) {
          if (stores && window + w < grid.out_width) {
            y_row[(window + w) * grid.y.column] = values.values[w];
          }
        }
      }
    }
  }
}

template <typename T, int kSize, int kStride, Access kAccess, int kPad>
void LaunchStripsOf(const StripGrid& grid, const Bindings& bindings, cuda::Stream stream) {
  PoolStrips<T, kSize, kStride, kAccess, kPad>
      <<<cuda::BlocksFor(grid.strips, 128), 128, 0, stream>>>(
          grid, bindings.Input<T>(0), bindings.Output<T>(0), bindings.outputs[1]);
}

// kPads: the paddings along the width that have an aligned kernel.
template <typename T, int kSize, int kStride, int... kPads>
bool TryStrips(const StripGrid& grid, const StripWindow& window, Access access,
               const Bindings& bindings, cuda::Stream stream) {
  if (window != StripWindow{kSize, kStride}) return false;
  if (access == Access::kApart) {
    LaunchStripsOf<T, kSize, kStride, Access::kApart, 0>(grid, bindings, stream);
    return true;
  }
  const bool aligned =
      access == Access::kAligned &&
      ((grid.pad_width == kPads &&
        (LaunchStripsOf<T, kSize, kStride, Access::kAligned, kPads>(grid, bindings, stream),
         true)) ||
       ...);
  if (!aligned) LaunchStripsOf<T, kSize, kStride, Access::kAnywhere, 0>(grid, bindings, stream);
  return true;
}

template <typename T>
void LaunchStrips(const StripGrid& grid, const StripWindow& window, Access access,
                  const Bindings& bindings, cuda::Stream stream) {
  static_cast<void>(TryStrips<T, 2, 2, 0>(grid, window, access, bindings, stream) ||
                    TryStrips<T, 3, 2, 1>(grid, window, access, bindings, stream) ||
                    TryStrips<T, 3, 1, 1>(grid, window, access, bindings, stream) ||
                    TryStrips<T, 2, 1, 0>(grid, window, access, bindings, stream) ||
                    TryStrips<T, 5, 1, 2>(grid, window, access, bindings, stream));
}

}  // namespace anydml::window::maxima
