// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>

#include "backends/cuda/axis_sums_regular.cuh"

namespace anydml::cuda {
namespace {

constexpr uint64_t DivideUp(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// Rows at the border of two bands are summed twice, so a band has about as many
// source and target rows together as this, unless there would be too few threads.
uint64_t BandRows(const SumStage& stage, uint64_t packs) {
  static const char* text = getenv("ANYDML_BAND");
  static const uint64_t kRows = text ? atoi(text) : 24;
  constexpr uint64_t kEnoughThreads = uint64_t{1} << 17;
  uint64_t rows = kRows * stage.target_rows / (stage.target_rows + stage.source_rows);
  rows = std::min(rows, stage.target_rows * packs / kEnoughThreads);
  const uint64_t bands = DivideUp(stage.target_rows, std::max<uint64_t>(rows, 2));
  return DivideUp(stage.target_rows, bands);
}

template <int kRowTerms, typename S, typename T, TermPattern kPattern, int kSize>
void LaunchRows(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream) {
  constexpr WalkKind kKind =
      kPattern == TermPattern::kHalfAround ? WalkKind::kForward : WalkKind::kTransposed;
  RegularRows rows = {};
  rows.planes = StagePlanes(stage);
  rows.source_row = stage.source.row;
  rows.target_row = stage.target.row;
  rows.source_columns = static_cast<int>(stage.source_columns);
  rows.target_rows = static_cast<uint32_t>(stage.target_rows);
  const uint64_t packs = stage.target_columns / kSize;
  const uint64_t band_rows =
      kRowTerms == kWalk ? BandRows(stage, stage.PlaneCount() * packs) : uint64_t{1};
  const uint64_t bands = DivideUp(stage.target_rows, band_rows);
  rows.packs = Divider(packs);
  rows.bands = Divider(bands);
  rows.band_rows = static_cast<uint32_t>(band_rows);
  const uint64_t threads = stage.PlaneCount() * bands * packs;
  rows.threads = static_cast<uint32_t>(threads);
  if (stage.row_axis != kNoAxis) rows.row_axis = tables.axes[stage.row_axis];
  rows.terms = tables.patterns[stage.column_axis];
  SumRegularRows<kKind, kRowTerms, S, T, kPattern, kSize>
      <<<BlocksFor(threads, kRegularThreads), kRegularThreads, 0, stream>>>(
          rows, static_cast<const S*>(memory.source), static_cast<T*>(memory.target));
}

// Walks need the rows' own kind; single rows few enough terms.
template <typename S, typename T, TermPattern kPattern, int kSize>
bool LaunchSize(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream) {
  using enum TermPattern;
  constexpr bool kAround = PlacesOf(kPattern).begin != 0;
  if (stage.row_axis == kNoAxis) {
    LaunchRows<kSame, S, T, kPattern, kSize>(stage, tables, memory, stream);
  } else if constexpr (kAround) {
    if (stage.transposed == (kPattern == kHalfAround)) return false;
    LaunchRows<kWalk, S, T, kPattern, kSize>(stage, tables, memory, stream);
  } else {
    constexpr int kRowTerms = PlacesOf(kPattern).terms;
    if (tables.most_terms[stage.row_axis] > kRowTerms) return false;
    LaunchRows<kRowTerms, S, T, kPattern, kSize>(stage, tables, memory, stream);
  }
  return true;
}

// The first of the sizes whose packs are aligned.
template <typename S, typename T, TermPattern kPattern, int kSize, int... kSmaller>
bool LaunchAligned(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                   Stream stream) {
  using Sources = PackSources<S, kPattern, kSize>;
  if constexpr (Sources::kPossible) {
    const auto* source = static_cast<const S*>(memory.source);
    const auto* target = static_cast<const T*>(memory.target);
    if (stage.target_columns % kSize == 0 && IsAligned(source, Sources::kAlignment * sizeof(S)) &&
        stage.source.AreMultiplesOf(Sources::kAlignment) && IsAligned(target, kSize * sizeof(T)) &&
        stage.target.AreMultiplesOf(kSize)) {
      return LaunchSize<S, T, kPattern, kSize>(stage, tables, memory, stream);
    }
  }
  if constexpr (sizeof...(kSmaller) != 0) {
    return LaunchAligned<S, T, kPattern, kSmaller...>(stage, tables, memory, stream);
  } else {
    return false;
  }
}

template <TermPattern kPattern>
bool LaunchTypes(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                 Stream stream) {
  const bool narrow_source = stage.source_type == DataType::kFloat16;
  const bool narrow_target = stage.target_type == DataType::kFloat16;
  if (narrow_target && !narrow_source) return false;
  if (narrow_target) {
    return LaunchAligned<Float16, Float16, kPattern, 8, 4, 1>(stage, tables, memory, stream);
  }
  if (narrow_source) {
    return LaunchAligned<Float16, float, kPattern, 4, 1>(stage, tables, memory, stream);
  }
  return LaunchAligned<float, float, kPattern, 4, 1>(stage, tables, memory, stream);
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
