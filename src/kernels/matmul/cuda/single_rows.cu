// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Convolutions with one row of sums per group, in one chain: a thread takes an element of the
// filter to the sums of four lines of the image, or of one. Neighbours are columns, or groups
// where those lie side by side.
#include "kernels/matmul/cuda/strategies.h"
#include "kernels/matmul/cuda/work.cuh"

namespace anydml::cuda {
namespace {

constexpr uint32_t kLines = 4;

struct Steps {
  int64_t group, item, space[kSpatialAxes];
};

struct SingleRows {
  Divider groups, items, planes, blocks, columns;  // blocks of lines
  bool groups_last;                                // they are the fastest
  uint32_t lines;
  uint32_t taps[kProductAxes];
  int64_t filter_taps[kProductAxes], image_taps[kProductAxes];
  Steps image, output;
  int64_t filter_group, addend_group;
  int64_t filter_start, image_start, output_start;
  Positions positions[kSpatialAxes];
  uint64_t count;  // of threads
};

struct Column {
  uint32_t group, item, plane, line, column;
};

__device__ Column ColumnOf(const SingleRows& work, uint32_t thread, uint32_t lines) {
  Column at;
  at.group = thread;
  if (work.groups_last) thread = work.groups.Split(at.group);
  at.column = thread;
  thread = work.columns.Split(at.column);
  at.line = thread;
  thread = work.blocks.Split(at.line);
  at.line *= lines;
  at.plane = thread;
  thread = work.planes.Split(at.plane);
  at.item = thread;
  thread = work.items.Split(at.item);
  if (!work.groups_last) at.group = thread;
  return at;
}

__device__ int64_t OffsetOf(const Column& at, const Steps& steps) {
  int64_t offset = StepsOf(at.group, steps.group);
  AddSteps(offset, at.item, steps.item);
  AddSteps(offset, at.plane, steps.space[0]);
  AddSteps(offset, at.line, steps.space[1]);
  AddSteps(offset, at.column, steps.space[2]);
  return offset;
}

template <int kCount, typename T>
__global__ void SumLines(const __grid_constant__ SingleRows work, Operands<T> operands) {
  const uint64_t thread = ThreadNumber();
  if (thread >= work.count) return;
  const Column at = ColumnOf(work, static_cast<uint32_t>(thread), kCount);
  const T* image = operands.sides[kColumns] + work.image_start + OffsetOf(at, work.image);
  const T* filter = operands.sides[kRows] + work.filter_start + at.group * work.filter_group;
  const auto first = [&](int axis, uint32_t index) {
    return static_cast<int32_t>(work.positions[axis].first +
                                StepsOf(index, work.positions[axis].index_step));
  };
  const auto inside = [&](int axis, int32_t position, uint32_t tap) {
    position += static_cast<int32_t>(tap) * static_cast<int32_t>(work.positions[axis].tap_step);
    return static_cast<uint32_t>(position) < static_cast<uint32_t>(work.positions[axis].size);
  };
  const int32_t z0 = first(0, at.plane), x0 = first(2, at.column);
  int32_t y0[kCount];
#pragma unroll
  for (int i = 0; i < kCount; ++i) y0[i] = first(1, at.line + i);
  float sums[kCount] = {};
  for (uint32_t c = 0; c < work.taps[0]; ++c) {
    for (uint32_t z = 0; z < work.taps[1]; ++z) {
      const bool z_inside = inside(0, z0, z);
      for (uint32_t y = 0; y < work.taps[2]; ++y) {
        const Place place = {{c, z, y, 0}};
        const T* weight = filter + Along(place, work.filter_taps);
        const T* lines[kCount];
        bool there[kCount];
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
          lines[i] = image + Along(place, work.image_taps) + StepsOf(i, work.image.space[1]);
          // Lines behind the last have no element that is there.
          there[i] = z_inside && at.line + i < work.lines && inside(1, y0[i], y);
        }
#pragma unroll 1  // the lines are enough loads at a time
        for (uint32_t x = 0; x < work.taps[3]; ++x) {
          const bool x_inside = inside(2, x0, x);
          const float b = Widen(*weight);
          weight += work.filter_taps[3];
#pragma unroll
          for (int i = 0; i < kCount; ++i) {
            const float a = x_inside && there[i] ? Widen(*lines[i]) : 0.0f;
            sums[i] = __fmaf_rn(a, b, sums[i]);
            lines[i] += work.image_taps[3];
          }
        }
      }
    }
  }
  T* const output = operands.output + work.output_start + OffsetOf(at, work.output);
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    if (at.line + i >= work.lines) break;
    // The total begins with +0; the chain may be -0.
    output[i * work.output.space[1]] =
        operands.finish(__fadd_rn(0.0f, sums[i]), at.group * work.addend_group);
  }
}

SingleRows WorkOf(const Products& products, uint32_t lines) {
  SingleRows work = {};
  const auto& columns = products.columns;
  const BatchAxis& groups = products.batches[0];
  work.groups = Divider(groups.size);
  work.items = Divider(columns[0].size);
  work.planes = Divider(columns[1].size);
  const uint64_t blocks = (columns[2].size + lines - 1) / lines;
  work.blocks = Divider(blocks);
  work.columns = Divider(columns[3].size);
  work.lines = static_cast<uint32_t>(columns[2].size);
  work.groups_last = groups.size > 1 && groups.output == 1;
  for (size_t i = 0; i < kProductAxes; ++i) {
    work.taps[i] = static_cast<uint32_t>(products.depth[i].size);
    work.filter_taps[i] = products.depth[i].rows;
    work.image_taps[i] = products.depth[i].columns;
  }
  work.image = {groups.columns, columns[0].operand, {}};
  work.output = {groups.output, columns[0].output, {}};
  for (size_t i = 0; i < kSpatialAxes; ++i) {
    work.image.space[i] = columns[1 + i].operand;
    work.output.space[i] = columns[1 + i].output;
    work.positions[i] = products.positions[i];
  }
  work.filter_group = groups.rows;
  work.addend_group = groups.addend;
  work.filter_start = products.rows_start;
  work.image_start = products.columns_start;
  work.output_start = products.output_start;
  work.count = groups.size * columns[0].size * columns[1].size * blocks * columns[3].size;
  return work;
}

template <int kCount, typename T>
void RunClass(const ProductPlan& plan, const Products& products, const Bindings& bindings,
              Stream stream) {
  const SingleRows work = WorkOf(products, kCount);
  if (work.count == 0) return;
  const auto operands = OperandsOf<T>(plan, bindings);
  SumLines<kCount, T><<<BlocksFor(work.count), kThreadsPerBlock, 0, stream>>>(work, operands);
}

}  // namespace

Refusal AcceptsSingleRows(const ProductPlan& plan) {
  const Products products = plan.ClassOf(0);
  if (!products.has_image || plan.exchanged || products.RowCount() != 1) {
    return {"there is not one row of sums per group"};
  }
  if (plan.MaxDepth() > kChain) return {"there is more than one chain"};
  if (!HasSmallPositions(plan)) return {"a window reaches farther than 2^30 elements"};
  return kAccepted;
}

void RunSingleRows(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                   Stream stream) {
  DispatchType(FloatTypes(), plan.data_type, [&]<typename T>() {
    for (uint64_t i = 0, classes = plan.ClassCount(); i < classes; ++i) {
      const Products products = plan.ClassOf(i);
      if (products.columns[2].size >= kLines) {
        RunClass<kLines, T>(plan, products, bindings, stream);
      } else {
        RunClass<1, T>(plan, products, bindings, stream);
      }
    }
  });
  FillOutputPadding(plan, bindings, stream);
}

}  // namespace anydml::cuda
