// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Nested sums per target element, as in resample/cpu/strided.cpp: one
// thread per element, no memory between.

#include "kernels/elementwise/cuda/copy.h"
#include "kernels/elementwise/cuda/elementwise.cuh"
#include "kernels/resample/cuda/axis_sums.h"

namespace anydml::cuda {
namespace {

using Types = TypeList<float, Float16, int8_t, uint8_t>;

template <typename T>
__device__ float ToSum(T value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<float>(value);
  } else {
    return Widen(value);
  }
}

// Integers: to nearest even, saturated (B26).
template <typename T>
__device__ T FromSum(float sum) {
  if constexpr (std::is_integral_v<T>) {
    const float least = std::is_signed_v<T> ? -128.0f : 0.0f;
    const float most = std::is_signed_v<T> ? 127.0f : 255.0f;
    const float clamped = sum < least ? least : most < sum ? most : sum;
    return static_cast<T>(rintf(clamped));
  } else {
    return Narrow<T>(sum);
  }
}

// One changing axis.
struct SumAxis {
  TapAxis taps;
  DeviceTermTable table;
  bool transposed;
  int64_t source_stride;
};

// The terms of one target index; see TermRange of tensor/axis_sums.h.
class Terms {
 public:
  __device__ Terms(const SumAxis& axis, uint32_t target) : axis_(axis), target_(target) {
    if (axis.table.begin != nullptr) {
      first_ = axis.table.begin[target];
      size_ = axis.table.begin[target + 1] - first_;
    } else if (!axis.transposed) {
      size_ = TapsOf(axis.taps, target).next_weight != 0 ? 2 : 1;
    } else {
      const bool reaches_back = axis.taps.sampling == Sampling::kLinear && target > 0;
      first_ = FirstSampleAt(axis.taps, reaches_back ? target - 1 : target);
      size_ = FirstSampleAt(axis.taps, uint64_t{target} + 1) - first_;
    }
  }

  __device__ uint64_t size() const { return size_; }
  __device__ Term operator[](uint64_t k) const {
    if (axis_.table.begin != nullptr) return axis_.table.terms[first_ + k];
    const uint64_t sample = axis_.transposed ? first_ + k : target_;
    const Taps taps = TapsOf(axis_.taps, sample);
    if (axis_.transposed) {
      return {static_cast<uint32_t>(sample),
              taps.pixel == target_ ? taps.weight : taps.next_weight};
    }
    if (k == 0) return {taps.pixel, taps.weight};
    return {taps.pixel + 1, taps.next_weight};
  }

 private:
  const SumAxis& axis_;
  uint32_t target_;
  uint64_t first_ = 0;
  uint64_t size_ = 0;
};

// The changing axes come first in `sums`, in logical order.
struct DeviceSums {
  uint32_t rank;
  Divider target_sizes[kMaxSumAxes];
  int64_t target_strides[kMaxSumAxes];
  int64_t source_strides[kMaxSumAxes];  // 0 for an axis that changes
  int changing[kMaxSumAxes];            // its place in `axes`; -1 for one that does not
  SumAxis axes[kMaxSumAxes];

  DeviceSums(const AxisSums& sums, const AxisSumsOnDevice& tables) : rank(sums.rank) {
    int count = 0;
    for (uint32_t i = 0; i < rank; ++i) {
      target_sizes[i] = Divider(sums.target_sizes[i]);
      target_strides[i] = sums.target_strides[i];
      source_strides[i] = sums.changes[i] ? 0 : sums.source_strides[i];
      changing[i] = sums.changes[i] ? count : -1;
      if (!sums.changes[i]) continue;
      axes[count++] = {sums.axes[i], tables.axes[i], sums.transposed, sums.source_strides[i]};
    }
  }
};

template <int kAxes, int kAxis, typename T>
__device__ float Sum(const DeviceSums& sums, const T* source, const uint32_t* targets) {
  if constexpr (kAxis == kAxes) {
    return ToSum(*source);
  } else {
    const SumAxis& axis = sums.axes[kAxis];
    const Terms terms(axis, targets[kAxis]);
    float sum = 0;
    for (uint64_t k = 0; k < terms.size(); ++k) {
      const Term term = terms[k];
      if (term.weight == 0) continue;
      sum += term.weight *
             Sum<kAxes, kAxis + 1>(sums, source + term.source * axis.source_stride, targets);
    }
    return sum;
  }
}

template <int kAxes, typename T>
__global__ void SumElements(DeviceSums sums, const T* source, T* target, uint64_t count) {
  const uint64_t thread = ThreadNumber();
  if (thread >= count) return;
  auto number = static_cast<uint32_t>(thread);
  uint32_t targets[kAxes];
  for (uint32_t i = sums.rank; i-- > 0;) {
    const uint32_t rest = sums.target_sizes[i].Quotient(number);
    const uint32_t position = number - rest * sums.target_sizes[i].divisor();
    number = rest;
    source += position * sums.source_strides[i];
    target += position * sums.target_strides[i];
    for (int k = 0; k < kAxes; ++k) {
      if (sums.changing[i] == k) targets[k] = position;
    }
  }
  *target = FromSum<T>(Sum<kAxes, 0>(sums, source, targets));
}

template <int kAxes>
void Launch(const AxisSums& sums, const AxisSumsOnDevice& tables, const Bindings& bindings,
            Stream stream) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < sums.rank; ++i) count *= sums.target_sizes[i];
  DispatchType(Types(), sums.data_type, [&]<typename T>() {
    SumElements<kAxes><<<BlocksFor(count), kThreadsPerBlock, 0, stream>>>(
        DeviceSums(sums, tables), bindings.Input<T>(0), bindings.Output<T>(0), count);
  });
}

}  // namespace

void SumAxesStrided(const AxisSums& sums, const AxisSumsOnDevice& tables, const Bindings& bindings,
                    Stream stream) {
  switch (sums.pass_count) {
    case 0:
      // No axis changes anything: the bits of every element survive.
      return CopyElements(sums.copy, ElementSize(sums.data_type), bindings.inputs[0],
                          bindings.outputs[0], stream);
    case 1:
      return Launch<1>(sums, tables, bindings, stream);
    case 2:
      return Launch<2>(sums, tables, bindings, stream);
    case 3:
      return Launch<3>(sums, tables, bindings, stream);
    default:
      return Launch<4>(sums, tables, bindings, stream);
  }
}

}  // namespace anydml::cuda
