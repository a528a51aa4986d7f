// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums of products, one output element per thread, whatever the strides: columns are fastest, so
// that neighbours read and write side by side where an axis of the output does.
#include <array>

#include "kernels/matmul/cuda/strategies.h"
#include "kernels/matmul/cuda/work.cuh"

namespace anydml::cuda {
namespace {

// Total of the chains so far, and the chain in hand.
struct Chains {
  float total = 0, chain = 0;
  uint32_t left = kChain;

  __device__ void Add(float a, float b) {
    chain = __fmaf_rn(a, b, chain);
    if (--left != 0) return;
    total = __fadd_rn(total, chain);
    chain = 0;
    left = kChain;
  }
  __device__ float Sum() const { return left == kChain ? total : __fadd_rn(total, chain); }
};

// The terms of one element. `position` is where its first tap lies; an operand without image has
// sizes that nothing is beyond.
template <typename T>
__device__ float SumOfTerms(const ClassWork& work, const T* rows, const T* columns,
                            const int64_t (&position)[kSpatialAxes], int image) {
  const DepthAxes& depth = work.depth;
  if (depth.count == 0) return 0;
  const bool in_rows = image == kRows, in_columns = image == kColumns;
  uint32_t sizes[kProductAxes];
  for (int i = 0; i < kProductAxes; ++i) sizes[i] = depth.sizes[i].divisor();
  const auto inside = [&](int axis, uint32_t tap) {
    const Positions& p = work.positions[axis];
    const int64_t at = position[axis] + StepsOf(tap, p.tap_step);
    return image == kSides || (at >= 0 && at < p.size);
  };
  const int64_t row_step = depth.steps[kRows][3], column_step = depth.steps[kColumns][3];
  Chains chains;
  for (uint32_t c = 0; c < sizes[0]; ++c) {
    for (uint32_t z = 0; z < sizes[1]; ++z) {
      const bool z_inside = inside(0, z);
      for (uint32_t y = 0; y < sizes[2]; ++y) {
        const bool y_inside = z_inside && inside(1, y);
        const Place place = {{c, z, y, 0}};
        int64_t row = Along(place, depth.steps[kRows]);
        int64_t column = Along(place, depth.steps[kColumns]);
        for (uint32_t x = 0; x < sizes[3]; ++x) {
          const bool there = y_inside && inside(2, x);
          const float a = there || !in_rows ? Widen(rows[row]) : 0.0f;
          const float b = there || !in_columns ? Widen(columns[column]) : 0.0f;
          chains.Add(a, b);
          AddSteps(row, row_step, 1);
          AddSteps(column, column_step, 1);
        }
      }
    }
  }
  return chains.Sum();
}

struct Numbers {
  Divider rows, columns;
  uint64_t count;
};

template <typename T>
__global__ void SumElements(const __grid_constant__ ClassWork work,
                            const __grid_constant__ BatchWork batches, Operands<T> operands,
                            Numbers numbers, int image) {
  const uint64_t thread = ThreadNumber();
  if (thread >= numbers.count) return;
  auto column = static_cast<uint32_t>(thread);
  uint32_t row = numbers.columns.Split(column);
  const uint32_t batch = numbers.rows.Split(row);
  const Place at[kSides] = {work.sides[kRows].PlaceOf(row), work.sides[kColumns].PlaceOf(column)};
  int64_t from[kSides] = {work.starts[kRows] + batches.Along(batch, &BatchAxis::rows),
                          work.starts[kColumns] + batches.Along(batch, &BatchAxis::columns)};
  int64_t to = work.output_start + batches.Along(batch, &BatchAxis::output);
  int64_t add = batches.Along(batch, &BatchAxis::addend);
  int64_t position[kSpatialAxes] = {};
  for (int side = 0; side < kSides; ++side) {
    const OutputAxes& axes = work.sides[side];
    from[side] += Along(at[side], axes.operand);
    to += Along(at[side], axes.output);
    add += Along(at[side], axes.addend);
    if (side != image) continue;
    for (int i = 0; i < kSpatialAxes; ++i) {
      const uint32_t index = axes.first_space == 0 ? at[side].at[i] : at[side].at[i + 1];
      position[i] = work.positions[i].first + StepsOf(index, work.positions[i].index_step);
    }
  }
  const float sum = SumOfTerms(work, operands.sides[kRows] + from[kRows],
                               operands.sides[kColumns] + from[kColumns], position, image);
  operands.output[to] = operands.finish(sum, add);
}

// Sizes of all of the output of a convolution, and its strides.
struct PaddedOutput {
  Divider sizes[2 + kSpatialAxes];  // rows, items, space; groups are before them
  uint32_t outputs[kSpatialAxes];
  int64_t strides[3 + kSpatialAxes];
  int64_t addends[2];  // of groups and rows
  uint64_t count;
};

template <typename T>
__global__ void FillElements(PaddedOutput padded, Operands<T> operands) {
  const uint64_t thread = ThreadNumber();
  if (thread >= padded.count) return;
  auto rest = static_cast<uint32_t>(thread);
  uint32_t place[3 + kSpatialAxes];
  for (int i = 1 + kSpatialAxes; i >= 0; --i) {
    place[i + 1] = rest;
    rest = padded.sizes[i].Split(place[i + 1]);
  }
  place[0] = rest;
  bool has_terms = true;
  int64_t to = 0;
  for (int i = 0; i < 3 + int{kSpatialAxes}; ++i) to += place[i] * padded.strides[i];
  for (int i = 0; i < kSpatialAxes; ++i) {
    has_terms = has_terms && place[3 + i] < padded.outputs[i];
  }
  if (has_terms) return;
  operands.output[to] =
      operands.finish(0.0f, place[0] * padded.addends[0] + place[1] * padded.addends[1]);
}

template <typename T>
void RunClass(const ProductPlan& plan, const Products& products, const Bindings& bindings,
              Stream stream) {
  Numbers numbers;
  const uint64_t rows = products.RowCount(), columns = products.ColumnCount();
  numbers.count = products.BatchCount() * rows * columns;
  if (numbers.count == 0) return;
  numbers.rows = Divider(rows);
  numbers.columns = Divider(columns);
  const int image = !products.has_image ? kSides : products.image_in_rows ? kRows : kColumns;
  SumElements<T><<<BlocksFor(numbers.count), kThreadsPerBlock, 0, stream>>>(
      WorkOf(products), BatchesOf(products), OperandsOf<T>(plan, bindings), numbers, image);
}

}  // namespace

void FillOutputPadding(const ProductPlan& plan, const Bindings& bindings, Stream stream) {
  if (!plan.HasOutputPadding()) return;
  const Products& products = plan.products;
  const OutputAxis &rows = products.rows[0], &items = products.columns[0];
  const BatchAxis& groups = products.batches[0];
  PaddedOutput padded = {};
  padded.sizes[0] = Divider(rows.size);
  padded.sizes[1] = Divider(items.size);
  padded.strides[0] = groups.output;
  padded.strides[1] = rows.output;
  padded.strides[2] = items.output;
  padded.addends[0] = groups.addend;
  padded.addends[1] = rows.addend;
  padded.count = groups.size * rows.size * items.size;
  for (size_t i = 0; i < kSpatialAxes; ++i) {
    const uint64_t size = plan.space[i].outputs + plan.space[i].output_padding;
    padded.sizes[2 + i] = Divider(size);
    padded.outputs[i] = static_cast<uint32_t>(plan.space[i].outputs);
    padded.strides[3 + i] = plan.space[i].output_stride;
    padded.count *= size;
  }
  DispatchType(FloatTypes(), plan.data_type, [&]<typename T>() {
    FillElements<T><<<BlocksFor(padded.count), kThreadsPerBlock, 0, stream>>>(
        padded, OperandsOf<T>(plan, bindings));
  });
}

void RunStridedProducts(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                        Stream stream) {
  DispatchType(FloatTypes(), plan.data_type, [&]<typename T>() {
    for (uint64_t i = 0, classes = plan.ClassCount(); i < classes; ++i) {
      RunClass<T>(plan, plan.ClassOf(i), bindings, stream);
    }
  });
  FillOutputPadding(plan, bindings, stream);
}

}  // namespace anydml::cuda
