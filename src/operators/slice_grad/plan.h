// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of SLICE_GRAD: the axes of the output gradient, each with the elements of
// the input gradient that land on it. Knows nothing of threads or vectors.
#pragma once

#include "operators/slice_grad/desc.h"
#include "tensor/placed_loop.h"

namespace anydml::slice_grad {

using Axis = PlacedAxis;
using Plan = PlacedLoop;

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::slice_grad
