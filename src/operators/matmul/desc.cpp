// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/matmul/desc.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/checked_math.h"
#include "operators/matmul/cases.h"
#include "operators/matmul/schema.h"
#include "schema/interpreter.h"
#include "schema/output_tensors.h"

namespace anydml::matmul {
namespace {

// One size of a tensor against one of another: "BTensor.Sizes[0] = 4 must equal ..."
struct SizeOf {
  size_t field;
  uint32_t dimension;
};

std::string Name(const schema::Arguments& arguments, SizeOf size) {
  return fmt::format("{}.Sizes[{}]", arguments.TensorName(size.field), size.dimension);
}

uint32_t ValueOf(const schema::Arguments& arguments, SizeOf size) {
  return arguments.tensor(size.field).sizes[size.dimension];
}

Status CheckEqual(const schema::Arguments& arguments, SizeOf size, SizeOf wanted) {
  const uint32_t a = ValueOf(arguments, size), b = ValueOf(arguments, wanted);
  if (a == b) return {};
  return arguments.Fail(fmt::format("{} = {} must equal {} = {}", Name(arguments, size), a,
                                    Name(arguments, wanted), b));
}

}  // namespace

namespace gemm {
namespace {

// Which dimensions are M and K of A, K and N of B.
struct MatrixSizes {
  SizeOf m, a_k, b_k, n;

  explicit MatrixSizes(const schema::Arguments& arguments) {
    const uint32_t count = arguments.tensor(kATensor).dimension_count;
    m = {kATensor, count - 2}, a_k = {kATensor, count - 1};
    b_k = {kBTensor, count - 2}, n = {kBTensor, count - 1};
    if (arguments.Uint(kTransA) != 0) std::swap(m, a_k);
    if (arguments.Uint(kTransB) != 0) std::swap(b_k, n);
  }
};

// Of a softmax, whose axes and sizes are those of the output.
Status CheckFused(const schema::Arguments& arguments) {
  const auto& fused = arguments.at(kFusedActivation).description;
  if (fused == nullptr) return {};
  schema::Arguments activation = *fused;
  for (size_t tensor : {activation.inputs()[0], activation.outputs()[0]}) {
    activation.tensor(tensor) = arguments.tensor(kOutputTensor);
  }
  const Status status = schema::Validate(activation, kNewestFeatureLevel);
  if (status.ok()) return {};
  return arguments.Fail(fmt::format("FusedActivation: {}", status.error().message));
}

}  // namespace

Status Check(const schema::Arguments& arguments) {
  const MatrixSizes sizes(arguments);
  const uint32_t count = arguments.tensor(kATensor).dimension_count;
  for (uint32_t i = 0; i + 2 < count; ++i) {
    for (size_t field : {kBTensor, kOutputTensor}) {
      Status status = CheckEqual(arguments, {field, i}, {kATensor, i});
      if (!status.ok()) return status;
    }
  }
  Status status = CheckEqual(arguments, sizes.b_k, sizes.a_k);
  if (!status.ok()) return status;
  status = CheckEqual(arguments, {kOutputTensor, count - 2}, sizes.m);
  if (!status.ok()) return status;
  status = CheckEqual(arguments, {kOutputTensor, count - 1}, sizes.n);
  if (!status.ok()) return status;
  return CheckFused(arguments);
}

Result<std::vector<TensorDesc>> OutputTensors(const schema::Arguments& arguments) {
  const TensorDesc& a = arguments.tensor(kATensor);
  const MatrixSizes sizes(arguments);
  Dimensions output = a.sizes;
  output[a.dimension_count - 2] = ValueOf(arguments, sizes.m);
  output[a.dimension_count - 1] = ValueOf(arguments, sizes.n);
  return std::vector{PackedTensor(a.data_type, {output.data(), a.dimension_count})};
}

}  // namespace gemm

namespace convolution {
namespace {

bool IsBackward(const schema::Arguments& arguments) {
  return arguments.Uint(kDirection) == DML_CONVOLUTION_DIRECTION_BACKWARD;
}

Status CheckGroups(const schema::Arguments& arguments, SizeOf channels) {
  const uint32_t groups = arguments.Uint(kGroupCount);
  const uint32_t count = ValueOf(arguments, channels);
  if (groups != 0 && count % groups == 0) return {};
  return arguments.Fail(
      fmt::format("GroupCount = {} must divide {} = {}", groups, Name(arguments, channels), count));
}

// The filter has the channels of a group in its second dimension.
Status CheckFilterChannels(const schema::Arguments& arguments, SizeOf channels) {
  const uint32_t groups = arguments.Uint(kGroupCount);
  const uint32_t given = ValueOf(arguments, {kFilterTensor, 1});
  const uint32_t wanted = ValueOf(arguments, channels) / groups;
  if (given == wanted) return {};
  return arguments.Fail(fmt::format("FilterTensor.Sizes[1] = {} must be {} = {} / GroupCount",
                                    given, wanted, Name(arguments, channels)));
}

Status CheckBias(const schema::Arguments& arguments) {
  const TensorDesc& bias = arguments.tensor(kBiasTensor);
  if (!bias.present()) return {};
  for (uint32_t i = 0; i < bias.dimension_count; ++i) {
    if (i == 1) {
      Status status = CheckEqual(arguments, {kBiasTensor, 1}, {kOutputTensor, 1});
      if (!status.ok()) return status;
    } else if (bias.sizes[i] != 1) {
      return arguments.Fail(fmt::format("BiasTensor.Sizes[{}] = {} must be 1", i, bias.sizes[i]));
    }
  }
  return {};
}

// One spatial axis, in numbers that cannot wrap.
struct AxisSizes {
  uint64_t span, padded;

  // Of an image of `image` elements.
  AxisSizes(const schema::Arguments& arguments, uint32_t axis, uint64_t image)
      : span((uint64_t{arguments.tensor(kFilterTensor).sizes[2 + axis]} - 1) *
                 arguments.Uints(kDilations)[axis] +
             1),
        padded(image + arguments.Uints(kStartPadding)[axis] + arguments.Uints(kEndPadding)[axis]) {}

  uint64_t Windows(uint32_t stride) const { return (padded - span) / stride + 1; }
};

Status CheckSpan(const schema::Arguments& arguments, uint32_t axis, const AxisSizes& sizes,
                 std::string_view image) {
  if (sizes.span <= sizes.padded) return {};
  return arguments.Fail(fmt::format(
      "FilterTensor.Sizes[{}] = {} with Dilations[{}] = {} spans {} elements and must span at most "
      "{} + StartPadding[{}] + EndPadding[{}] = {}",
      2 + axis, arguments.tensor(kFilterTensor).sizes[2 + axis], axis,
      arguments.Uints(kDilations)[axis], sizes.span, image, axis, axis, sizes.padded));
}

Status CheckAxis(const schema::Arguments& arguments, uint32_t axis) {
  const uint32_t padding = arguments.Uints(kOutputPadding)[axis];
  const SizeOf output = {kOutputTensor, 2 + axis}, input = {kInputTensor, 2 + axis};
  const uint32_t output_size = ValueOf(arguments, output);
  if (padding >= output_size) {
    return arguments.Fail(fmt::format("OutputPadding[{}] = {} must be less than {} = {}", axis,
                                      padding, Name(arguments, output), output_size));
  }
  const uint32_t own = output_size - padding;
  std::string own_name = Name(arguments, output);
  if (padding != 0) own_name += fmt::format(" - OutputPadding[{}]", axis);
  const bool backward = IsBackward(arguments);
  const uint32_t input_size = ValueOf(arguments, input);
  const std::string input_name = Name(arguments, input);
  const AxisSizes sizes(arguments, axis, backward ? own : input_size);
  Status status = CheckSpan(arguments, axis, sizes, backward ? own_name : input_name);
  if (!status.ok()) return status;
  const uint32_t stride = arguments.Uints(kStrides)[axis];
  const uint64_t map = backward ? input_size : own;
  if (map <= sizes.Windows(stride)) return {};
  return arguments.Fail(fmt::format("{} = {} must be at most {} = ({} - {}) / {} + 1",
                                    backward ? input_name : own_name, map, sizes.Windows(stride),
                                    sizes.padded, sizes.span, stride));
}

Status CheckBatch(const schema::Arguments& arguments) {
  return CheckEqual(arguments, {kOutputTensor, 0}, {kInputTensor, 0});
}

}  // namespace

Status Check(const schema::Arguments& arguments) {
  const bool backward = IsBackward(arguments);
  const SizeOf in = {kInputTensor, 1}, out = {kOutputTensor, 1};
  Status status = CheckBatch(arguments);
  if (status.ok()) status = CheckGroups(arguments, in);
  if (status.ok()) status = CheckGroups(arguments, out);
  if (status.ok()) status = CheckEqual(arguments, {kFilterTensor, 0}, backward ? in : out);
  if (status.ok()) status = CheckFilterChannels(arguments, backward ? out : in);
  if (status.ok()) status = CheckBias(arguments);
  const uint32_t axes = arguments.tensor(kInputTensor).dimension_count - 2;
  for (uint32_t i = 0; i < axes && status.ok(); ++i) status = CheckAxis(arguments, i);
  return status;
}

// Forward the largest map; backward the smallest image, and the output padding beside it.
Result<std::vector<TensorDesc>> OutputTensors(const schema::Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(kInputTensor);
  const TensorDesc& filter = arguments.tensor(kFilterTensor);
  const bool backward = IsBackward(arguments);
  Dimensions sizes = input.sizes;
  Status status = StoreOutputSize(
      arguments, kOutputTensor, 1,
      backward ? uint64_t{filter.sizes[1]} * arguments.Uint(kGroupCount) : filter.sizes[0], sizes);
  for (uint32_t i = 0; i < input.dimension_count - 2 && status.ok(); ++i) {
    const uint32_t stride = arguments.Uints(kStrides)[i];
    uint64_t size = 0;
    if (backward) {
      const AxisSizes of(arguments, i, 0);
      const std::optional<uint64_t> padded =
          CheckedAdd(of.span, CheckedMultiply(stride, input.sizes[2 + i] - uint64_t{1}));
      if (padded && *padded <= of.padded) {
        return arguments.Fail(fmt::format(
            "StartPadding[{}] + EndPadding[{}] = {} leave nothing of {} elements of the output", i,
            i, of.padded, *padded));
      }
      const std::optional<uint64_t> whole = CheckedAdd(padded, arguments.Uints(kOutputPadding)[i]);
      if (!whole) {
        return arguments.Fail(fmt::format("{}, which would be more than 2^63, must be at most {}",
                                          Name(arguments, {kOutputTensor, 2 + i}), kMaxElements));
      }
      size = *whole - of.padded;
    } else {
      const AxisSizes of(arguments, i, input.sizes[2 + i]);
      status = CheckSpan(arguments, i, of, Name(arguments, {kInputTensor, 2 + i}));
      if (!status.ok()) return status.error();
      size = of.Windows(stride) + arguments.Uints(kOutputPadding)[i];
    }
    status = StoreOutputSize(arguments, kOutputTensor, 2 + i, size, sizes);
  }
  if (!status.ok()) return status.error();
  return std::vector{PackedTensor(input.data_type, {sizes.data(), input.dimension_count})};
}

}  // namespace convolution

GemmDesc MakeGemmDesc(const schema::Arguments& arguments, const DeviceOptions& options) {
  return {.a = arguments.tensor(gemm::kATensor),
          .b = arguments.tensor(gemm::kBTensor),
          .c = arguments.tensor(gemm::kCTensor),
          .output = arguments.tensor(gemm::kOutputTensor),
          .a_is_transposed = arguments.Uint(gemm::kTransA) != 0,
          .b_is_transposed = arguments.Uint(gemm::kTransB) != 0,
          .alpha = arguments.Float(gemm::kAlpha),
          .beta = arguments.Float(gemm::kBeta),
          .threads = options.threads};
}

ConvolutionDesc MakeConvolutionDesc(const schema::Arguments& arguments,
                                    const DeviceOptions& options) {
  using namespace convolution;
  ConvolutionDesc desc = {};
  desc.input = arguments.tensor(kInputTensor);
  desc.filter = arguments.tensor(kFilterTensor);
  desc.bias = arguments.tensor(kBiasTensor);
  desc.output = arguments.tensor(kOutputTensor);
  desc.is_flipped = arguments.Uint(kMode) == DML_CONVOLUTION_MODE_CONVOLUTION;
  desc.is_backward = IsBackward(arguments);
  desc.axes = desc.input.dimension_count - 2;
  for (uint32_t i = 0; i < desc.axes; ++i) {
    desc.strides[i] = arguments.Uints(kStrides)[i];
    desc.dilations[i] = arguments.Uints(kDilations)[i];
    desc.start_padding[i] = arguments.Uints(kStartPadding)[i];
    desc.output_padding[i] = arguments.Uints(kOutputPadding)[i];
  }
  desc.groups = arguments.Uint(kGroupCount);
  desc.threads = options.threads;
  return desc;
}

constinit const Definition kGemm = {&gemm::kSchema,  EraseDesc<GemmDesc, MakeGemmDesc>,
                                    &kGemmKernel,    kGemmCases,
                                    kGemmBenchCases, GemmGradient};
constinit const Definition kConvolution = {
    &convolution::kSchema,  EraseDesc<ConvolutionDesc, MakeConvolutionDesc>,
    &kConvolutionKernel,    kConvolutionCases,
    kConvolutionBenchCases, ConvolutionGradient};

}  // namespace anydml::matmul
