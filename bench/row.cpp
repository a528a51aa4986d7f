// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "operators/describe.h"
#include "operators/registry.h"

namespace anydml::bench {
namespace {

constexpr BenchLayout kLayouts[] = {BenchLayout::kPacked,      BenchLayout::kChannelsLast,
                                    BenchLayout::kPaddedRows,  BenchLayout::kPermuted,
                                    BenchLayout::kRowRepeated, BenchLayout::kColumnRepeated};
// Between the rows of BenchLayout::kPaddedRows; rows then begin at every multiple
// of half a vector, which is what cropping leaves behind.
constexpr uint32_t kPaddingElements = 8;

// Of the first tensor, which need not be the first field.
DataType FirstType(const TypeAssignment& types) {
  return *std::ranges::find_if(types, [](DataType type) { return type != DataType::kUnknown; });
}

// The newest types of the first tensor that go with the case; index tensors, which are absent,
// take any.
TypeAssignment TypesFor(const Row& row) {
  const schema::OperatorSchema& schema = *row.definition->schema;
  for (const TypeAssignment& types : AdmittedTypes(schema)) {
    if (FirstType(types) == row.type && DescribeCase(schema, row.c->shape, types)) return types;
  }
  return {};
}

bool IsInCore(const Row& row) {
  if (!row.c->core) return false;
  if (row.type == DataType::kFloat32) return true;
  return row.type == DataType::kFloat16 && row.layout == BenchLayout::kPacked;
}

std::vector<uint32_t> Order(const TensorDesc& tensor, BenchLayout layout) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < tensor.dimension_count; ++i) order.push_back(i);
  if (layout == BenchLayout::kChannelsLast)
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  if (layout == BenchLayout::kPermuted) {
    std::rotate(order.begin(), order.begin() + tensor.dimension_count / 2, order.end());
  }
  return order;
}

void SetLayout(TensorDesc& tensor, bool output, BenchLayout layout) {
  if (layout == BenchLayout::kPacked) return;
  if (layout == BenchLayout::kPermuted && output) return;
  const uint32_t extra = layout == BenchLayout::kPaddedRows ? kPaddingElements : 0;
  SetStrides(tensor, StridesInOrder(tensor, Order(tensor, layout), extra, 1));
}

bool IsRepeated(BenchLayout layout) { return (static_cast<uint8_t>(layout) & kRepeated) != 0; }

// Of each element that an input repeats, one.
uint64_t DistinctElements(const TensorDesc& tensor) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
    if (tensor.strides[i] != 0) count *= tensor.sizes[i];
  }
  return count;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// With a first dimension that is `batch` times as large. A setting with a value per
// dimension that began with the first size of a tensor speaks of sizes, too.
Case Enlarged(Case shape, uint8_t tensors_of_items, uint32_t batch) {
  for (CaseSetting& setting : shape.settings) {
    const bool speaks_of_sizes = std::ranges::any_of(shape.sizes, [&](const CaseSizes& sizes) {
      return sizes.count > 1 && sizes.count == setting.count &&
             sizes.values[0] == setting.values[0];
    });
    if (speaks_of_sizes && setting.values[0] > 1) setting.values[0] *= batch;
  }
  // Those of the output's first size (a table of weights, or a single step, is no batch), or of the
  // largest where the output has none.
  uint32_t first = 0, largest = 0;
  for (const CaseSizes& sizes : shape.sizes) {
    if (sizes.count != 0) first = sizes.values[0];
    largest = std::max(largest, sizes.values[0]);
  }
  if (first == 1) first = largest;
  for (size_t i = 0; i < shape.sizes.size(); ++i) {
    CaseSizes& sizes = shape.sizes[i];
    if ((tensors_of_items >> i & 1) != 0 && sizes.values[0] == first) sizes.values[0] *= batch;
  }
  return shape;
}

void AddRows(const Definition& definition, const BenchCase& c, std::vector<Row>& rows) {
  DataType last = DataType::kUnknown;
  for (const TypeAssignment& types : AdmittedTypes(*definition.schema)) {
    const DataType type = FirstType(types);
    const bool is_float = type == DataType::kFloat32 || type == DataType::kFloat16;
    if (type == last || !(is_float || c.every_type)) continue;
    last = type;
    for (BenchLayout layout : kLayouts) {
      if ((c.layouts & static_cast<uint8_t>(layout)) != 0) {
        rows.push_back({&definition, &c, type, layout});
      }
    }
  }
}

}  // namespace

std::string LayoutName(BenchLayout layout, uint32_t dimension_count) {
  switch (layout) {
    case BenchLayout::kPacked:
      return dimension_count == 4 ? "NCHW" : dimension_count == 5 ? "NCDHW" : "packed";
    case BenchLayout::kChannelsLast:
      return dimension_count == 4 ? "NHWC" : "NDHWC";
    case BenchLayout::kPaddedRows:
      return "padded_rows";
    case BenchLayout::kPermuted:
      return "permuted";
    case BenchLayout::kRowRepeated:
      return "row_repeated";
    case BenchLayout::kColumnRepeated:
      return "column_repeated";
  }
  return "";
}

std::string LayoutName(const Row& row) {
  return LayoutName(row.layout, row.c->shape.sizes[0].count);
}

std::string Name(const Row& row) {
  return fmt::format("{}/{}/{}/{}", row.operator_name(), row.case_name(), DataTypeName(row.type),
                     LayoutName(row));
}

bool Matches(std::string_view name, std::string_view filter) {
  const std::string text = Lower(name), words = Lower(filter);
  for (size_t begin = 0; begin <= words.size();) {
    const size_t end = std::min(words.find(',', begin), words.size());
    if (text.find(words.substr(begin, end - begin)) == std::string::npos) return false;
    begin = end + 1;
  }
  return true;
}

std::vector<Row> SelectRows(const Selection& selection) {
  std::vector<Row> all, selected;
  for (const Definition* definition : Registry()) {
    for (const BenchCase& c : definition->bench_cases) AddRows(*definition, c, all);
  }
  for (const Row& row : all) {
    const bool wanted = (!selection.core || IsInCore(row)) &&
                        (row.c->tensors_of_items != 0 || selection.for_cards) &&
                        Matches(Name(row), selection.filter) &&
                        (selection.type.empty() || DataTypeName(row.type) == selection.type);
    if (!wanted) continue;
    selected.push_back(row);
    selected.back().batch = selection.batch;
  }
  return selected;
}

schema::Arguments Describe(const Row& row) {
  const schema::OperatorSchema& schema = *row.definition->schema;
  const Case shape = Enlarged(row.c->shape, row.c->tensors_of_items, row.batch);
  std::optional<schema::Arguments> arguments = DescribeCase(schema, shape, TypesFor(row));
  if (!arguments) return schema::Arguments(schema);  // which no operator accepts
  for (size_t i = 0; i < arguments->tensor_numbers(); ++i) {
    TensorDesc& tensor = arguments->tensor(i);
    if (!tensor.present()) continue;
    if (!IsRepeated(row.layout)) {
      SetLayout(tensor, schema.fields[arguments->FieldOf(i)].is_output(), row.layout);
    } else if (i == arguments->inputs()[1]) {
      SetStrides(tensor,
                 row.layout == BenchLayout::kRowRepeated ? Dimensions{0, 1} : Dimensions{1, 0});
    }
  }
  return *arguments;
}

RowBytes BytesOf(const Row& row) {
  const schema::Arguments arguments = Describe(row);
  RowBytes bytes;
  for (size_t i = 0; i < arguments.tensor_numbers(); ++i) {
    const TensorDesc& tensor = arguments.tensor(i);
    if (!tensor.present()) continue;
    const bool partly = i == arguments.inputs()[0] && row.c->elements_read != 0;
    const bool is_output = arguments.schema().fields[arguments.FieldOf(i)].is_output();
    (is_output ? bytes.written : bytes.read) +=
        (partly ? row.c->elements_read * row.batch : DistinctElements(tensor)) *
        ElementSize(tensor.data_type);
  }
  return bytes;
}

}  // namespace anydml::bench
