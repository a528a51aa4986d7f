// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of sums of products: every output element is the sum over a depth of the
// products of an element of `rows` and an element of `columns`, in chains of 512
// fused multiply-adds (B60). A product of matrices has one axis of each kind; a
// convolution has the axes of space among its columns and its taps along the depth,
// and reads zeros beyond the border of the image (B63).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tensor/data_type.h"
#include "tensor/tensor_desc.h"

namespace anydml {

// to += a * b, modulo 2^64: what is computed of a place beyond the border may be anything, and
// is not read.
constexpr void AddSteps(int64_t& to, int64_t a, int64_t b) {
  to = static_cast<int64_t>(static_cast<uint64_t>(to) +
                            static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
constexpr int64_t StepsOf(int64_t a, int64_t b) {
  int64_t steps = 0;
  AddSteps(steps, a, b);
  return steps;
}

// Terms of one chain.
inline constexpr uint32_t kChain = 512;

inline constexpr size_t kProductAxes = 4;  // of rows, of columns, of the depth
inline constexpr size_t kSpatialAxes = 3;  // the last ones of columns and of the depth
inline constexpr size_t kProductBatches = 2;

// An axis of the output: elements, and steps in the operand, the output and the addend.
struct OutputAxis {
  uint64_t size = 1;
  int64_t operand = 0;
  int64_t output = 0;
  int64_t addend = 0;
};

// An axis of the sum; the axes are in the order of the terms, the last one fastest.
struct DepthAxis {
  uint64_t size = 1;
  int64_t rows = 0;
  int64_t columns = 0;
};

struct BatchAxis {
  uint64_t size = 1;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t output = 0;
  int64_t addend = 0;
};

// Where along an axis of the image a term is read: at first + index * index_step +
// tap * tap_step; outside of [0, size) it is +0.
struct Positions {
  int64_t first = 0;
  int64_t index_step = 0;
  int64_t tap_step = 0;
  int64_t size = 1;
};

struct Products {
  std::array<OutputAxis, kProductAxes> rows = {};
  std::array<OutputAxis, kProductAxes> columns = {};
  std::array<DepthAxis, kProductAxes> depth = {};
  std::array<BatchAxis, kProductBatches> batches = {};
  // Of the elements with index 0; with an image, of what position 0 would be.
  int64_t rows_start = 0;
  int64_t columns_start = 0;
  int64_t output_start = 0;
  // The last axes of columns (or of rows, once exchanged) and of the depth are places and taps.
  bool has_image = false;
  bool image_in_rows = false;
  std::array<Positions, kSpatialAxes> positions = {};
  // Of the side with the image the first axis, items, is the fastest: they are neighbours in
  // memory, as channels of a weight gradient on channels-last images.
  bool items_last = false;

  // Axes of rows or of columns in the order in which tiles number them, the last one fastest.
  using Order = std::array<uint8_t, kProductAxes>;
  Order OrderOf(bool of_rows) const {
    const bool changed = has_image && items_last && image_in_rows == of_rows;
    return changed ? Order{1, 2, 3, 0} : Order{0, 1, 2, 3};
  }
  uint64_t RowCount() const;
  uint64_t ColumnCount() const;
  uint64_t Depth() const;
  uint64_t BatchCount() const { return batches[0].size * batches[1].size; }
};

// The spatial axes of a convolution, for either direction. Backward, the outputs whose
// terms have the same taps are a class: index r + j * stride, for j = 0, 1, ...
struct SpatialAxis {
  uint64_t outputs = 1;  // with terms: without those of the output padding
  uint64_t size = 1;     // of the image
  uint64_t window = 1;
  uint64_t stride = 1;
  uint64_t dilation = 1;
  uint64_t start_padding = 0;
  uint64_t output_padding = 0;
  int64_t output_stride = 0;
  int64_t image_stride = 0;
  int64_t filter_stride = 0;
};

// At most so many rows and columns are in a tile.
inline constexpr uint64_t kMaxTileRows = 1008;
inline constexpr uint64_t kMaxTileColumns = 1152;
// So few rows use a column too few times for packing all of a tile.
inline constexpr uint64_t kFewRows = 8;

// How the work is cut. It changes no bit.
struct ProductTiles {
  uint64_t rows = 0;  // of a tile
  uint64_t columns = 0;
  uint64_t row_tiles = 0;
  uint64_t column_tiles = 0;
  uint64_t units = 0;    // tiles of all batches and classes
  uint64_t workers = 0;  // that have temporary memory
  bool has_few_rows = false;
};

struct ProductPlan {
  DataType data_type = DataType::kFloat32;
  Products products;  // all but the spatial axes
  // Numbers of the inputs.
  uint8_t rows_input = 0;
  uint8_t columns_input = 1;
  uint8_t addend_input = 2;
  bool has_addend = false;
  float alpha = 1;
  float beta = 1;
  // Of a convolution.
  bool has_space = false;
  bool backward = false;
  bool flipped = false;  // tap k has the filter's element window - 1 - k
  std::array<SpatialAxis, kSpatialAxes> space = {};
  bool exchanged = false;  // rows and columns, so that the output's columns are contiguous
  ProductTiles tiles;

  // Classes of output elements that have the same taps; 1 but backward.
  uint64_t ClassCount() const;
  // Of the class: some may have no elements, or no terms.
  Products ClassOf(uint64_t number) const;
  bool HasOutputPadding() const;
  // No class has more terms.
  uint64_t MaxDepth() const;
};

// What is left to decide when the description is in the plan: exchange and tiles. `threads`: those
// of the device, 0 for one per core.
void CompletePlan(ProductPlan& plan, int threads);

std::string ExplainProducts(const ProductPlan& plan);

}  // namespace anydml
