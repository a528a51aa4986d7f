// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Small tensors as tables side by side, columns aligned.
#pragma once

#include <string>
#include <vector>

#include "tensor/tensor_desc.h"

namespace anydml::tool {

struct Grid {
  std::string title;
  size_t columns = 1;
  std::vector<std::string> cells;  // row by row
};

// A vector becomes a column; of more dimensions than two, all but the last are
// rows. Large tensors are cut, which the title says.
Grid TensorGrid(std::string title, const TensorDesc& tensor, const uint8_t* data);

std::string SideBySide(const std::vector<Grid>& grids);

}  // namespace anydml::tool
