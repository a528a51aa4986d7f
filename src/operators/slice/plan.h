// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of SLICE and SLICE1: a walk over the output, beside it a walk over the
// input that starts anywhere and goes in either direction. Of SLICE_GRAD: the axes of
// the output, each with the elements of the input that land on it. Knows nothing of
// threads.
#pragma once

#include "operators/slice/desc.h"
#include "tensor/placed_loop.h"
#include "tensor/strided_loop.h"

namespace anydml::slice {

struct Plan {
  uint32_t element_size;
  int64_t input_start;  // element offset of the first element to be copied
  StridedLoop<2> loop;  // input, output
  PlacedLoop rows;      // the same as elements that cover an output
};

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

using GradientPlan = PlacedLoop;

GradientPlan MakeGradientPlan(const Desc& desc);
std::string ExplainGradient(const GradientPlan& plan);

}  // namespace anydml::slice
