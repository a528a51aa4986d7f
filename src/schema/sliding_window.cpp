// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "schema/sliding_window.h"

#include "base/checked_math.h"
#include "base/text.h"
#include "schema/output_tensors.h"

namespace anydml::schema {
namespace {

uint32_t DilationOf(const Arguments& arguments, const SlidingWindowFields& fields, uint32_t axis) {
  return fields.dilations == SlidingWindowFields::kNone ? 1
                                                        : arguments.Uints(fields.dilations)[axis];
}

// One spatial axis, in numbers that cannot wrap: (2^32 - 2) * (2^32 - 1) + 1
// and three sizes fit 64 bits.
struct AxisSizes {
  uint64_t padded;
  uint64_t span;

  AxisSizes(const Arguments& arguments, const SlidingWindowFields& fields, uint32_t axis)
      : padded(uint64_t{arguments.tensor(fields.wide).sizes[2 + axis]} +
               arguments.Uints(fields.start_padding)[axis] +
               arguments.Uints(fields.end_padding)[axis]),
        span((uint64_t{arguments.Uints(fields.window_size)[axis]} - 1) *
                 DilationOf(arguments, fields, axis) +
             1) {}
};

Status CheckSpan(const Arguments& arguments, const SlidingWindowFields& fields, uint32_t axis) {
  const AxisSizes sizes(arguments, fields, axis);
  if (sizes.span <= sizes.padded) return {};
  const auto name = [&](int field) { return arguments.schema().fields[field].name; };
  const std::string dilation = fields.dilations == SlidingWindowFields::kNone
                                   ? ""
                                   : fmt::format(" with {}[{}] = {}", name(fields.dilations), axis,
                                                 DilationOf(arguments, fields, axis));
  return arguments.Fail(
      fmt::format("{}[{}] = {}{} spans {} elements and must span at most {}.Sizes[{}] + {}[{}] + "
                  "{}[{}] = {}",
                  name(fields.window_size), axis, arguments.Uints(fields.window_size)[axis],
                  dilation, sizes.span, name(fields.wide), 2 + axis, name(fields.start_padding),
                  axis, name(fields.end_padding), axis, sizes.padded));
}

Status CheckNarrowSize(const Arguments& arguments, const SlidingWindowFields& fields,
                       uint32_t axis) {
  const AxisSizes sizes(arguments, fields, axis);
  const uint64_t rest = sizes.padded - sizes.span;
  const uint32_t stride = arguments.Uints(fields.strides)[axis];
  const uint64_t down = rest / stride + 1, up = CeilDivide(rest, stride) + 1;
  const uint32_t given = arguments.tensor(fields.narrow).sizes[2 + axis];
  if (given == down || given == up) return {};
  const std::string formula = fmt::format("({} - {}) / {} + 1", sizes.padded, sizes.span, stride);
  const std::string wanted =
      down == up ? fmt::format("{} = {}", down, formula)
                 : fmt::format("{} or {} = {} rounded down or up", down, up, formula);
  return arguments.Fail(fmt::format("{}.Sizes[{}] = {} must be {}",
                                    arguments.schema().fields[fields.narrow].name, 2 + axis, given,
                                    wanted));
}

Status CheckShared(const Arguments& arguments, const SlidingWindowFields& fields,
                   uint32_t dimension) {
  const uint32_t given = arguments.tensor(fields.narrow).sizes[dimension];
  const uint32_t wanted = arguments.tensor(fields.wide).sizes[dimension];
  if (given == wanted) return {};
  return arguments.Fail(fmt::format("{}.Sizes[{}] = {} must equal {}.Sizes[{}] = {}",
                                    arguments.schema().fields[fields.narrow].name, dimension, given,
                                    arguments.schema().fields[fields.wide].name, dimension,
                                    wanted));
}

}  // namespace

Status CheckSlidingWindow(const Arguments& arguments, const SlidingWindowFields& fields) {
  for (uint32_t dimension : {0u, 1u}) {
    Status status = CheckShared(arguments, fields, dimension);
    if (!status.ok()) return status;
  }
  const uint32_t axes = arguments.tensor(fields.wide).dimension_count - 2;
  for (uint32_t axis = 0; axis < axes; ++axis) {
    Status status = CheckSpan(arguments, fields, axis);
    if (!status.ok()) return status;
    status = CheckNarrowSize(arguments, fields, axis);
    if (!status.ok()) return status;
  }
  return {};
}

Result<std::vector<TensorDesc>> SlidingWindowOutputs(const Arguments& arguments,
                                                     const SlidingWindowFields& fields) {
  const TensorDesc& wide = arguments.tensor(fields.wide);
  Dimensions sizes = wide.sizes;
  for (uint32_t axis = 0; axis < wide.dimension_count - 2; ++axis) {
    Status status = CheckSpan(arguments, fields, axis);
    if (!status.ok()) return status.error();
    const AxisSizes along(arguments, fields, axis);
    const uint64_t size = (along.padded - along.span) / arguments.Uints(fields.strides)[axis] + 1;
    status = StoreOutputSize(arguments, fields.narrow, 2 + axis, size, sizes);
    if (!status.ok()) return status.error();
  }
  std::vector<TensorDesc> outputs;
  for (size_t output : arguments.outputs()) {
    const bool is_narrow = output == static_cast<size_t>(fields.narrow);
    outputs.push_back(PackedTensor(is_narrow ? wide.data_type : DataType::kUint32,
                                   {sizes.data(), wide.dimension_count}));
  }
  return outputs;
}

WindowArrays ReadSlidingWindow(const Arguments& arguments, const SlidingWindowFields& fields) {
  WindowArrays arrays;
  const uint32_t axes = arguments.tensor(fields.wide).dimension_count - 2;
  for (uint32_t axis = 0; axis < axes; ++axis) {
    arrays.strides[axis] = arguments.Uints(fields.strides)[axis];
    arrays.window_size[axis] = arguments.Uints(fields.window_size)[axis];
    arrays.start_padding[axis] = arguments.Uints(fields.start_padding)[axis];
    arrays.dilations[axis] = DilationOf(arguments, fields, axis);
  }
  return arrays;
}

}  // namespace anydml::schema
