// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Where the weights of arrows are written: beside their own curve, clear of all
// others.
#pragma once

#include <cstddef>
#include <vector>

namespace anydml::tool {

struct Point {
  double x = 0, y = 0;
};

// An arrow between two tensors: it leaves and arrives horizontally.
struct Curve {
  Point begin, end;
  Point At(double t) const;
};

struct Label {
  size_t curve = 0;  // beside which it belongs
  double width = 0;
  Point baseline;  // its middle: what PlaceLabels finds
};

void PlaceLabels(const std::vector<Curve>& curves, std::vector<Label>& labels);

}  // namespace anydml::tool
