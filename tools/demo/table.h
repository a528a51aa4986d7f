// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Small matrices side by side, with titles, columns aligned.
#pragma once

#include <string>
#include <vector>

namespace anydml::demo {

struct Matrix {
  std::string title;
  size_t rows;
  std::vector<float> values;  // row by row
};

// One text block; columns as wide as their widest number.
std::string SideBySide(const std::vector<Matrix>& matrices);

}  // namespace anydml::demo
