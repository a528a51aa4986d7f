// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A row of the benchmark: an operator's case in one type and one layout. The
// registry is the list; nothing here names an operator.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "operators/operator.h"

namespace anydml::bench {

struct Row {
  const Definition* definition = nullptr;
  const BenchCase* c = nullptr;
  DataType type = DataType::kUnknown;
  BenchLayout layout = BenchLayout::kPacked;
  uint32_t batch = 1;  // the first dimension is so many times as large

  std::string_view operator_name() const { return definition->schema->name; }
  std::string_view case_name() const { return c->shape.name; }
};

struct Selection {
  bool core = true;        // only the rows of `make bench`
  std::string filter;      // comma-separated words; a row's name must hold all of them
  std::string type;        // "FLOAT16"; empty: all
  uint32_t batch = 1;      // see Row
  bool for_cards = false;  // also the rows that are too much work for a CPU
};

// "NCHW", "NHWC", "NCDHW", "NDHWC", "packed", "padded_rows", "permuted"
std::string LayoutName(BenchLayout layout, uint32_t dimension_count);
std::string LayoutName(const Row& row);

// "MAX_POOLING_GRAD/window_2x2_stride_2_8x64x112x112/FLOAT32/NCHW"
std::string Name(const Row& row);

// Case does not matter.
bool Matches(std::string_view name, std::string_view filter);

std::vector<Row> SelectRows(const Selection& selection);

// The complete description of a row.
schema::Arguments Describe(const Row& row);

// Read once and written once, padding and unread elements not counted.
struct RowBytes {
  uint64_t read = 0;
  uint64_t written = 0;
  uint64_t moved() const { return read + written; }
};
RowBytes BytesOf(const Row& row);

}  // namespace anydml::bench
