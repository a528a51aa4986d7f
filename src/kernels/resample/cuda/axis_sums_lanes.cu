// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along rows, and along columns before them, of elements that lie side by
// side: channels in the last place, or whole rows when only an outer axis
// changes. A thread owns a pack of neighbours of one target column and walks
// down a band of target rows; what neighbouring columns share comes from the
// cache.
#include <algorithm>

#include "kernels/resample/cuda/axis_sums_dispatch.h"
#include "kernels/resample/cuda/axis_sums_walk.cuh"
#include "kernels/resample/cuda/stage_planes.cuh"

namespace anydml::cuda {
namespace {

struct Lanes {
  uint32_t target_rows;
  StagePlanes planes;
  int64_t source_row, target_row, source_column, target_column;  // strides
  Divider inner_packs;                                           // packs of one column
  Divider row_packs;                                             // packs of a target row
  uint32_t threads;
  Divider bands;
  uint32_t band_rows;
  DeviceTermTable row_axis, column_axis;
};

template <typename P, typename S>
__device__ P LoadLanes(const S* address) {
  if constexpr (P::kSize == 1) {
    return P{{*address}};
  } else {
    return LoadPack<P>(address);
  }
}

template <typename P, typename T>
__device__ void StoreLanes(const P& pack, T* address) {
  if constexpr (P::kSize == 1) {
    *address = pack.values[0];
  } else {
    StorePack(pack, address);
  }
}

// The terms of the thread's target column; see Column of axis_sums_planes.cuh.
template <bool kUnitWeights, int kTerms>
struct LaneTerms {
  uint32_t first = 0, count = 0;
  float weights[kTerms] = {};

  __device__ LaneTerms(const DeviceTermTable& axis, uint32_t target) {
    const uint32_t begin = axis.begin[target];
    count = axis.begin[target + 1] - begin;
    if (count > 0) first = axis.terms[begin].source;
    for (int k = 0; k < kTerms; ++k) {
      if (static_cast<uint32_t>(k) < count) weights[k] = axis.terms[begin + k].weight;
    }
  }

  template <typename P, typename S, int kSize>
  __device__ void Sum(const S* row, int64_t stride, float (&sums)[kSize]) const {
    P packs[kTerms] = {};
    for (int k = 0; k < kTerms; ++k) {
      if (static_cast<uint32_t>(k) < count) packs[k] = LoadLanes<P>(row + (first + k) * stride);
    }
    for (int i = 0; i < kSize; ++i) sums[i] = 0;
    for (int k = 0; k < kTerms; ++k) {
      for (int i = 0; i < kSize; ++i) {
        const float product = Product<kUnitWeights>(weights[k], Widen(packs[k].values[i]));
        sums[i] = k == 0 ? product : sums[i] + product;
      }
    }
  }
};

template <bool kUnitWeights>
struct LaneTerms<kUnitWeights, 0> {
  const Term* terms;
  uint32_t count;

  __device__ LaneTerms(const DeviceTermTable& axis, uint32_t target)
      : terms(axis.terms + axis.begin[target]),
        count(axis.begin[target + 1] - axis.begin[target]) {}

  template <typename P, typename S, int kSize>
  __device__ void Sum(const S* row, int64_t stride, float (&sums)[kSize]) const {
    for (int i = 0; i < kSize; ++i) sums[i] = 0;
    for (uint32_t k = 0; k < count; ++k) {
      const P pack = LoadLanes<P>(row + terms[k].source * stride);
      for (int i = 0; i < kSize; ++i) {
        sums[i] += Product<kUnitWeights>(terms[k].weight, Widen(pack.values[i]));
      }
    }
  }
};

// Columns do not change.
inline constexpr int kNoTerms = -1;
template <bool kUnitWeights>
struct LaneTerms<kUnitWeights, kNoTerms> {
  uint32_t column;

  __device__ LaneTerms(const DeviceTermTable&, uint32_t target) : column(target) {}

  template <typename P, typename S, int kSize>
  __device__ void Sum(const S* row, int64_t stride, float (&sums)[kSize]) const {
    const P pack = LoadLanes<P>(row + column * stride);
    for (int i = 0; i < kSize; ++i) sums[i] = Widen(pack.values[i]);
  }
};

template <int kSize, typename S, typename T, WalkKind kKind, bool kUnitWeights, int kTerms>
__global__ void __launch_bounds__(kThreadsPerBlock)
    SumLaneRows(const __grid_constant__ Lanes lanes, const S* source, T* target) {
  const uint64_t number = ThreadNumber();
  if (number >= lanes.threads) return;
  auto pack = static_cast<uint32_t>(number);
  uint32_t band = lanes.row_packs.Split(pack);
  const uint32_t plane = lanes.bands.Split(band);
  const uint32_t column = lanes.inner_packs.Split(pack);
  const LaneTerms<kUnitWeights, kTerms> terms(lanes.column_axis, column);
  const uint32_t begin = band * lanes.band_rows;
  const uint32_t end = min(begin + lanes.band_rows, lanes.target_rows);
  lanes.planes.Move(plane, source, target);
  source += uint64_t{pack} * kSize;
  target += uint64_t{pack} * kSize + column * lanes.target_column;
  WalkRows<kKind, kUnitWeights, kSize>(
      lanes.row_axis, begin, end,
      [&](uint32_t row, float(&sums)[kSize]) {
        terms.template Sum<Pack<S, kSize>>(source + row * lanes.source_row, lanes.source_column,
                                           sums);
      },
      [&](uint32_t row, const float(&sums)[kSize]) {
        Pack<T, kSize> result;
        for (int i = 0; i < kSize; ++i) result.values[i] = Narrow<T>(sums[i]);
        StoreLanes(result, target + row * lanes.target_row);
      });
}

constexpr uint64_t DivideUp(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// Long bands share more rows, many bands fill the card. Forward nearest sampling
// shares nothing but loads; there short bands write memory in better order.
uint64_t BandRows(const SumStage& stage, uint64_t threads) {
  constexpr uint64_t kMinRows = 8, kEnoughThreads = uint64_t{1} << 21;
  if (!stage.transposed && stage.unit_weights) return stage.column_axis == kNoAxis ? 1 : 4;
  const uint64_t wanted = std::max<uint64_t>(1, kEnoughThreads / threads);
  const uint64_t most = std::max<uint64_t>(1, stage.target_rows / kMinRows);
  return DivideUp(stage.target_rows, std::min(wanted, most));
}

template <int kSize, typename S, typename T, WalkKind kKind, bool kUnitWeights, int kTerms>
void LaunchSize(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream) {
  Lanes lanes = {};
  lanes.target_rows = static_cast<uint32_t>(stage.target_rows);
  lanes.planes = StagePlanes(stage);
  lanes.source_row = stage.source.row;
  lanes.target_row = stage.target.row;
  lanes.source_column = stage.source.column;
  lanes.target_column = stage.target.column;
  lanes.inner_packs = Divider(stage.inner / kSize);
  const uint64_t row_packs = stage.target_columns * stage.inner / kSize;
  lanes.row_packs = Divider(row_packs);
  const uint64_t packs = stage.PlaneCount() * row_packs;
  const uint64_t band_rows = BandRows(stage, packs);
  const uint64_t bands = DivideUp(stage.target_rows, band_rows);
  lanes.threads = static_cast<uint32_t>(packs * bands);
  lanes.bands = Divider(bands);
  lanes.band_rows = static_cast<uint32_t>(band_rows);
  lanes.row_axis = tables.axes[stage.row_axis];
  if (stage.column_axis != kNoAxis) lanes.column_axis = tables.axes[stage.column_axis];
  SumLaneRows<kSize, S, T, kKind, kUnitWeights, kTerms>
      <<<BlocksFor(packs * bands), kThreadsPerBlock, 0, stream>>>(
          lanes, static_cast<const S*>(memory.source), static_cast<T*>(memory.target));
}

template <typename S, typename T, WalkKind kKind, bool kUnitWeights, int kTerms>
void Launch(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
            Stream stream) {
  constexpr int kSize = 16 / std::max(sizeof(S), sizeof(T));
  const auto* source = static_cast<const S*>(memory.source);
  const auto* target = static_cast<const T*>(memory.target);
  const auto aligned = [](const auto* data, const StageStrides& strides) {
    return IsAligned(data, kSize * sizeof(*data)) && strides.AreMultiplesOf(kSize) &&
           strides.column % kSize == 0;
  };
  if (stage.inner % kSize == 0 && aligned(source, stage.source) && aligned(target, stage.target)) {
    LaunchSize<kSize, S, T, kKind, kUnitWeights, kTerms>(stage, tables, memory, stream);
  } else {
    LaunchSize<1, S, T, kKind, kUnitWeights, kTerms>(stage, tables, memory, stream);
  }
}

template <typename S, typename T, bool kUnitWeights>
void LaunchTransposed(const SumStage& stage, const AxisSumsOnDevice& tables,
                      const StageMemory& memory, Stream stream) {
  constexpr WalkKind kKind = WalkKind::kTransposed;
  DispatchTerms(tables.max_terms[stage.column_axis], [&]<int kTerms>() {
    Launch<S, T, kKind, kUnitWeights, kTerms>(stage, tables, memory, stream);
  });
}

template <typename S, typename T, bool kUnitWeights>
void LaunchKind(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream) {
  constexpr WalkKind kForward = WalkKind::kForward, kTransposed = WalkKind::kTransposed;
  if (stage.column_axis == kNoAxis) {
    if (stage.transposed) {
      return Launch<S, T, kTransposed, kUnitWeights, kNoTerms>(stage, tables, memory, stream);
    }
    return Launch<S, T, kForward, kUnitWeights, kNoTerms>(stage, tables, memory, stream);
  }
  // Only the first stage has two axes, and nothing narrower than its source.
  if constexpr (sizeof(S) <= sizeof(T)) {
    if (stage.transposed)
      return LaunchTransposed<S, T, kUnitWeights>(stage, tables, memory, stream);
    Launch<S, T, kForward, kUnitWeights, kUnitWeights ? 1 : 2>(stage, tables, memory, stream);
  }
}

}  // namespace

void SumLanes(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
              Stream stream) {
  DispatchStage(stage, [&]<typename S, typename T, bool kUnitWeights>() {
    LaunchKind<S, T, kUnitWeights>(stage, tables, memory, stream);
  });
}

}  // namespace anydml::cuda
