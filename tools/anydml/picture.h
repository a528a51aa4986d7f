// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Small tensors as grids side by side, and arrows between two of them: an SVG
// for light and dark pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arrows.h"

namespace anydml::tool {

inline constexpr uint64_t kMaxDrawnRows = 16;
inline constexpr uint64_t kMaxDrawnColumns = 16;

// A vector is a column; of more dimensions than two, all but the last are rows,
// with a gap after every plane.
struct DrawnTensor {
  std::string name;
  std::vector<uint32_t> sizes;
  std::vector<std::string> cells;  // in logical order

  uint64_t columns() const { return sizes.size() == 1 ? 1 : sizes.back(); }
  uint64_t rows() const { return cells.size() / columns(); }
  uint64_t rows_per_plane() const { return sizes.size() == 1 ? sizes[0] : sizes[sizes.size() - 2]; }
};

struct Picture {
  std::string title;
  std::string settings;
  std::vector<DrawnTensor> tensors;  // from left to right
  size_t source = 0;                 // where the arrows start: index in `tensors`
  size_t target = 1;                 // where they end: right of the source
  std::vector<Arrow> arrows;
  bool taps = false;  // weights on the arrows, and what they reach in tensors of the target's sizes
  std::string caption;
};

std::string Svg(const Picture& picture);

// A page of this style, and of one of its own.
std::string SvgPage(std::string_view title, double width, double height, std::string_view style,
                    std::string_view body);
std::string EscapedXml(std::string_view text);

}  // namespace anydml::tool
