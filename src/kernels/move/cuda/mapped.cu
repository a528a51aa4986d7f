// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows that are put together from runs of the input's rows and a value: every thread asks for its
// elements where they come from.
#include "backends/cuda/launch.cuh"
#include "kernels/move/cuda/strategies.h"
#include "kernels/move/mapped_plan.h"

namespace anydml::move {
namespace {

using cuda::Divider;
using cuda::Pack;

struct DeviceAxis : MappedAxis {
  Divider sizes;
  Divider periods;

  DeviceAxis() = default;
  // A period beyond 2^32 does not end inside of a tensor.
  explicit DeviceAxis(const MappedAxis& axis)
      : MappedAxis(axis),
        sizes(axis.size),
        periods(std::min<uint64_t>(axis.Period(), 0xFFFFFFFFu)) {}

  // Of the shared RunAt, which is host code to the compiler, too.
  __host__ __device__ uint32_t PlaceInPeriod(uint32_t distance) const {
#ifdef __CUDA_ARCH__
    periods.Split(distance);
    return distance;
#else
    return MappedAxis::PlaceInPeriod(distance);
#endif
  }
};

struct DevicePlan {
  uint32_t outer_rank;
  DeviceAxis outer[kMaxDimensions];
  DeviceAxis row;
  uint32_t inner;
  Divider inners;
  uint32_t row_size;
  int64_t output_step;

  explicit DevicePlan(const Mapped& plan)
      : outer_rank(plan.rank - 1),
        row(plan.row()),
        inner(plan.inner),
        inners(plan.inner),
        row_size(static_cast<uint32_t>(plan.RowElements())),
        output_step(plan.OutputStep()) {
    for (uint32_t i = 0; i < outer_rank; ++i) outer[i] = DeviceAxis(plan.axes[i]);
  }

  // Of element `at` of a row that is not all value.
  __device__ RowRun RunOfRow(int64_t at) const {
    auto skip = static_cast<uint32_t>(at);
    const uint32_t o = inners.Split(skip);
    return RowRunAt(row, inner, o, skip);
  }
};

// Where a row of the output lies, and the row of the input that it reads.
struct Row {
  bool is_value = false;
  int64_t output = 0;
  int64_t input = 0;

  __device__ Row(const DevicePlan& plan, uint32_t number) {
    for (uint32_t i = plan.outer_rank; i-- > 0;) {
      const DeviceAxis& axis = plan.outer[i];
      const uint32_t rest = axis.sizes.Quotient(number);
      const uint32_t o = number - rest * axis.size;
      number = rest;
      const int64_t element = RunAt(axis, o).element;
      is_value = is_value || element < 0;
      output += o * axis.output_stride;
      input += element * axis.input_stride;
    }
  }
};

template <typename T>
__device__ T ElementAt(const DevicePlan& plan, const Row& row, const T* input, T value,
                       int64_t at) {
  if (row.is_value) return value;
  const RowRun run = plan.RunOfRow(at);
  return run.source < 0 ? value : input[row.input + run.source];
}

template <typename T>
__global__ void PutElements(DevicePlan plan, const T* input, T* output, T value, Divider row_sizes,
                            uint64_t count) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= count) return;
  auto at = static_cast<uint32_t>(number);
  const Row row(plan, row_sizes.Split(at));
  output[row.output + at * plan.output_step] = ElementAt(plan, row, input, value, at);
}

// 16 bytes of the output per thread; mostly they come from one run.
template <typename T>
__global__ void PutPacks(DevicePlan plan, const T* __restrict__ input, T* __restrict__ output,
                         T value, Divider packs_per_row, uint64_t packs) {
  using P = Pack<T>;
  const uint64_t number = cuda::ThreadNumber();
  if (number >= packs) return;
  auto pack = static_cast<uint32_t>(number);
  const Row row(plan, packs_per_row.Split(pack));
  T* const to = output + row.output;
  const int64_t size = plan.row_size;
  const int64_t first = int64_t{pack} * P::kSize - cuda::Lead<P>(to);
  if (first >= size) return;
  const bool whole = first >= 0 && first + P::kSize <= size;
  RowRun run = {-1, 0, ~uint64_t{0}};
  if (whole && !row.is_value) run = plan.RunOfRow(first);
  P values;
  if (whole && run.count >= P::kSize && run.step == 1) {
    const int64_t row_end = run.source + static_cast<int64_t>(run.count);
    values = cuda::LoadPackPart<P>(input + row.input, run.source, row_end);
  } else if (whole && run.count >= P::kSize) {
    for (int i = 0; i < P::kSize; ++i) {
      values.values[i] = run.source < 0 ? value : input[row.input + run.source + i * run.step];
    }
  } else {
    for (int i = 0; i < P::kSize; ++i) {
      const bool inside = first + i >= 0 && first + i < size;
      values.values[i] = inside ? ElementAt(plan, row, input, value, first + i) : T{};
    }
  }
  cuda::StorePackPart(values, to, first, size, whole);
}

Refusal AcceptsPackedRows(const Mapped& plan) {
  const uint64_t size = 16 / plan.element_size;
  if (plan.OutputStep() != 1) return {"the output's innermost stride is not 1"};
  if (plan.RowElements() < size && plan.rank > 1) return {"rows are shorter than 16 bytes"};
  if (plan.RowCount() * cuda::PacksPerRow(plan.RowElements(), size) > 0xFFFFFFFFu) {
    return {"there are more than 2^32 - 1 blocks of 16 bytes"};
  }
  return kAccepted;
}

template <bool kPacked>
void Run(const Mapped& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const uint64_t per_row =
        kPacked ? cuda::PacksPerRow(plan.RowElements(), Pack<T>::kSize) : plan.RowElements();
    const uint64_t count = plan.RowCount() * per_row;
    const auto put = kPacked ? PutPacks<T> : PutElements<T>;
    put<<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
        DevicePlan(plan), bindings.Input<T>(0), bindings.Output<T>(0), plan.value.As<T>(),
        Divider(per_row), count);
  });
}

using Strategy = CudaStrategyOf<Mapped, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaMapped[] = {
    Strategy::Named<AcceptsPackedRows, Run<true>>("packed_rows"),
    Strategy::Named<AcceptsAll<Mapped>, Run<false>>("strided"),
};

}  // namespace anydml::move
