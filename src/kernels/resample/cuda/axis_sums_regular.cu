// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernels/resample/cuda/axis_sums_regular.cuh"

namespace anydml::cuda {
namespace {

constexpr uint64_t DivideUp(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// Blocks that the card runs at once.
template <class Kernel>
uint64_t ResidentBlocks(Kernel* kernel) {
  constexpr uint64_t kMultiprocessors = 132;  // about
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kRegularThreads, 0);
  return std::max(blocks, 1) * kMultiprocessors;
}

// Rows per thread: blocks should fill the card a whole number of times; about one
// row is summed twice at the border of two bands.
uint64_t BandRows(uint64_t rows, uint64_t threads_per_band, uint64_t resident) {
  constexpr uint64_t kMin = 3, kMax = 64;
  uint64_t best = std::min(rows, kMax), min_cost = ~uint64_t{0};
  for (uint64_t band = best; band >= kMin; --band) {
    const uint64_t threads = threads_per_band * DivideUp(rows, band);
    const uint64_t cost = DivideUp(DivideUp(threads, kRegularThreads), resident) * (band + 1);
    if (cost < min_cost) {
      min_cost = cost;
      best = band;
    }
  }
  return best;
}

template <RowKind kKind, typename S, typename T, TermPattern kPattern, int kSize>
void LaunchRows(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream) {
  const auto kernel = SumRegularRows<kKind, S, T, kPattern, kSize>;
  RegularRows rows = {};
  rows.planes = StagePlanes(stage);
  rows.source_row = stage.source.row;
  rows.target_row = stage.target.row;
  rows.source_rows = static_cast<uint32_t>(stage.source_rows);
  rows.target_rows = static_cast<uint32_t>(stage.target_rows);
  const uint64_t packs = stage.target_columns / kSize;
  uint64_t bands = stage.target_rows;
  if constexpr (kKind == RowKind::kGather) {
    static const uint64_t resident = ResidentBlocks(kernel);
    const uint64_t band_rows = BandRows(stage.target_rows, stage.PlaneCount() * packs, resident);
    rows.band_rows = static_cast<uint32_t>(band_rows);
    bands = DivideUp(stage.target_rows, band_rows);
  }
  rows.packs = Divider(packs);
  rows.bands = Divider(bands);
  const uint64_t threads = stage.PlaneCount() * bands * packs;
  rows.threads = static_cast<uint32_t>(threads);
  rows.columns = tables.patterns[stage.column_axis];
  if (stage.row_axis != kNoAxis) {
    rows.row_axis = tables.axes[stage.row_axis];
    rows.rows = tables.patterns[stage.row_axis];
  }
  kernel<<<BlocksFor(threads, kRegularThreads), kRegularThreads, 0, stream>>>(
      rows, static_cast<const S*>(memory.source), static_cast<T*>(memory.target));
}

template <typename S, typename T, TermPattern kPattern, int kSize>
bool IsAlignedFor(const SumStage& stage, const StageMemory& memory) {
  using Sources = PackSources<S, kPattern, kSize>;
  return stage.target_columns % kSize == 0 &&
         IsAligned(static_cast<const S*>(memory.source), Sources::kAlignment * sizeof(S)) &&
         stage.source.AreMultiplesOf(Sources::kAlignment) &&
         IsAligned(static_cast<const T*>(memory.target), kSize * sizeof(T)) &&
         stage.target.AreMultiplesOf(kSize);
}

// The first of the sizes whose packs are aligned.
template <RowKind kKind, typename S, typename T, TermPattern kPattern, int kSize, int... kSmaller>
bool LaunchAligned(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                   Stream stream) {
  if constexpr (PackSources<S, kPattern, kSize>::kPossible) {
    if (IsAlignedFor<S, T, kPattern, kSize>(stage, memory)) {
      LaunchRows<kKind, S, T, kPattern, kSize>(stage, tables, memory, stream);
      return true;
    }
  }
  if constexpr (sizeof...(kSmaller) != 0) {
    return LaunchAligned<kKind, S, T, kPattern, kSmaller...>(stage, tables, memory, stream);
  } else {
    return false;
  }
}

// A thread stores 16 bytes, or less where rows are not aligned. In a band it loads
// as much of a row, so that a warp's loads lie side by side.
template <RowKind kKind, typename S, typename T, TermPattern kPattern>
bool LaunchSizes(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                 Stream stream) {
  constexpr int kSize =
      kKind == RowKind::kGather ? 16 / sizeof(S) / PlacesOf(kPattern).sources : 16 / sizeof(T);
  // More is written than read, or rows are short: then only whole packs pay.
  const bool whole =
      PlacesOf(kPattern).targets > 1 || (kKind == RowKind::kGather && stage.target_columns < 32);
  if (whole) {
    return LaunchAligned<kKind, S, T, kPattern, kSize>(stage, tables, memory, stream);
  }
  if constexpr (kKind == RowKind::kGather) {
    return LaunchAligned<kKind, S, T, kPattern, kSize, std::max(1, kSize / 2)>(stage, tables,
                                                                               memory, stream);
  } else {
    return LaunchAligned<kKind, S, T, kPattern, kSize, kSize / 2, kSize / 4>(stage, tables, memory,
                                                                             stream);
  }
}

// Rows that are shared must have the pattern of the columns; others few terms.
// Forward linear sampling along both axes is faster through shared memory.
template <TermPattern kPattern, typename S, typename T>
bool LaunchKind(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream) {
  constexpr TermPlaces kPlaces = PlacesOf(kPattern);
  if (stage.row_axis == kNoAxis) {
    return LaunchSizes<RowKind::kSame, S, T, kPattern>(stage, tables, memory, stream);
  }
  if constexpr (kPlaces.begin == 0) {
    if (tables.max_terms[stage.row_axis] > kPlaces.terms) return false;
    return LaunchSizes<RowKind::kFew, S, T, kPattern>(stage, tables, memory, stream);
  } else if constexpr (kPlaces.targets > 1) {
    return false;
  } else {
    if (tables.patterns[stage.row_axis].pattern != kPattern) return false;
    return LaunchSizes<RowKind::kGather, S, T, kPattern>(stage, tables, memory, stream);
  }
}

template <TermPattern kPattern>
bool LaunchTypes(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                 Stream stream) {
  const bool narrow_source = stage.source_type == DataType::kFloat16;
  const bool narrow_target = stage.target_type == DataType::kFloat16;
  if (!narrow_source && !narrow_target) {
    return LaunchKind<kPattern, float, float>(stage, tables, memory, stream);
  }
  if (!narrow_source) return false;
  if (narrow_target) {
    return LaunchKind<kPattern, Float16, Float16>(stage, tables, memory, stream);
  }
  return LaunchKind<kPattern, Float16, float>(stage, tables, memory, stream);
}

}  // namespace

bool SumRegular(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream) {
  using enum TermPattern;
  switch (tables.patterns[stage.column_axis].pattern) {
    case kPairs:
      return LaunchTypes<kPairs>(stage, tables, memory, stream);
    case kPairsAround:
      return LaunchTypes<kPairsAround>(stage, tables, memory, stream);
    case kFours:
      return LaunchTypes<kFours>(stage, tables, memory, stream);
    case kFoursAround:
      return LaunchTypes<kFoursAround>(stage, tables, memory, stream);
    case kHalf:
      return LaunchTypes<kHalf>(stage, tables, memory, stream);
    case kHalfAround:
      return LaunchTypes<kHalfAround>(stage, tables, memory, stream);
    default:
      return false;
  }
}

}  // namespace anydml::cuda
