// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "element.h"
#include "model/print.h"

namespace anydml::tool {
namespace {

constexpr uint64_t kMaxRows = 16;
constexpr uint64_t kMaxColumns = 12;

using Lines = std::vector<std::string>;

// Title above, then one line per row, all of one width.
Lines Block(const Grid& grid) {
  const size_t width = std::ranges::max(grid.cells, {}, &std::string::size).size();
  Lines lines = {grid.title};
  for (size_t i = 0; i < grid.cells.size(); ++i) {
    if (i % grid.columns == 0) lines.emplace_back();
    lines.back() +=
        fmt::format("{}{:>{}}", i % grid.columns == 0 ? "" : "  ", grid.cells[i], width);
  }
  const size_t widest = std::ranges::max(lines, {}, &std::string::size).size();
  for (std::string& line : lines) line.resize(widest, ' ');
  return lines;
}

}  // namespace

Grid TensorGrid(std::string title, const TensorDesc& tensor, const uint8_t* data) {
  const uint64_t count = tensor.ElementCount();
  const uint64_t columns =
      tensor.dimension_count == 1 ? 1 : tensor.sizes[tensor.dimension_count - 1];
  const uint64_t rows = count / columns;
  const uint64_t shown_rows = std::min(rows, kMaxRows);
  const uint64_t shown_columns = std::min(columns, kMaxColumns);
  if (shown_rows < rows || shown_columns < columns) {
    title += fmt::format(" ({}x{} of {}x{})", shown_rows, shown_columns, rows, columns);
  }
  Grid grid = {std::move(title), shown_columns, {}};
  const uint32_t size = ElementSize(tensor.data_type);
  for (uint64_t r = 0; r < shown_rows; ++r) {
    for (uint64_t c = 0; c < shown_columns; ++c) {
      const uint8_t* element = data + OffsetOf(tensor, r * columns + c) * size;
      grid.cells.push_back(model::ElementText(tensor.data_type, element));
    }
  }
  return grid;
}

std::string SideBySide(const std::vector<Grid>& grids) {
  std::vector<Lines> blocks;
  size_t height = 0;
  for (const Grid& grid : grids) {
    blocks.push_back(Block(grid));
    height = std::max(height, blocks.back().size());
  }
  std::string text;
  for (size_t i = 0; i < height; ++i) {
    std::string line;
    for (const Lines& block : blocks) {
      line += "  " + (i < block.size() ? block[i] : std::string(block[0].size(), ' ')) + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace anydml::tool
