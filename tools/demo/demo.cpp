// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The five gradient operators on the examples of their pages (ReLU and clip:
// values that show every branch), described by the structs of directml.h.
#include <directml.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "operators/operator.h"
#include "table.h"

namespace anydml::demo {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// A packed FLOAT32 tensor with the memory that it describes.
struct Tensor {
  Tensor(std::vector<UINT> given_sizes, std::vector<float> given_values)
      : sizes(std::move(given_sizes)), values(std::move(given_values)) {
    buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    buffer.DimensionCount = static_cast<UINT>(sizes.size());
    buffer.Sizes = sizes.data();
    buffer.TotalTensorSizeInBytes = values.size() * sizeof(float);
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  // A vector is shown as a column.
  Matrix Show(std::string title) const {
    const size_t columns = sizes.size() == 1 ? 1 : sizes.back();
    return {std::move(title), values.size() / columns, values};
  }

  std::vector<UINT> sizes;
  std::vector<float> values;
  DML_BUFFER_TENSOR_DESC buffer = {};
  DML_TENSOR_DESC desc = {DML_TENSOR_TYPE_BUFFER, &buffer};
};

// Describe, compile, run: the way of every operator.
Status Execute(DML_OPERATOR_TYPE type, const void* desc, std::vector<const Tensor*> inputs,
               Tensor& output) {
  const DML_OPERATOR_DESC operator_desc = {type, desc};
  Result<Operator> op = CreateOperator(&operator_desc, {});
  if (!op.ok()) return op.error();
  Result<CpuProgram> program = Compile(op.value());
  if (!program.ok()) return program.error();
  std::vector<uint64_t> temporary(program.value().temporary_bytes / 8 + 9);
  const auto address = reinterpret_cast<uintptr_t>(temporary.data());
  Bindings bindings;
  bindings.temporary = reinterpret_cast<void*>((address + 63) / 64 * 64);
  for (size_t i = 0; i < inputs.size(); ++i) bindings.inputs[i] = inputs[i]->values.data();
  bindings.outputs[0] = output.values.data();
  static const cpu::Executor executor(0);
  return Run(program.value(), bindings, executor);
}

int Show(std::string_view heading, const Status& status, const std::vector<Matrix>& matrices) {
  if (!status.ok()) {
    fmt::print(stderr, "{}\n", status.error().message);
    return 1;
  }
  fmt::print("{}\n{}\n", heading, SideBySide(matrices));
  return 0;
}

int ShowReluGrad() {
  const Tensor x({8}, {-2, -0.0f, 0, 1e-40f, 3, kNan, INFINITY, -INFINITY});
  const Tensor dy({8}, {1, 2, 3, 4, 5, 6, 7, 8});
  Tensor dx({8}, std::vector<float>(8));
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {&x.desc, &dy.desc, &dx.desc};
  const Status status = Execute(DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc, {&x, &dy}, dx);
  return Show("ACTIVATION_RELU_GRAD: the gradient passes where X > 0", status,
              {x.Show("X"), dy.Show("dY"), dx.Show("result")});
}

int ShowClipGrad() {
  const Tensor x({6}, {-2, -1, 0, 1, 2, kNan});
  const Tensor dy({6}, {1, 2, 3, 4, 5, 6});
  Tensor dx({6}, std::vector<float>(6));
  DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC desc = {
      &x.desc, &dy.desc, &dx.desc, DML_TENSOR_DATA_TYPE_FLOAT32, {}, {}};
  desc.Min.Float32 = -1;
  desc.Max.Float32 = 1;
  const Status status = Execute(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1, &desc, {&x, &dy}, dx);
  return Show("ELEMENT_WISE_CLIP_GRAD1, Min -1, Max 1: it passes strictly between the bounds",
              status, {x.Show("X"), dy.Show("dY"), dx.Show("result")});
}

int ShowResampleGrad() {
  const Tensor dy({1, 3}, {4, 5, 6});
  Tensor dx({2, 2}, std::vector<float>(4));
  const FLOAT scales[] = {0.5f, 1.5f}, in[] = {0.5f, 0.5f}, out[] = {-0.5f, -0.5f};
  const DML_RESAMPLE_GRAD1_OPERATOR_DESC desc = {&dy.desc,
                                                 &dx.desc,
                                                 DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR,
                                                 DML_AXIS_DIRECTION_DECREASING,
                                                 2,
                                                 scales,
                                                 in,
                                                 out};
  const Status status = Execute(DML_OPERATOR_RESAMPLE_GRAD1, &desc, {&dy}, dx);
  return Show("RESAMPLE_GRAD1, nearest, scales 0.5 and 1.5: each pixel gets what it gave", status,
              {dy.Show("dY"), dx.Show("result")});
}

int ShowSliceGrad() {
  const Tensor dy({2, 2}, {1, 3, 9, 11});
  Tensor dx({4, 4}, std::vector<float>(16));
  const UINT offsets[] = {0, 0}, sizes[] = {4, 4};
  const INT strides[] = {2, 2};
  const DML_SLICE_GRAD_OPERATOR_DESC desc = {&dy.desc, &dx.desc, 2, offsets, sizes, strides};
  const Status status = Execute(DML_OPERATOR_SLICE_GRAD, &desc, {&dy}, dx);
  return Show("SLICE_GRAD, every second row and column: back to its place, 0 elsewhere", status,
              {dy.Show("dY"), dx.Show("result")});
}

int ShowMaxPoolingGrad() {
  const Tensor x({1, 1, 3, 3}, {1, 2, 3, 2, 4, 2, 5, 6, 7});
  const Tensor dy({1, 1, 2, 2}, {1, 2, 4, 5});
  Tensor dx({1, 1, 3, 3}, std::vector<float>(9));
  const UINT one[] = {1, 1}, window[] = {2, 2}, none[] = {0, 0};
  const DML_MAX_POOLING_GRAD_OPERATOR_DESC desc = {&x.desc, &dy.desc, &dx.desc, 2,  one,
                                                   window,  none,     none,     one};
  const Status status = Execute(DML_OPERATOR_MAX_POOLING_GRAD, &desc, {&x, &dy}, dx);
  return Show("MAX_POOLING_GRAD, 2x2, stride 1: the largest of each window gets its gradient",
              status, {x.Show("X"), dy.Show("dY"), dx.Show("result")});
}

}  // namespace
}  // namespace anydml::demo

int main() {
  using namespace anydml::demo;  // NOLINT: the program's own names
  return ShowReluGrad() | ShowClipGrad() | ShowResampleGrad() | ShowSliceGrad() |
         ShowMaxPoolingGrad();
}
