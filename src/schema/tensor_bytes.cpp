// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "schema/tensor_bytes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "tensor/tensor_desc.h"

namespace anydml {
namespace {

// "12 (UINT4)", or the number alone where it is no type.
std::string Shown(DataType type) {
  const std::string_view name = DataTypeName(type);
  const auto value = static_cast<uint32_t>(type);
  return name.empty() ? fmt::format("{}", value) : fmt::format("{} ({})", value, name);
}

std::vector<std::string> TypesOfWholeBytes() {
  std::vector<std::string> shown;
  for (uint32_t value = 0; value < kDataTypeCount; ++value) {
    const auto type = static_cast<DataType>(value);
    if (ElementSize(type) != 0) shown.push_back(Shown(type));
  }
  return shown;
}

}  // namespace

Status TensorBytes(DataType type, uint32_t dimension_count, const uint32_t* sizes,
                   const uint32_t* strides, uint64_t& bytes) {
  if (ElementSize(type) == 0) {
    return InvalidArgument(fmt::format("data_type = {} must be one of {}", Shown(type),
                                       fmt::join(TypesOfWholeBytes(), ", ")));
  }
  if (dimension_count < 1 || dimension_count > kMaxDimensions) {
    return InvalidArgument(
        fmt::format("dimension_count = {} must be 1 to {}", dimension_count, kMaxDimensions));
  }
  const std::span<const uint32_t> given(sizes, dimension_count);
  if (std::ranges::count(given, 0u) != 0) {
    return InvalidArgument(
        fmt::format("sizes = {} must be at least 1 in every dimension", BracedList(given)));
  }
  if (LogicalElementCount(given).value_or(kMaxElements + 1) > kMaxElements) {
    return InvalidArgument(
        fmt::format("sizes = {} must hold at most {} elements", BracedList(given), kMaxElements));
  }
  const Dimensions packed = PackedStrides(given);
  const std::span<const uint32_t> used(strides != nullptr ? strides : packed.data(),
                                       dimension_count);
  if (Extent(given, used).value_or(kMaxElements + 1) > kMaxElements) {
    return InvalidArgument(fmt::format("strides = {} with sizes = {} must span at most {} elements",
                                       BracedList(used), BracedList(given), kMaxElements));
  }
  bytes = *MinimumTotalBytes(type, given, used);
  return {};
}

bool MayBeOverwritten(const schema::Arguments& arguments, size_t number) {
  const TensorDesc& output = arguments.tensor(arguments.outputs()[0]);
  return arguments.schema().in_place.Contains(arguments.FieldOf(number)) &&
         ElementSize(arguments.tensor(number).data_type) == ElementSize(output.data_type);
}

}  // namespace anydml
