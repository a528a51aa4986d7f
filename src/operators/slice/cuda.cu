// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of SLICE and SLICE1: a copy from strides of either sign. Of SLICE_GRAD: every
// thread asks for its elements of the output which element of the input lands there, if any.
#include <algorithm>

#include "backends/cuda/launch.cuh"
#include "kernels/cuda_kernel.h"
#include "kernels/elementwise/cuda/elementwise.cuh"
#include "operators/slice/plan.h"

namespace anydml::slice {
namespace {

Bindings FromStart(const Plan& plan, Bindings bindings) {
  const int64_t bytes = plan.input_start * int64_t{plan.element_size};
  bindings.inputs[0] = bindings.Input<char>(0) + bytes;
  return bindings;
}

Refusal AcceptsPackedRows(const Plan& plan) {
  return {cuda::RefusePackedRows(plan.loop, plan.element_size)};
}

void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    cuda::TransformPackedRows<T>(plan.loop, FromStart(plan, bindings), stream, cuda::Copied());
  });
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    cuda::TransformStrided<T>(plan.loop, FromStart(plan, bindings), stream, cuda::Copied());
  });
}

using Strategy = CudaStrategyOf<Plan, NoTables>;
constexpr CudaStrategy kStrategies[] = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const CudaKernel kCudaKernel = {.name = "slice", .strategies = kStrategies};

// ---- The gradient

namespace {

using cuda::Divider;
using cuda::Pack;

struct DeviceAxis {
  Divider size;
  Divider step;
  uint32_t first;  // coordinates of the first and the last element
  uint32_t last;
  uint32_t count;
  int64_t output_stride;
  int64_t input_stride;

  DeviceAxis() = default;
  explicit DeviceAxis(const PlacedAxis& axis)
      : size(axis.size),
        step(axis.step),
        first(axis.first),
        last(static_cast<uint32_t>(CoordinateOf(axis, axis.count - 1))),
        count(axis.count),
        output_stride(axis.output_stride),
        input_stride(axis.input_stride) {}

  // Whether an element lands on coordinate `o`; `element` is then its number.
  __device__ bool Find(uint32_t o, uint32_t& element) const {
    uint32_t distance = o - first;  // wraps below `first`: then beyond `count`
    element = step.Split(distance);
    return o >= first && distance == 0 && element < count;
  }
};

struct DevicePlan {
  uint32_t outer_rank;
  DeviceAxis outer[kMaxDimensions];
  DeviceAxis inner;
  int64_t input_start;

  explicit DevicePlan(const GradientPlan& plan)
      : outer_rank(plan.rank - 1), inner(plan.inner()), input_start(plan.input_start) {
    for (uint32_t i = 0; i < outer_rank; ++i) outer[i] = DeviceAxis(plan.axes[i]);
  }
};

// Where a row of the output lies, and the row of the input that lands on it.
struct Row {
  bool has_elements = true;
  int64_t output = 0;
  int64_t input = 0;

  Row() = default;
  __device__ Row(const DevicePlan& plan, uint32_t number) : input(plan.input_start) {
    for (uint32_t i = plan.outer_rank; i-- > 0;) {
      const DeviceAxis& axis = plan.outer[i];
      const uint32_t rest = axis.size.Quotient(number);
      const uint32_t o = number - rest * axis.size.divisor();
      number = rest;
      uint32_t element = 0;
      has_elements = axis.Find(o, element) && has_elements;
      output += o * axis.output_stride;
      input += element * axis.input_stride;
    }
  }
};

template <typename T>
__global__ void PutElements(DevicePlan plan, const T* input, T* output, uint64_t count) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= count) return;
  auto o = static_cast<uint32_t>(number);
  const Row row(plan, plan.inner.size.Split(o));
  const DeviceAxis& axis = plan.inner;
  uint32_t element = 0;
  const bool has_element = axis.Find(o, element) && row.has_elements;
  output[row.output + o * axis.output_stride] =
      has_element ? input[row.input + element * axis.input_stride] : T{};
}

// What lands on the pack whose first element lies `distance` behind the axis'
// first, where the step is 2: every other element is 0. `row` is the input's.
template <typename T, typename Index>
__device__ Pack<T> TakeEveryOther(const DeviceAxis& axis, const T* row, Index distance) {
  constexpr int kHalf = Pack<T>::kSize / 2;
  using H = Pack<T, kHalf>;
  const Index element = (distance + 1) >> 1;
  const bool odd = distance & 1;
  const auto count = static_cast<Index>(axis.count);
  const T* from = row + element * axis.input_stride;
  H half = {};
  if (element >= 0 && element + kHalf <= count && axis.input_stride == 1 &&
      cuda::IsAligned(from, sizeof(H))) {
    half = cuda::LoadPack<H>(from);
  } else {
    for (int i = 0; i < kHalf; ++i) {
      if (element + i >= 0 && element + i < count) half.values[i] = from[i * axis.input_stride];
    }
  }
  Pack<T> values;
  for (int i = 0; i < kHalf; ++i) {
    values.values[2 * i] = odd ? T{} : half.values[i];
    values.values[2 * i + 1] = odd ? half.values[i] : T{};
  }
  return values;
}

// The same for any step: the place inside the step is counted along.
template <typename T, typename Index>
__device__ Pack<T> TakeApart(const DeviceAxis& axis, const T* row, Index distance) {
  Pack<T> values = {};
  const uint32_t step = axis.step.divisor();
  const Index skipped = distance < 0 ? -distance : 0;
  auto place = static_cast<uint32_t>(distance + skipped);
  uint32_t element = axis.step.Split(place);
  for (int i = 0; i < Pack<T>::kSize; ++i) {
    if (i < skipped) continue;
    if (place == 0 && element < axis.count) {
      values.values[i] = row[element * axis.input_stride];
    }
    if (++place == step) {
      place = 0;
      ++element;
    }
  }
  return values;
}

// A block puts kItems packs per thread: some whole rows, or a part of a long one.
// Rows are found once per block, one by each thread.
struct Blocks {
  uint64_t rows;
  uint32_t rows_per_block;
  Divider packs_per_row;
  Divider parts;  // blocks per row where it is a long one
};

// Index holds the numbers of a row's elements and of those a pack reaches beyond.
template <typename Index, typename T>
__device__ void PutPack(const DeviceAxis& axis, const Row& row, uint32_t pack, const T* input,
                        T* output) {
  using P = Pack<T>;
  T* to = output + row.output;
  const auto row_size = static_cast<Index>(axis.size.divisor());
  const auto first = static_cast<Index>(static_cast<Index>(pack) * P::kSize - cuda::Lead<P>(to));
  if (first >= row_size) return;
  P values = {};
  const Index distance = first - static_cast<Index>(axis.first);
  if (row.has_elements && distance > -P::kSize && first <= static_cast<Index>(axis.last)) {
    const T* from = input + row.input;
    const auto count = static_cast<Index>(axis.count);
    if (axis.step.divisor() == 1) {
      values = cuda::LoadPackApart<P>(from, axis.input_stride, distance, count);
    } else if (axis.step.divisor() == 2) {
      values = TakeEveryOther(axis, from, distance);
    } else {
      values = TakeApart(axis, from, distance);
    }
  }
  const bool whole = first >= 0 && first + P::kSize <= row_size;
  cuda::StorePackPart(values, to, first, row_size, whole);
}

template <typename Index, typename T, int kItems>
__global__ void PutPacks(DevicePlan plan, const T* __restrict__ input, T* __restrict__ output,
                         Blocks blocks) {
  __shared__ Row rows[cuda::kThreadsPerBlock];
  uint32_t part = blockIdx.x;
  const uint64_t first_row = uint64_t{blocks.parts.Split(part)} * blocks.rows_per_block;
  const uint64_t left = blocks.rows - first_row;
  const auto here =
      static_cast<uint32_t>(left < blocks.rows_per_block ? left : blocks.rows_per_block);
  if (threadIdx.x < here) {
    rows[threadIdx.x] = Row(plan, static_cast<uint32_t>(first_row + threadIdx.x));
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    uint32_t pack = (part * kItems + i) * cuda::kThreadsPerBlock + threadIdx.x;
    const uint32_t row = blocks.packs_per_row.Split(pack);
    if (row < here) PutPack<Index>(plan.inner, rows[row], pack, input, output);
  }
}

Refusal AcceptsPackedRows(const GradientPlan& plan) {
  const uint64_t size = 16 / plan.element_size;
  if (plan.inner().output_stride != 1) return {"the output's innermost stride is not 1"};
  if (plan.inner().size < size && plan.rank > 1) return {"rows are shorter than 16 bytes"};
  if (plan.RowCount() * cuda::PacksPerRow(plan.inner().size, size) > 0xFFFFFFFFu) {
    return {"there are more than 2^32 - 1 blocks of 16 bytes"};
  }
  return kAccepted;
}

// Longer rows need 64 bits for the packs at their end.
constexpr uint64_t kMaxSmallRow = 1u << 30;

// Whether every row of the output begins at a multiple of 16 bytes.
bool RowsAreAligned(const GradientPlan& plan, const void* output) {
  uint64_t bits = reinterpret_cast<uintptr_t>(output);
  for (uint32_t i = 0; i + 1 < plan.rank; ++i) {
    bits |= static_cast<uint64_t>(plan.axes[i].output_stride) * plan.element_size;
  }
  return bits % 16 == 0;
}

// Measured: two packs per thread, or for halves one.
template <typename T>
inline constexpr int kItems = sizeof(T) == 2 ? 1 : 2;

void RunPackedRows(const GradientPlan& plan, const NoTables&, const Bindings& bindings,
                   cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    constexpr uint64_t kSize = Pack<T>::kSize;
    constexpr uint64_t kPacks = uint64_t{cuda::kThreadsPerBlock} * kItems<T>;
    const uint64_t size = plan.inner().size;
    const uint64_t packs = RowsAreAligned(plan, bindings.outputs[0])
                               ? (size + kSize - 1) / kSize
                               : cuda::PacksPerRow(size, kSize);
    const uint64_t rows = std::clamp<uint64_t>(kPacks / packs, 1, cuda::kThreadsPerBlock);
    const uint64_t parts = rows == 1 ? (packs + kPacks - 1) / kPacks : 1;
    const uint64_t groups = (plan.RowCount() + rows - 1) / rows;
    const Blocks blocks = {plan.RowCount(), static_cast<uint32_t>(rows), Divider(packs),
                           Divider(parts)};
    const auto put =
        size <= kMaxSmallRow ? PutPacks<int32_t, T, kItems<T>> : PutPacks<int64_t, T, kItems<T>>;
    put<<<static_cast<unsigned>(groups * parts), cuda::kThreadsPerBlock, 0, stream>>>(
        DevicePlan(plan), bindings.Input<T>(0), bindings.Output<T>(0), blocks);
  });
}

void RunStrided(const GradientPlan& plan, const NoTables&, const Bindings& bindings,
                cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const uint64_t count = plan.RowCount() * plan.inner().size;
    PutElements<<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
        DevicePlan(plan), bindings.Input<T>(0), bindings.Output<T>(0), count);
  });
}

using GradientStrategy = CudaStrategyOf<GradientPlan, NoTables>;
constexpr CudaStrategy kGradientStrategies[] = {
    GradientStrategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    GradientStrategy::Named<AcceptsAll<GradientPlan>, RunStrided>("strided"),
};

}  // namespace

constinit const CudaKernel kCudaGradientKernel = {.name = "slice_grad",
                                                  .strategies = kGradientStrategies};

}  // namespace anydml::slice
