// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plans of normalizations and their gradients.
//
// Parameters are arrays of float with one entry per set: the mean, the factor and what is added at
// the end. In a normalization by layers, where scale and bias differ inside of a set, these two are
// arrays of their own, the group, and the factor is calculated from a scale and a set's root.
#pragma once

#include "kernels/reduce/sets.h"

namespace anydml::reduce {

// Binding of an input that is absent.
inline constexpr int kAbsent = -1;

struct NormalizationPlan {
  DataType type;
  bool calculates;  // mean and variance, which are bound otherwise
  bool use_mean;
  bool use_variance;
  bool by_layers;
  bool writes_statistics;  // outputs 1 and 2
  float epsilon;
  int mean, variance, scale, bias, add;  // bindings
  uint64_t parameter_count;
  uint64_t group_count;

  // The input and the parameters.
  Sets<2> sets;
  Columns<2> columns;
  // The parameters; mean, variance, scale, bias; the two outputs of statistics.
  StridedLoop<7> parameters;
  // The group, scale, bias.
  StridedLoop<3> group;
  // The input, what is added, the parameters, the group, the output.
  StridedLoop<5> elements;
  // The same without what is added, by sets.
  Sets<4> rows;
};

struct NormalizationGradientPlan {
  DataType type;
  bool of_training;
  float epsilon;
  uint64_t parameter_count;

  // The input, its gradient and the parameters.
  Sets<3> sets;
  Columns<3> columns;
  // The parameters; mean, variance, scale; the gradients of scale and bias.
  StridedLoop<6> parameters;
  // The input, the gradients, the parameters, the output.
  StridedLoop<4> elements;
};

}  // namespace anydml::reduce
