// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/resample/cuda/plane_tiles.h"

#include <algorithm>

namespace anydml::cuda {
namespace {

constexpr uint64_t kMaxThreads = 256;
constexpr uint64_t kEnoughTiles = 4 * 132;  // a card has about as many multiprocessors

constexpr uint64_t DivideUp(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// The most sources that `step` targets side by side need, starting at multiples
// of it. Without ranges every target needs its own source.
uint64_t MostSources(const std::vector<SourceRange>* ranges, uint64_t targets, uint64_t step) {
  if (ranges == nullptr) return std::min(targets, step);
  uint64_t most = 0;
  for (uint64_t begin = 0; begin < targets; begin += step) {
    const uint64_t end = std::min(begin + step, targets);
    most = std::max<uint64_t>(most, (*ranges)[end - 1].end - (*ranges)[begin].begin);
  }
  return most;
}

class Chooser {
 public:
  Chooser(const SumStage& stage, const AxisSumsOnDevice& tables, uint64_t columns_per_thread,
          bool source_is_aligned)
      : stage_(stage),
        columns_per_thread_(columns_per_thread),
        source_size_(ElementSize(stage.source_type)),
        target_size_(ElementSize(stage.target_type)),
        source_is_aligned_(source_is_aligned),
        column_ranges_(&tables.ranges[stage.column_axis]) {
    if (stage.row_axis != kNoAxis) row_ranges_ = &tables.ranges[stage.row_axis];
  }

  PlaneTileSizes Choose() {
    const uint64_t max_columns = kMaxThreads * columns_per_thread_;
    if (stage_.target_columns <= max_columns && (SourceHasPackedRows() || HasAlignedRows())) {
      SetColumns(1, /*whole_rows=*/true);
      if (ChooseRows()) return sizes_;
    }
    for (uint64_t count = DivideUp(stage_.target_columns, max_columns);; count *= 2) {
      SetColumns(count, /*whole_rows=*/false);
      if (ChooseRows() || sizes_.tile_columns == 1) return sizes_;
    }
  }

 private:
  // Tiles begin at multiples of 16 bytes where rows do.
  void SetColumns(uint64_t count, bool whole_rows) {
    uint64_t columns = DivideUp(stage_.target_columns, count);
    if (count > 1 && columns > 8) columns = DivideUp(columns, 8) * 8;
    sizes_.tile_columns = columns;
    sizes_.column_tiles = DivideUp(stage_.target_columns, columns);
    sizes_.lanes = DivideUp(columns, columns_per_thread_);
    sizes_.whole_rows = whole_rows;
    sizes_.gaps = whole_rows && !SourceHasPackedRows();
    sizes_.source_pitch = stage_.source_columns;
    if (sizes_.gaps) sizes_.source_pitch = DivideUp(stage_.source_columns, PackSize()) * PackSize();
    sizes_.staged = whole_rows && !HasSlices() && MixesLines() && TargetHasPackedRows();
    if (!whole_rows) {
      const uint64_t most = MostSources(column_ranges_, stage_.target_columns, columns);
      sizes_.source_pitch = PitchOf(most, source_size_);
    }
  }

  // Room for any distance from a multiple of 16 bytes.
  static uint64_t PitchOf(uint64_t elements, uint64_t element_size) {
    return (DivideUp(elements * element_size, 16) + 1) * 16 / element_size;
  }
  // The same; and for elements that are loaded and not used.
  static uint64_t PartBytes(uint64_t rows, uint64_t pitch, uint64_t element_size) {
    return DivideUp(rows * pitch * element_size, 16) * 16 + 64;
  }

  // Rows share lines of 32 bytes, which several threads would write in parts; only
  // worth its price where most of the memory is written.
  bool MixesLines() const {
    return stage_.target_columns * target_size_ % 32 != 0 &&
           stage_.target_columns > stage_.source_columns;
  }

  bool HasSlices() const { return stage_.slice_axis != kNoAxis; }

  uint64_t PackSize() const { return 16 / source_size_; }
  bool HasAlignedRows() const {
    return source_is_aligned_ && !HasSlices() &&
           stage_.source.AreMultiplesOf(static_cast<int64_t>(PackSize()));
  }
  // Rows without gaps.
  bool SourceHasPackedRows() const {
    return stage_.source.row == static_cast<int64_t>(stage_.source_columns);
  }
  bool TargetHasPackedRows() const {
    return stage_.target.row == static_cast<int64_t>(stage_.target_columns);
  }
  // Planes without gaps, one behind the other.
  bool HasPackedPlanes() const {
    const auto follows = [](int64_t stride, uint64_t rows, uint64_t columns) {
      return stride == static_cast<int64_t>(rows * columns);
    };
    return SourceHasPackedRows() && TargetHasPackedRows() && stage_.batches == 1 &&
           follows(stage_.source.channel, stage_.source_rows, stage_.source_columns) &&
           follows(stage_.target.channel, stage_.target_rows, stage_.target_columns);
  }

  // Rows at the border of two bands are summed twice; so a band has about as
  // many target and source rows together as this.
  uint64_t LeastBandRows() const {
    constexpr uint64_t kMinRows = 16;
    return std::max<uint64_t>(
        1, kMinRows * stage_.target_rows / (stage_.target_rows + stage_.source_rows));
  }

  // Some whole planes where they are small, else as few parts of one as fit.
  bool ChooseRows() {
    const uint64_t strips = std::max<uint64_t>(1, kMaxThreads / sizes_.lanes);
    const uint64_t least = LeastBandRows();
    uint64_t bands = std::clamp<uint64_t>(stage_.target_rows / least, 1, strips);
    const uint64_t max_planes = std::max<uint64_t>(1, stage_.PlaneCount() / kEnoughTiles);
    const bool may_share = sizes_.whole_rows && !HasSlices() && HasPackedPlanes();
    uint64_t planes = may_share ? std::min(max_planes, strips / bands) : 1;
    for (; planes > 1; --planes) {
      SetRows(planes, bands, DivideUp(stage_.target_rows, bands));
      if (sizes_.shared_bytes <= kPlaneTileBytes) return true;
    }
    for (uint64_t tiles = 1;; tiles += DivideUp(tiles, 8)) {
      const uint64_t rows = DivideUp(stage_.target_rows, tiles);
      bands = std::clamp<uint64_t>(rows / least, 1, strips);
      SetRows(1, bands, DivideUp(rows, bands));
      if (HasSlices() && sizes_.band_rows > kMaxVolumeBandRows) continue;
      const bool fits = sizes_.shared_bytes <= kPlaneTileBytes;
      const bool enough =
          stage_.PlaneCount() * sizes_.column_tiles * sizes_.row_tiles >= kEnoughTiles;
      if (fits && (enough || rows <= least)) return true;
      if (rows == 1) return fits;
    }
  }

  void SetRows(uint64_t planes, uint64_t bands, uint64_t rows) {
    sizes_.planes_per_tile = planes;
    sizes_.bands = bands;
    sizes_.band_rows = rows;
    sizes_.row_tiles = DivideUp(stage_.target_rows, bands * rows);
    const uint64_t targets = planes * std::min(bands * rows, stage_.target_rows);
    const uint64_t sources = planes > 1 ? planes * stage_.source_rows
                                        : MostSources(row_ranges_, stage_.target_rows, targets);
    sizes_.target_offset = sizes_.shared_bytes =
        PartBytes(sources, sizes_.source_pitch, source_size_);
    if (sizes_.staged)
      sizes_.shared_bytes += PartBytes(targets, stage_.target_columns, target_size_);
  }

  const SumStage& stage_;
  const uint64_t columns_per_thread_;
  const uint64_t source_size_, target_size_;
  const bool source_is_aligned_;
  const std::vector<SourceRange>* row_ranges_ = nullptr;
  const std::vector<SourceRange>* column_ranges_;
  PlaneTileSizes sizes_;
};

}  // namespace

PlaneTileSizes ChoosePlaneTiles(const SumStage& stage, const AxisSumsOnDevice& tables,
                                uint32_t columns_per_thread, bool source_is_aligned) {
  PlaneTileSizes sizes = Chooser(stage, tables, columns_per_thread, source_is_aligned).Choose();
  const uint64_t tiles = stage.PlaneCount() * sizes.row_tiles * sizes.column_tiles;
  const uint64_t slice_tiles =
      std::clamp<uint64_t>(kEnoughTiles / tiles, 1, DivideUp(stage.target_slices, 4));
  sizes.tile_slices = DivideUp(stage.target_slices, slice_tiles);
  return sizes;
}

}  // namespace anydml::cuda
