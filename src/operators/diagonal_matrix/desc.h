// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What validated descriptions of DIAGONAL_MATRIX and DIAGONAL_MATRIX1 say.
#pragma once

#include "kernels/move/band_plan.h"
#include "operators/operator.h"

namespace anydml::diagonal_matrix {

struct Desc {
  TensorDesc input;  // optional
  TensorDesc output;
  Scalar value;
  move::Band band;
};

void Reference(const Desc& desc, const Bindings& bindings);

extern const Definition kDiagonalMatrix;
extern const Definition kDiagonalMatrix1;

}  // namespace anydml::diagonal_matrix
