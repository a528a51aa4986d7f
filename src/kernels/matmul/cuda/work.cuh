// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A class of sums of products (products.h) as kernels are given it: axes in the order in which
// they are numbered, the last one fastest, and divisions by multiplications.
#pragma once

#include "backends/bindings.h"
#include "backends/cuda/launch.cuh"
#include "kernels/matmul/products.h"

namespace anydml::cuda {

// Rows before columns wherever there are two of something.
enum Side { kRows, kColumns, kSides };

struct Place {
  uint32_t at[kProductAxes];
};

struct Axes {
  Divider sizes[kProductAxes];

  __device__ Place PlaceOf(uint32_t number) const {
    Place place;
#pragma unroll
    for (int i = kProductAxes - 1; i > 0; --i) {
      place.at[i] = number;
      number = sizes[i].Split(place.at[i]);
    }
    place.at[0] = number;
    return place;
  }
};

// Modulo 2^64: what is computed of a place beyond the border is not read.
__device__ inline int64_t Along(const Place& place, const int64_t (&steps)[kProductAxes]) {
  int64_t offset = 0;
#pragma unroll
  for (int i = 0; i < kProductAxes; ++i) AddSteps(offset, place.at[i], steps[i]);
  return offset;
}

struct OutputAxes : Axes {
  uint32_t count = 0;
  uint32_t first_space = 0;  // of its four axes, with an image: behind the items or before them
  int64_t operand[kProductAxes];
  int64_t output[kProductAxes];
  int64_t addend[kProductAxes];
};

struct DepthAxes : Axes {
  uint32_t count = 0;
  int64_t steps[kSides][kProductAxes];
};

struct ClassWork {
  OutputAxes sides[kSides];
  DepthAxes depth;
  int64_t starts[kSides];
  int64_t output_start;
  Positions positions[kSpatialAxes];
};

struct BatchWork {
  Divider inner;  // batches of the second axis
  BatchAxis axes[kProductBatches];

  // Number of the batch -> steps of one kind.
  __device__ int64_t Along(uint32_t number, int64_t BatchAxis::*step) const {
    uint32_t place = number;
    const uint32_t outer = inner.Split(place);
    int64_t offset = 0;
    AddSteps(offset, outer, axes[0].*step);
    AddSteps(offset, place, axes[1].*step);
    return offset;
  }
};

// What follows the sum, with three roundings (B64) and that to the type of the tensor.
template <typename T>
struct Finish {
  const T* addend;  // null without
  float alpha, beta;

  __device__ T operator()(float sum, int64_t at) const {
    float value = __fmul_rn(alpha, sum);
    if (addend != nullptr) value = __fadd_rn(value, __fmul_rn(beta, Widen(addend[at])));
    return Narrow<T>(value);
  }
};

template <typename T>
struct Operands {
  const T* sides[kSides];
  T* output;
  Finish<T> finish;
};

template <typename T>
Operands<T> OperandsOf(const ProductPlan& plan, const Bindings& bindings) {
  Operands<T> operands;
  operands.sides[kRows] = bindings.Input<T>(plan.exchanged ? plan.columns_input : plan.rows_input);
  operands.sides[kColumns] =
      bindings.Input<T>(plan.exchanged ? plan.rows_input : plan.columns_input);
  operands.output = bindings.Output<T>(0);
  operands.finish = {plan.has_addend ? bindings.Input<T>(plan.addend_input) : nullptr, plan.alpha,
                     plan.beta};
  return operands;
}

inline OutputAxes OutputAxesOf(const Products& products, bool of_rows) {
  OutputAxes result;
  const auto& axes = of_rows ? products.rows : products.columns;
  const Products::Order order = products.OrderOf(of_rows);
  for (size_t i = 0; i < kProductAxes; ++i) {
    const OutputAxis& axis = axes[order[i]];
    result.sizes[i] = Divider(axis.size);
    result.operand[i] = axis.operand;
    result.output[i] = axis.output;
    result.addend[i] = axis.addend;
    if (order[i] == 1) result.first_space = static_cast<uint32_t>(i);
  }
  result.count = static_cast<uint32_t>(of_rows ? products.RowCount() : products.ColumnCount());
  return result;
}

inline ClassWork WorkOf(const Products& products) {
  ClassWork work;
  work.sides[kRows] = OutputAxesOf(products, true);
  work.sides[kColumns] = OutputAxesOf(products, false);
  for (size_t i = 0; i < kProductAxes; ++i) {
    const DepthAxis& axis = products.depth[i];
    work.depth.sizes[i] = Divider(axis.size == 0 ? 1 : axis.size);
    work.depth.steps[kRows][i] = axis.rows;
    work.depth.steps[kColumns][i] = axis.columns;
  }
  work.depth.count = static_cast<uint32_t>(products.Depth());
  work.starts[kRows] = products.rows_start;
  work.starts[kColumns] = products.columns_start;
  work.output_start = products.output_start;
  for (size_t i = 0; i < kSpatialAxes; ++i) work.positions[i] = products.positions[i];
  return work;
}

inline BatchWork BatchesOf(const Products& products) {
  BatchWork batches;
  batches.inner = Divider(products.batches[1].size);
  for (size_t i = 0; i < kProductBatches; ++i) batches.axes[i] = products.batches[i];
  return batches;
}

using FloatTypes = TypeList<float, Float16>;

}  // namespace anydml::cuda
