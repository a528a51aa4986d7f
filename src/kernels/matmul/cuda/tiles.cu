// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Which tiles a plan is cut into, and the sum of split chains.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/checked_math.h"
#include "kernels/matmul/cuda/tiles.h"

namespace anydml::cuda {
namespace {

constexpr uint64_t kProcessors = 132;  // a card has about as many
constexpr uint64_t kMostClasses = 64;
constexpr uint64_t kMostTiles = 0x7FFFFFFF;
constexpr uint64_t kPartialBytes = uint64_t{64} << 20;
constexpr uint64_t kMostAtOnce = 65535;  // blocks along y
constexpr uint64_t kFewTerms = 128;

uint64_t TilesOf(const Products& products, const TileShape& shape) {
  const uint64_t rows = CeilDivide(products.RowCount(), shape.rows);
  return rows * CeilDivide(products.ColumnCount(), shape.columns) * products.BatchCount();
}

// Cycles of the device that `blocks` blocks of a shape are expected to take.
double CyclesOf(const TileShape& shape, uint64_t blocks, uint64_t terms) {
  constexpr double kProductsPerCycle = 128;
  constexpr double kWarpsWanted = 12;  // of a multiprocessor, to reach the rate
  const auto on_each = static_cast<double>(CeilDivide(blocks, kProcessors));
  const double busy = std::min(1.0, on_each * shape.threads / 32 / kWarpsWanted);
  return on_each * static_cast<double>(shape.sums() * terms) /
         (kProductsPerCycle * shape.rate * busy);
}

// What splitting adds: partial sums written and read, and another launch.
double CyclesOfPartials(const TileChoice& choice) {
  constexpr double kBytesPerCycle = 1600, kLaunch = 6000;
  const uint64_t sums = choice.PartialSums() * choice.chains;
  const uint64_t launches = CeilDivide(choice.chains, choice.at_once);
  return static_cast<double>(2 * sizeof(float) * sums) / kBytesPerCycle +
         kLaunch * static_cast<double>(launches);
}

// Sets `chains` and `at_once` where that saves time; returns the cycles.
double TrySplit(const ProductPlan& plan, TileChoice& choice) {
  const uint64_t depth = plan.MaxDepth();
  const double whole = CyclesOf(choice.shape(), choice.tiles, depth);
  const uint64_t bytes = choice.PartialSums() * sizeof(float);
  if (plan.ClassCount() != 1 || depth <= kChain || bytes > kPartialBytes / 3) return whole;
  TileChoice split = choice;
  const uint64_t chains = CeilDivide(depth, kChain);
  const uint64_t room = std::min(kPartialBytes / bytes, kMostAtOnce);
  split.chains = static_cast<uint32_t>(chains);
  split.at_once = static_cast<uint32_t>(chains <= room ? chains : room - 1);
  const double cycles = CyclesOf(split.shape(), split.tiles * split.at_once, kChain) *
                            (static_cast<double>(chains) / static_cast<double>(split.at_once)) +
                        CyclesOfPartials(split);
  if (cycles >= whole) return whole;
  choice = split;
  return cycles;
}

TileChoice ChooseTiles(const ProductPlan& plan, TileSize wanted) {
  TileChoice best;
  double least = HUGE_VAL;
  for (size_t i = 0; i < std::size(kTileShapes); ++i) {
    TileChoice choice;
    choice.size = static_cast<TileSize>(i);
    if (wanted != TileSize::kBest && wanted != choice.size) continue;
    for (uint64_t c = 0, classes = plan.ClassCount(); c < classes; ++c) {
      choice.tiles += TilesOf(plan.ClassOf(c), choice.shape());
    }
    const double cycles = TrySplit(plan, choice);
    if (cycles >= least) continue;
    least = cycles;
    best = choice;
  }
  return best;
}

bool HasBorder(const Products& products) {
  if (!products.has_image || products.Depth() == 0) return false;
  const auto& indices = products.image_in_rows ? products.rows : products.columns;
  for (size_t i = 0; i < kSpatialAxes; ++i) {
    const Positions& p = products.positions[i];
    const int64_t last = p.first + static_cast<int64_t>(indices[1 + i].size - 1) * p.index_step +
                         static_cast<int64_t>(products.depth[1 + i].size - 1) * p.tap_step;
    if (p.first < 0 || last >= p.size) return true;
  }
  return false;
}

bool IsMultiple(int64_t step) { return step % 4 == 0; }

// Whether four indices that follow a multiple of four lie side by side and begin at a multiple of
// four elements, if batches, terms and the other side do, too.
bool HasQuads(const Products& products, bool of_rows, int64_t OutputAxis::*step) {
  const auto& axes = of_rows ? products.rows : products.columns;
  const Products::Order order = products.OrderOf(of_rows);
  uint64_t run = 1;
  bool in_run = true;
  for (size_t i = kProductAxes; i-- > 0;) {
    const OutputAxis& axis = axes[order[i]];
    if (axis.size == 1) continue;
    in_run = in_run && axis.*step == static_cast<int64_t>(run);
    if (in_run) {
      run *= axis.size;
    } else if (!IsMultiple(axis.*step)) {
      return false;
    }
  }
  return run % 4 == 0;
}

bool HasBatchesOfQuads(const Products& products, int64_t BatchAxis::*step) {
  return std::all_of(products.batches.begin(), products.batches.end(), [&](const BatchAxis& axis) {
    return axis.size == 1 || IsMultiple(axis.*step);
  });
}

bool HasOperandQuads(const Products& products, bool of_rows) {
  for (const DepthAxis& axis : products.depth) {
    if (axis.size > 1 && !IsMultiple(of_rows ? axis.rows : axis.columns)) return false;
  }
  return HasQuads(products, of_rows, &OutputAxis::operand) &&
         IsMultiple(of_rows ? products.rows_start : products.columns_start) &&
         HasBatchesOfQuads(products, of_rows ? &BatchAxis::rows : &BatchAxis::columns);
}

// The same of four terms.
bool HasTermQuads(const Products& products, bool of_rows) {
  uint64_t run = 1;
  bool in_run = true;
  for (size_t i = kProductAxes; i-- > 0;) {
    const DepthAxis& axis = products.depth[i];
    if (axis.size == 1) continue;
    const int64_t step = of_rows ? axis.rows : axis.columns;
    in_run = in_run && step == static_cast<int64_t>(run);
    if (in_run) {
      run *= axis.size;
    } else if (!IsMultiple(step)) {
      return false;
    }
  }
  for (const OutputAxis& axis : of_rows ? products.rows : products.columns) {
    if (axis.size > 1 && !IsMultiple(axis.operand)) return false;
  }
  return run % 4 == 0 && IsMultiple(of_rows ? products.rows_start : products.columns_start) &&
         HasBatchesOfQuads(products, of_rows ? &BatchAxis::rows : &BatchAxis::columns);
}

bool HasOutputQuads(const Products& products) {
  for (const OutputAxis& axis : products.rows) {
    if (axis.size > 1 && !IsMultiple(axis.output)) return false;
  }
  return HasQuads(products, false, &OutputAxis::output) && IsMultiple(products.output_start) &&
         HasBatchesOfQuads(products, &BatchAxis::output);
}

// Elements that lie side by side, along the indices or the terms.
struct Run {
  uint64_t step = 0;
  uint64_t size = 1;

  void Take(uint64_t axis_size, int64_t axis_step) {
    if (axis_size > 1 && size == 1) *this = {static_cast<uint64_t>(std::abs(axis_step)), axis_size};
  }
  uint64_t Neighbours() const { return step == 1 ? std::min<uint64_t>(size, 32) : 1; }
};

Reach ReachOf(const Products& products, const TileShape& shape, bool of_rows, bool bordered,
              bool aligned) {
  if (!bordered && aligned && HasOperandQuads(products, of_rows)) return Reach::kPacks;
  if (PacksTerms(shape.rows, shape.columns) && !bordered && aligned &&
      HasTermQuads(products, of_rows)) {
    return Reach::kTermPacks;
  }
  const auto& axes = of_rows ? products.rows : products.columns;
  const Products::Order order = products.OrderOf(of_rows);
  Run indices, terms;
  for (size_t i = kProductAxes; i-- > 0;) {
    indices.Take(axes[order[i]].size, axes[order[i]].operand);
    const DepthAxis& axis = products.depth[i];
    terms.Take(axis.size, of_rows ? axis.rows : axis.columns);
  }
  return terms.Neighbours() > indices.Neighbours() ? Reach::kTerms : Reach::kIndices;
}

template <typename T>
TileClass MakeClass(const Products& products, const TileShape& shape, const Operands<T>& operands) {
  TileClass made;
  made.work = WorkOf(products);
  made.row_tiles = Divider(CeilDivide(products.RowCount(), shape.rows));
  made.column_tiles = Divider(CeilDivide(products.ColumnCount(), shape.columns));
  if (HasBorder(products)) made.bordered = products.image_in_rows ? kRows : kColumns;
  const Positions& volume = products.positions[0];
  made.has_volume = volume.size > 1 || volume.first != 0 || products.depth[1].size > 1 ||
                    (products.image_in_rows ? products.rows : products.columns)[1].size > 1;
  for (int side = 0; side < kSides; ++side) {
    const bool aligned = IsAligned(operands.sides[side], 4 * sizeof(T));
    made.reaches[side] = ReachOf(products, shape, side == kRows, made.bordered == side, aligned);
  }
  made.packed_output = HasOutputQuads(products) && IsAligned(operands.output, 4 * sizeof(T));
  return made;
}

// Adds the chains of split sums to the total, in ascending order, and finishes after the last.
struct SplitSums {
  const float* partials;
  float* totals;  // null where all chains are there at once
  uint64_t sums;  // of all tiles
  uint32_t chains;
  uint32_t tile_rows, tile_columns;
  bool first, last;
};

template <typename T>
__global__ void AddChains(const __grid_constant__ TileClass in,
                          const __grid_constant__ BatchWork batches, Operands<T> operands,
                          SplitSums split) {
  const uint64_t thread = ThreadNumber();
  if (thread >= split.sums) return;
  const uint32_t of_tile = split.tile_rows * split.tile_columns;  // both powers of two
  auto row_tile = static_cast<uint32_t>(thread / of_tile);
  const auto place = static_cast<uint32_t>(thread % of_tile);
  uint32_t column_tile = in.row_tiles.Split(row_tile);
  const uint32_t batch = in.column_tiles.Split(column_tile);
  const uint32_t row = row_tile * split.tile_rows + place / split.tile_columns;
  const uint32_t column = column_tile * split.tile_columns + place % split.tile_columns;
  const OutputAxes &rows = in.work.sides[kRows], &columns = in.work.sides[kColumns];
  if (row >= rows.count || column >= columns.count) return;
  float total = split.first ? 0.0f : split.totals[thread];
  const float* chain = split.partials + thread;
#pragma unroll 8
  for (uint32_t i = 0; i < split.chains; ++i, chain += split.sums) {
    total = __fadd_rn(total, *chain);
  }
  if (!split.last) {
    split.totals[thread] = total;
    return;
  }
  const Place row_place = rows.PlaceOf(row), column_place = columns.PlaceOf(column);
  const int64_t to = in.work.output_start + batches.Along(batch, &BatchAxis::output) +
                     Along(row_place, rows.output) + Along(column_place, columns.output);
  const int64_t add = batches.Along(batch, &BatchAxis::addend) + Along(row_place, rows.addend) +
                      Along(column_place, columns.addend);
  operands.output[to] = operands.finish(total, add);
}

template <typename T>
void RunSplit(const TileChoice& choice, TileLaunch& launch, const Operands<T>& operands,
              float* temporary, Stream stream) {
  const TileShape& shape = choice.shape();
  launch.partials = temporary;
  SplitSums split = {};
  split.partials = temporary;
  split.sums = choice.PartialSums();
  split.totals = temporary + choice.at_once * split.sums;
  split.tile_rows = shape.rows;
  split.tile_columns = shape.columns;
  for (uint32_t first = 0; first < choice.chains; first += choice.at_once) {
    split.chains = std::min(choice.at_once, choice.chains - first);
    split.first = first == 0;
    split.last = first + split.chains == choice.chains;
    launch.first_chain = first;
    LaunchTiles(choice.size, launch, operands, split.chains, stream);
    AddChains<T><<<BlocksFor(split.sums), kThreadsPerBlock, 0, stream>>>(
        launch.classes[0], launch.batches, operands, split);
  }
}

template <typename T>
void Run(const ProductPlan& plan, TileSize wanted, const Bindings& bindings, Stream stream) {
  const TileChoice choice = ChooseTiles(plan, wanted);
  const auto operands = OperandsOf<T>(plan, bindings);
  TileLaunch launch;
  for (uint64_t i = 0, classes = plan.ClassCount(); i < classes; ++i) {
    const Products products = plan.ClassOf(i);
    const uint64_t tiles = TilesOf(products, choice.shape());
    if (launch.class_count == 0) launch.batches = BatchesOf(products);
    if (tiles != 0) {
      TileClass& made = launch.classes[launch.class_count++];
      made = MakeClass(products, choice.shape(), operands);
      made.first_tile = launch.tiles;
      launch.tiles += static_cast<uint32_t>(tiles);
    }
    if (launch.class_count == 0 || (launch.class_count < kLaunchedClasses && i + 1 < classes)) {
      continue;
    }
    if (choice.chains != 0) {
      RunSplit(choice, launch, operands, bindings.Temporary<float>(), stream);
    } else {
      LaunchTiles(choice.size, launch, operands, 1, stream);
    }
    launch = {};
  }
}

}  // namespace

bool HasSmallPositions(const ProductPlan& plan) {
  return std::all_of(plan.space.begin(), plan.space.end(), [](const SpatialAxis& axis) {
    const auto end = [](uint64_t count, uint64_t step) {
      return static_cast<double>(count) * static_cast<double>(step);
    };
    return end(axis.outputs, axis.stride) + end(axis.window, axis.dilation) +
               static_cast<double>(axis.start_padding) + static_cast<double>(axis.size) <
           1 << 30;
  });
}

template <TileSize kSize>
Refusal AcceptsTiles(const ProductPlan& plan) {
  if (plan.ClassCount() > kMostClasses) return {"there are more than 64 classes of elements"};
  if (!HasSmallPositions(plan)) return {"a window reaches farther than 2^30 elements"};
  const uint64_t depth = plan.MaxDepth();
  if (depth > kMostTiles) return {"there are 2^31 terms or more"};
  const Products largest = plan.ClassOf(0);
  if (std::min(largest.RowCount(), largest.ColumnCount()) == 1 && depth <= kFewTerms) {
    return {"there is one row, or column, of few terms"};
  }
  if (ChooseTiles(plan, kSize).tiles > kMostTiles) return {"there are 2^31 tiles or more"};
  return kAccepted;
}

template <TileSize kSize>
uint64_t TilesBytes(const ProductPlan& plan) {
  return ChooseTiles(plan, kSize).TemporaryBytes();
}

template <TileSize kSize>
void RunTiles(const ProductPlan& plan, const NoTables&, const Bindings& bindings, Stream stream) {
  DispatchType(FloatTypes(), plan.data_type,
               [&]<typename T>() { Run<T>(plan, kSize, bindings, stream); });
  FillOutputPadding(plan, bindings, stream);
}

template <TileSize kSize>
struct Instances {
  static constexpr auto kAccepts = AcceptsTiles<kSize>;
  static constexpr auto kBytes = TilesBytes<kSize>;
  static constexpr auto kRun = RunTiles<kSize>;
};
template struct Instances<TileSize::k128x128>;
template struct Instances<TileSize::k64x128>;
template struct Instances<TileSize::k64x64>;
template struct Instances<TileSize::k32x32>;
template struct Instances<TileSize::kBest>;

}  // namespace anydml::cuda
