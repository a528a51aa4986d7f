// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums of products, element after element, whatever the strides. std::fma rounds once on
// every processor: where there is no such instruction, the C library computes it.
#include <algorithm>
#include <cmath>

#include "base/checked_math.h"
#include "base/float16.h"
#include "kernels/matmul/cpu/strategies.h"

namespace anydml::cpu {
namespace {

float Widen(float value) { return value; }
float Widen(Float16 value) { return ToFloat(value); }
void Narrow(float value, float& to) { to = value; }
void Narrow(float value, Float16& to) { to = ToFloat16(value); }

// Total of the chains so far, and the chain in hand.
struct Chains {
  float total = 0, chain = 0;
  uint32_t terms = 0;

  void Add(float a, float b) {
    chain = std::fma(a, b, chain);
    if (++terms != kChain) return;
    total += chain;
    chain = 0;
    terms = 0;
  }
  float Sum() const { return terms == 0 ? total : total + chain; }
};

// Coordinates along four axes.
using Place = std::array<uint64_t, kProductAxes>;

template <typename Axes>
Place PlaceOf(const Axes& axes, uint64_t index) {
  Place place;
  for (size_t i = kProductAxes; i-- > 0;) {
    place[i] = index % axes[i].size;
    index /= axes[i].size;
  }
  return place;
}

template <typename Axes, typename Step>
int64_t Offset(const Place& place, const Axes& axes, Step step) {
  int64_t offset = 0;
  for (size_t i = 0; i < kProductAxes; ++i) {
    AddSteps(offset, static_cast<int64_t>(place[i]), axes[i].*step);
  }
  return offset;
}

// Whether the taps of a term lie in the image.
bool IsInside(const Products& products, const Place& index, const Place& tap) {
  for (size_t i = 0; i < kSpatialAxes; ++i) {
    const Positions& p = products.positions[i];
    const int64_t at = p.first + static_cast<int64_t>(index[1 + i]) * p.index_step +
                       static_cast<int64_t>(tap[1 + i]) * p.tap_step;
    if (at < 0 || at >= p.size) return false;
  }
  return true;
}

template <typename T>
float SumOfProducts(const Products& products, const T* rows, const T* columns, const Place& row,
                    const Place& column, int64_t first_row, int64_t first_column) {
  const Place& image = products.image_in_rows ? row : column;
  Chains chains;
  for (uint64_t k = 0, depth = products.Depth(); k < depth; ++k) {
    const Place term = PlaceOf(products.depth, k);
    const bool outside = products.has_image && !IsInside(products, image, term);
    const bool no_row = outside && products.image_in_rows;
    const bool no_column = outside && !products.image_in_rows;
    int64_t a = first_row, b = first_column;
    AddSteps(a, Offset(term, products.depth, &DepthAxis::rows), 1);
    AddSteps(b, Offset(term, products.depth, &DepthAxis::columns), 1);
    chains.Add(no_row ? 0.0f : Widen(rows[a]), no_column ? 0.0f : Widen(columns[b]));
  }
  return chains.Sum();
}

// Three roundings (B64), and that to the type of the tensor.
template <typename T>
void Finish(const ProductPlan& plan, float sum, const T* addend, int64_t at, T& to) {
  float value = plan.alpha * sum;
  if (plan.has_addend) {
    const float scaled = plan.beta * Widen(addend[at]);
    value = value + scaled;
  }
  Narrow(value, to);
}

template <typename T>
const T* AddendOf(const ProductPlan& plan, const Bindings& bindings) {
  return plan.has_addend ? bindings.Input<T>(plan.addend_input) : nullptr;
}

template <typename T>
void RunClass(const ProductPlan& plan, const Products& products, const Bindings& bindings,
              const Executor& executor) {
  const uint64_t rows = products.RowCount(), columns = products.ColumnCount();
  const T* const a = bindings.Input<T>(plan.exchanged ? plan.columns_input : plan.rows_input);
  const T* const b = bindings.Input<T>(plan.exchanged ? plan.rows_input : plan.columns_input);
  const T* const addend = AddendOf<T>(plan, bindings);
  const uint64_t grain = CeilDivide(16384, std::max<uint64_t>(1, products.Depth()));
  const auto element = [&](uint64_t number) {
    const Place column = PlaceOf(products.columns, number % columns);
    const Place row = PlaceOf(products.rows, number / columns % rows);
    int64_t from_rows = products.rows_start, from_columns = products.columns_start;
    AddSteps(from_rows, Offset(row, products.rows, &OutputAxis::operand), 1);
    AddSteps(from_columns, Offset(column, products.columns, &OutputAxis::operand), 1);
    int64_t to = products.output_start + Offset(row, products.rows, &OutputAxis::output) +
                 Offset(column, products.columns, &OutputAxis::output);
    int64_t add = Offset(row, products.rows, &OutputAxis::addend) +
                  Offset(column, products.columns, &OutputAxis::addend);
    uint64_t batch = number / columns / rows;
    for (size_t k = kProductBatches; k-- > 0;) {
      const BatchAxis& axis = products.batches[k];
      const auto at = static_cast<int64_t>(batch % axis.size);
      batch /= axis.size;
      AddSteps(from_rows, at, axis.rows);
      AddSteps(from_columns, at, axis.columns);
      to += at * axis.output;
      add += at * axis.addend;
    }
    const float sum = SumOfProducts(products, a, b, row, column, from_rows, from_columns);
    Finish(plan, sum, addend, add, bindings.Output<T>(0)[to]);
  };
  executor.ParallelFor(products.BatchCount() * rows * columns, grain,
                       [&](uint64_t begin, uint64_t end) {
                         for (uint64_t i = begin; i < end; ++i) element(i);
                       });
}

// Every element of the output that lies beyond the outputs with terms along some axis.
template <typename T>
void FillPadding(const ProductPlan& plan, const Bindings& bindings, const Executor& executor) {
  const Products& products = plan.products;
  const auto& space = plan.space;
  std::array<uint64_t, kSpatialAxes> sizes;
  uint64_t places = 1;
  for (size_t i = 0; i < kSpatialAxes; ++i) {
    sizes[i] = space[i].outputs + space[i].output_padding;
    places *= sizes[i];
  }
  const uint64_t items = products.columns[0].size, rows = products.rows[0].size;
  const T* const addend = AddendOf<T>(plan, bindings);
  const auto plane = [&](uint64_t number) {
    const auto item = static_cast<int64_t>(number % items);
    const auto row = static_cast<int64_t>(number / items % rows);
    const auto group = static_cast<int64_t>(number / items / rows);
    const OutputAxis& row_axis = products.rows[0];
    const BatchAxis& groups = products.batches[0];
    const int64_t start =
        item * products.columns[0].output + row * row_axis.output + group * groups.output;
    const int64_t add = row * row_axis.addend + group * groups.addend;
    // Of an axis the places behind its outputs; along the axes before it those with outputs, so
    // that none is filled twice.
    for (size_t axis = 0; axis < kSpatialAxes; ++axis) {
      std::array<uint64_t, kSpatialAxes> begin = {}, end = sizes;
      for (size_t i = 0; i < axis; ++i) end[i] = space[i].outputs;
      begin[axis] = space[axis].outputs;
      for (uint64_t z = begin[0]; z < end[0]; ++z) {
        for (uint64_t y = begin[1]; y < end[1]; ++y) {
          for (uint64_t x = begin[2]; x < end[2]; ++x) {
            const int64_t to = start + static_cast<int64_t>(z) * space[0].output_stride +
                               static_cast<int64_t>(y) * space[1].output_stride +
                               static_cast<int64_t>(x) * space[2].output_stride;
            Finish(plan, 0.0f, addend, add, bindings.Output<T>(0)[to]);
          }
        }
      }
    }
  };
  executor.ParallelFor(items * rows * products.batches[0].size, CeilDivide(16384, places),
                       [&](uint64_t begin, uint64_t end) {
                         for (uint64_t i = begin; i < end; ++i) plane(i);
                       });
}

using FloatTypes = TypeList<float, Float16>;

}  // namespace

void FillOutputPadding(const ProductPlan& plan, const Bindings& bindings,
                       const Executor& executor) {
  if (!plan.HasOutputPadding()) return;
  DispatchType(FloatTypes(), plan.data_type,
               [&]<typename T>() { FillPadding<T>(plan, bindings, executor); });
}

void RunStridedProducts(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                        const Executor& executor) {
  DispatchType(FloatTypes(), plan.data_type, [&]<typename T>() {
    for (uint64_t i = 0, classes = plan.ClassCount(); i < classes; ++i) {
      RunClass<T>(plan, plan.ClassOf(i), bindings, executor);
    }
  });
  FillOutputPadding(plan, bindings, executor);
}

}  // namespace anydml::cpu
