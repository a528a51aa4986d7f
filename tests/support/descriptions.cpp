// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "support/descriptions.h"

namespace anydml::test {
namespace {

using schema::Field;

std::vector<uint32_t> LogicalOrder(const TensorDesc& tensor) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < tensor.dimension_count; ++i) order.push_back(i);
  return order;
}

// Channels last where there are channels, reversed otherwise.
std::vector<uint32_t> PermutedOrder(const TensorDesc& tensor) {
  std::vector<uint32_t> order = LogicalOrder(tensor);
  if (order.size() < 3) return {order.rbegin(), order.rend()};
  order.erase(order.begin() + 1);
  order.push_back(1);
  return order;
}

std::optional<Dimensions> StridesFor(const TensorDesc& tensor, bool output, size_t ordinal,
                                     Layout layout) {
  switch (layout) {
    case Layout::kPacked:
      return std::nullopt;
    case Layout::kPermuted:
      return StridesInOrder(tensor, PermutedOrder(tensor), 0, 1);
    case Layout::kPaddedRows:
      return StridesInOrder(tensor, LogicalOrder(tensor), 3, 1);
    case Layout::kGaps:
      return StridesInOrder(tensor, LogicalOrder(tensor), 1, 2);
    case Layout::kBroadcast: {
      if (output) return std::nullopt;
      Dimensions strides = PackedStrides(tensor.Sizes());
      strides[ordinal % 2 == 0 ? 0 : tensor.dimension_count - 1] = 0;
      return strides;
    }
    case Layout::kOverlapping: {
      if (output) return StridesInOrder(tensor, PermutedOrder(tensor), 2, 1);
      Dimensions strides = {};
      for (uint32_t i = 0; i < tensor.dimension_count; ++i) strides[i] = 1 + i % 2;
      return strides;
    }
    case Layout::kMixed: {
      constexpr Layout kParts[] = {Layout::kPaddedRows, Layout::kPermuted, Layout::kGaps};
      return StridesFor(tensor, output, ordinal, kParts[ordinal % 3]);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view LayoutName(Layout layout) {
  switch (layout) {
    case Layout::kPacked:
      return "packed";
    case Layout::kPermuted:
      return "permuted";
    case Layout::kPaddedRows:
      return "padded_rows";
    case Layout::kGaps:
      return "gaps";
    case Layout::kBroadcast:
      return "broadcast";
    case Layout::kOverlapping:
      return "overlapping";
    case Layout::kMixed:
      return "mixed";
  }
  return "";
}

std::optional<schema::Arguments> Describe(const schema::OperatorSchema& schema, const Case& c,
                                          const TypeAssignment& types) {
  return DescribeCase(schema, c, types);
}

schema::Arguments WithLayout(schema::Arguments packed, Layout layout) {
  size_t ordinal = 0;
  for (size_t i = 0; i < packed.tensor_numbers(); ++i) {
    const Field& field = packed.schema().fields[packed.FieldOf(i)];
    if (!field.is_input() && !field.is_output()) continue;
    if (i < packed.schema().fields.size() && !field.is_tensor())
      continue;  // an array, not an entry
    TensorDesc& tensor = packed.tensor(i);
    if (tensor.present()) {
      SetStrides(tensor, StridesFor(tensor, field.is_output(), ordinal, layout));
    }
    ++ordinal;
  }
  return packed;
}

}  // namespace anydml::test
