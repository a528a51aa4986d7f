// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the CPU decides: which side has the runs of the output, and the tiles. It is apart from
// products.cpp, which is compiled into the library of CUDA kernels too.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpu/executor.h"
#include "base/checked_math.h"
#include "kernels/matmul/products.h"

namespace anydml {
namespace {

// Multiples of what micro-kernels take: 6 and 8 rows, 16 and 48 columns.
constexpr uint64_t kRowUnit = 24;
constexpr uint64_t kColumnUnit = 48;

// Elements that follow one another in the output along the innermost axis with more than one.
uint64_t RunOf(const std::array<OutputAxis, kProductAxes>& axes, const Products::Order& order) {
  for (size_t i = kProductAxes; i-- > 0;) {
    const OutputAxis& axis = axes[order[i]];
    if (axis.size != 1) return axis.output == 1 ? axis.size : 1;
  }
  return 1;
}

uint64_t EvenTile(uint64_t count, uint64_t most, uint64_t unit) {
  const uint64_t tiles = CeilDivide(count, most);
  return CeilDivide(CeilDivide(count, tiles), unit) * unit;
}

ProductTiles ChooseTiles(uint64_t rows, uint64_t columns, uint64_t others, uint64_t depth,
                         bool is_matrix, uint64_t threads) {
  constexpr uint64_t kUsualRows = 384, kUsualColumns = 288;  // of a whole chain: 576 KB packed
  ProductTiles tiles;
  const uint64_t terms = std::min<uint64_t>(depth, kChain);
  // Of few rows, or few terms, more columns stay near; then packing the rows costs less.
  uint64_t most_rows = kMaxTileRows;
  const uint64_t by_terms = kUsualColumns * kChain / std::max<uint64_t>(terms, 1);
  const uint64_t by_rows = kUsualColumns * kUsualRows / EvenTile(rows, most_rows, kRowUnit);
  uint64_t most_columns = std::clamp(std::min(by_terms, by_rows), kUsualColumns, kMaxTileColumns) /
                          kColumnUnit * kColumnUnit;
  tiles.has_few_rows = is_matrix && rows <= kFewRows;
  if (tiles.has_few_rows) {  // their chains stay in the first cache
    most_columns = std::min(kMaxTileColumns, 4096 / rows / kColumnUnit * kColumnUnit);
  }
  for (;;) {
    tiles.rows = EvenTile(rows, most_rows, kRowUnit);
    tiles.columns = EvenTile(columns, most_columns, kColumnUnit);
    tiles.row_tiles = CeilDivide(rows, tiles.rows);
    tiles.column_tiles = CeilDivide(columns, tiles.columns);
    tiles.units = tiles.row_tiles * tiles.column_tiles * others;
    // Two or more units per thread even out a busy core.
    if (tiles.units >= 2 * threads) break;
    if (most_columns > 2 * kColumnUnit && tiles.columns > 2 * kColumnUnit) {
      most_columns = std::max(2 * kColumnUnit, (tiles.columns - 1) / kColumnUnit * kColumnUnit);
    } else if (most_rows > 2 * kRowUnit) {
      most_rows -= kRowUnit;
    } else {
      break;
    }
  }
  tiles.workers = std::min(threads, tiles.units);
  return tiles;
}

}  // namespace

void CompletePlan(ProductPlan& plan, int threads) {
  if (threads == 0) threads = cpu::AvailableCores();
  // Class 0 is the largest one along every axis.
  Products largest = plan.ClassOf(0);
  const OutputAxis& items = largest.columns[0];
  const OutputAxis& line = largest.columns[kProductAxes - 1];
  plan.products.items_last = items.size > 1 && items.operand == 1 && line.operand != 1;
  largest.items_last = plan.products.items_last;
  plan.exchanged =
      RunOf(largest.rows, largest.OrderOf(true)) > RunOf(largest.columns, largest.OrderOf(false));
  const uint64_t rows = largest.RowCount(), columns = largest.ColumnCount();
  // A matrix times few vectors.
  if (!plan.has_space && columns <= kFewRows && rows >= 8 * columns) plan.exchanged = true;
  plan.tiles = ChooseTiles(plan.exchanged ? columns : rows, plan.exchanged ? rows : columns,
                           largest.BatchCount() * plan.ClassCount(), plan.MaxDepth(),
                           !plan.has_space, static_cast<uint64_t>(threads));
}

std::string ExplainProducts(const ProductPlan& plan) {
  const Products products = plan.ClassOf(0);
  std::string text = fmt::format("{} x {} sums of {} products", products.RowCount(),
                                 products.ColumnCount(), products.Depth());
  const uint64_t chains = CeilDivide(products.Depth(), kChain);
  if (chains > 1) text += fmt::format(", in {} chains", chains);
  if (products.BatchCount() > 1) text += fmt::format(", {} times", products.BatchCount());
  if (plan.ClassCount() > 1) {
    text +=
        fmt::format("\n{} classes of output elements, each with the same taps", plan.ClassCount());
  }
  if (plan.exchanged) text += "\nrows and columns exchanged, so that the output is written in runs";
  return text;
}

}  // namespace anydml
