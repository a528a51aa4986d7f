// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/peer_task.h"

#include <cstring>

#include "operators/describe.h"

namespace anydml::bench {
namespace {

size_t FieldIndex(const PeerTask& task, std::string_view name) {
  const auto fields = task.arguments.schema().fields;
  size_t i = 0;
  while (i < fields.size() && fields[i].name != name) ++i;
  return i;
}

}  // namespace

BoundTensor Input(const PeerTask& task, size_t i) {
  const size_t field = task.arguments.inputs()[i];
  return {task.arguments.tensor(field), const_cast<void*>(task.bindings.inputs[i])};
}

BoundTensor Output(const PeerTask& task, size_t i) {
  const size_t field = task.arguments.outputs()[i];
  return {task.arguments.tensor(field), task.bindings.outputs[i]};
}

std::vector<int64_t> SizesOf(const TensorDesc& tensor) {
  return {tensor.Sizes().begin(), tensor.Sizes().end()};
}

std::vector<int64_t> StridesOf(const TensorDesc& tensor) {
  return {tensor.Strides().begin(), tensor.Strides().end()};
}

std::vector<int64_t> Integers(const PeerTask& task, std::string_view name) {
  const size_t field = FieldIndex(task, name);
  const bool is_signed = task.arguments.schema().fields[field].type == schema::FieldType::kIntArray;
  std::vector<int64_t> values;
  for (size_t i = 0; i < task.arguments.at(field).count; ++i) {
    values.push_back(is_signed ? int64_t{task.arguments.IntAt(field, i)}
                               : int64_t{task.arguments.Uints(field)[i]});
  }
  return values;
}

uint32_t Number(const PeerTask& task, std::string_view field) {
  return task.arguments.Uint(FieldIndex(task, field));
}

double Scalar(const PeerTask& task, std::string_view name) {
  const size_t field = FieldIndex(task, name);
  const uint64_t bits = task.arguments.Scalar(field);
  double value = 0;
  if (task.row.type == DataType::kFloat16) {
    value = ToFloat(Float16{static_cast<uint16_t>(bits)});
  } else {
    DispatchType(TypeList<float, double, int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t,
                          uint16_t, uint8_t>(),
                 task.row.type, [&]<typename T>() {
                   T typed;
                   std::memcpy(&typed, &bits, sizeof typed);
                   value = static_cast<double>(typed);
                 });
  }
  return value;
}

bool IsLinear(const PeerTask& task) { return Number(task, "InterpolationMode") == 1; }

Window WindowOf(const PeerTask& task) {
  return {Integers(task, "WindowSize"), Integers(task, "Strides"), Integers(task, "StartPadding"),
          Integers(task, "EndPadding"), Integers(task, "Dilations")};
}

Matrices MatricesOf(const PeerTask& task) {
  const BoundTensor a = Input(task, 0), b = Input(task, 1), output = Output(task, 0);
  const bool trans_a = Number(task, "TransA") != 0;
  return {trans_a,
          Number(task, "TransB") != 0,
          output.desc.sizes[0],
          output.desc.sizes[1],
          a.desc.sizes[trans_a ? 0 : 1],
          a.desc.strides[0],
          b.desc.strides[0],
          output.desc.strides[0],
          static_cast<const float*>(a.data),
          static_cast<const float*>(b.data),
          static_cast<float*>(output.data)};
}

std::vector<size_t> ChangedAxes(const TensorDesc& a, const TensorDesc& b) {
  std::vector<size_t> axes;
  for (size_t i = 0; i < a.dimension_count; ++i) {
    if (a.sizes[i] != b.sizes[i]) axes.push_back(i);
  }
  return axes;
}

}  // namespace anydml::bench
