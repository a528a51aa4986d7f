// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace anydml::tool {

std::string AlignColumns(const std::vector<TextRow>& rows) {
  std::vector<size_t> widths;
  for (const TextRow& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const TextRow& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      line += fmt::format("{}{:<{}}", c == 0 ? "" : "  ", row[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string MarkdownTable(const std::vector<TextRow>& rows) {
  std::string text;
  for (size_t r = 0; r < rows.size(); ++r) {
    text += fmt::format("| {} |\n", fmt::join(rows[r], " | "));
    if (r == 0) {
      text += "|";
      for (size_t c = 0; c < rows[0].size(); ++c) text += "---|";
      text += "\n";
    }
  }
  return text;
}

}  // namespace anydml::tool
