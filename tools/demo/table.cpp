// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "table.h"

#include <fmt/format.h>

#include <algorithm>

namespace anydml::demo {
namespace {

using Lines = std::vector<std::string>;

// Title above, then one line per row, all of one width.
Lines Block(const Matrix& matrix) {
  const size_t columns = matrix.values.size() / matrix.rows;
  size_t width = 1;
  for (float value : matrix.values) width = std::max(width, fmt::format("{}", value).size());
  Lines lines = {matrix.title};
  for (size_t r = 0; r < matrix.rows; ++r) {
    std::string line;
    for (size_t c = 0; c < columns; ++c) {
      line += fmt::format("{}{:>{}}", c == 0 ? "" : "  ", matrix.values[r * columns + c], width);
    }
    lines.push_back(line);
  }
  const size_t widest = std::ranges::max(lines, {}, &std::string::size).size();
  for (std::string& line : lines) line.resize(widest, ' ');
  return lines;
}

}  // namespace

std::string SideBySide(const std::vector<Matrix>& matrices) {
  std::vector<Lines> blocks;
  size_t height = 0;
  for (const Matrix& matrix : matrices) {
    blocks.push_back(Block(matrix));
    height = std::max(height, blocks.back().size());
  }
  std::string text;
  for (size_t i = 0; i < height; ++i) {
    std::string line = " ";
    for (const Lines& block : blocks) {
      const std::string blank(block[0].size(), ' ');
      line += "   " + (i < block.size() ? block[i] : blank);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace anydml::demo
