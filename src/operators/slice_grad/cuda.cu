// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of SLICE_GRAD: every thread asks for its elements of the
// output gradient which element of the input gradient lands there, if any.
#include "backends/cuda/launch.cuh"
#include "operators/cuda_operator.h"
#include "operators/slice_grad/plan.h"

namespace anydml::slice_grad {
namespace {

using cuda::Divider;
using cuda::Pack;

struct DeviceAxis {
  Divider size;
  Divider step;
  uint32_t first;
  uint32_t count;
  int64_t output_stride;
  int64_t input_stride;

  DeviceAxis() = default;
  explicit DeviceAxis(const Axis& axis)
      : size(axis.size),
        step(axis.step),
        first(axis.first),
        count(axis.count),
        output_stride(axis.output_stride),
        input_stride(axis.input_stride) {}

  // HasElement(); `element` is then the number of the element at `o`.
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

  explicit DevicePlan(const Plan& plan)
      : outer_rank(plan.rank - 1), inner(plan.inner()), input_start(plan.input_start) {
    for (uint32_t i = 0; i < outer_rank; ++i) outer[i] = DeviceAxis(plan.axes[i]);
  }
};

// Where a row of the output lies, and the row of the input that lands on it.
struct Row {
  bool has_elements = true;
  int64_t output = 0;
  int64_t input;

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
__device__ T ValueAt(const DeviceAxis& axis, const Row& row, const T* input, uint32_t o) {
  uint32_t element = 0;
  if (!row.has_elements || !axis.Find(o, element)) return T{};
  return input[row.input + element * axis.input_stride];
}

template <typename T>
__global__ void PutElements(DevicePlan plan, const T* input, T* output, uint64_t count) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= count) return;
  auto o = static_cast<uint32_t>(number);
  const Row row(plan, plan.inner.size.Split(o));
  output[row.output + o * plan.inner.output_stride] = ValueAt(plan.inner, row, input, o);
}

// 16 bytes of the output at a multiple of 16 bytes; the first and the last pack
// of a row may reach beyond it.
template <typename T>
__global__ void PutPacks(DevicePlan plan, const T* input, T* output, Divider packs_per_row,
                         uint64_t packs) {
  using P = Pack<T>;
  const uint64_t number = cuda::ThreadNumber();
  if (number >= packs) return;
  auto pack = static_cast<uint32_t>(number);
  const Row row(plan, packs_per_row.Split(pack));
  const DeviceAxis& axis = plan.inner;
  T* to = output + row.output;
  const int64_t row_size = axis.size.divisor();
  const int64_t first = int64_t{pack} * P::kSize - cuda::Lead<P>(to);
  if (first >= row_size) return;
  const bool whole = first >= 0 && first + P::kSize <= row_size;
  P values = {};
  const int64_t element = first - axis.first;
  const T* from = input + row.input + element;
  if (axis.step.divisor() == 1 && axis.input_stride == 1 && row.has_elements && element >= 0 &&
      element + P::kSize <= axis.count && cuda::IsAligned(from)) {
    values = cuda::LoadPack<P>(from);
  } else if (row.has_elements) {
    for (int i = 0; i < P::kSize; ++i) {
      if (first + i >= 0 && first + i < row_size) {
        values.values[i] = ValueAt(axis, row, input, static_cast<uint32_t>(first + i));
      }
    }
  }
  cuda::StorePackPart(values, to, first, row_size, whole);
}

Refusal AcceptsPackedRows(const Plan& plan) {
  const uint64_t size = 16 / plan.element_size;
  if (plan.inner().output_stride != 1) return {"the output's innermost stride is not 1"};
  if (plan.inner().size < size && plan.rank > 1) return {"rows are shorter than 16 bytes"};
  if (plan.RowCount() * cuda::PacksPerRow(plan.inner().size, size) > 0xFFFFFFFFu) {
    return {"there are more than 2^32 - 1 blocks of 16 bytes"};
  }
  return kAccepted;
}

void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const uint64_t packs_per_row = cuda::PacksPerRow(plan.inner().size, Pack<T>::kSize);
    const uint64_t packs = plan.RowCount() * packs_per_row;
    PutPacks<<<cuda::BlocksFor(packs), cuda::kThreadsPerBlock, 0, stream>>>(
        DevicePlan(plan), bindings.Input<T>(0), bindings.Output<T>(0), Divider(packs_per_row),
        packs);
  });
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const uint64_t count = plan.RowCount() * plan.inner().size;
    PutElements<<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
        DevicePlan(plan), bindings.Input<T>(0), bindings.Output<T>(0), count);
  });
}

using Strategy = CudaStrategyOf<Plan, NoTables>;
constexpr CudaStrategy kStrategies[] = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const CudaKernel kCudaKernel = {
    .kernel = &kKernel, .upload_tables = NoTablesToUpload, .strategies = kStrategies};

}  // namespace anydml::slice_grad
