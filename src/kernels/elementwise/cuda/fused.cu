// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cuda/launch.cuh"
#include "kernels/elementwise/cuda/fused.h"

namespace anydml::cuda {
namespace {

// The types of one width, as the device compares them.
template <typename T>
__device__ auto Comparable(T value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return Widen(value);
  } else {
    return value;
  }
}

template <typename T>
__device__ T Value(const Scalar& scalar) {
  T value;
  memcpy(&value, scalar.bytes.data(), sizeof value);
  return value;
}

// The gradient is moved as bits, whatever T is.
template <typename T, typename Bits>
__device__ void Gate(const ElementStep& step, const Pack<Bits>& x, Pack<Bits>& gradient) {
  const auto low = Comparable(Value<T>(step.low));
  const auto high = Comparable(Value<T>(step.high));
  for (int i = 0; i < Pack<Bits>::kSize; ++i) {
    const auto value = Comparable(std::bit_cast<T>(x.values[i]));
    bool closed = value <= low || (step.has_high && value >= high);
    if (step.nan_closes) closed = closed || value != value;
    if (closed) gradient.values[i] = 0;
  }
}

__device__ void Gate(const ElementStep& step, const Pack<uint32_t>& x, Pack<uint32_t>& gradient) {
  switch (step.data_type) {
    case DataType::kFloat32:
      return Gate<float>(step, x, gradient);
    case DataType::kInt32:
      return Gate<int32_t>(step, x, gradient);
    default:
      return Gate<uint32_t>(step, x, gradient);
  }
}

__device__ void Gate(const ElementStep& step, const Pack<uint16_t>& x, Pack<uint16_t>& gradient) {
  switch (step.data_type) {
    case DataType::kFloat16:
      return Gate<Float16>(step, x, gradient);
    case DataType::kInt16:
      return Gate<int16_t>(step, x, gradient);
    default:
      return Gate<uint16_t>(step, x, gradient);
  }
}

__device__ void Gate(const ElementStep& step, const Pack<uint8_t>& x, Pack<uint8_t>& gradient) {
  if (step.data_type == DataType::kInt8) return Gate<int8_t>(step, x, gradient);
  Gate<uint8_t>(step, x, gradient);
}

__device__ void Gate(const ElementStep& step, const Pack<uint64_t>& x, Pack<uint64_t>& gradient) {
  if (step.data_type == DataType::kInt64) return Gate<int64_t>(step, x, gradient);
  Gate<uint64_t>(step, x, gradient);
}

// Registers have no addresses: a choice among all, which the compiler unrolls.
template <typename P>
__device__ P Take(const P (&registers)[kMaxRegisters], uint32_t place) {
  P pack = registers[0];
  for (uint32_t i = 1; i < kMaxRegisters; ++i) {
    if (place == i) pack = registers[i];
  }
  return pack;
}

template <typename P>
__device__ void Put(P (&registers)[kMaxRegisters], uint32_t place, const P& pack) {
  for (uint32_t i = 0; i < kMaxRegisters; ++i) {
    if (place == i) registers[i] = pack;
  }
}

// One pack of the output per thread, through all stages.
template <typename Bits>
__global__ void RunChain(FusedChain chain, uint64_t packs) {
  using P = Pack<Bits>;
  const uint64_t number = ThreadNumber();
  if (number >= packs) return;
  auto* output = static_cast<Bits*>(chain.output);
  const auto count = static_cast<int64_t>(chain.elements);
  const int64_t first = static_cast<int64_t>(number) * P::kSize - Lead<P>(output);
  if (first >= count) return;
  P registers[kMaxRegisters] = {};
  const auto operand = [&](const FusedOperand& from) {
    if (from.memory == nullptr) return Take(registers, from.place);
    return LoadPackPart<P>(static_cast<const Bits*>(from.memory), first, count);
  };
  for (uint32_t i = 0; i < chain.stage_count; ++i) {
    const FusedStage& stage = chain.stages[i];
    P result = operand(stage.operands[0]);
    if (stage.step.kind == ElementStep::Kind::kGate) {
      const P x = result;
      result = operand(stage.operands[1]);
      Gate(stage.step, x, result);
    }
    if (i + 1 == chain.stage_count) {
      const bool whole = first >= 0 && first + P::kSize <= count;
      StorePackPart(result, output, first, count, whole);
    } else {
      Put(registers, stage.result, result);
    }
  }
}

}  // namespace

void RunFused(const FusedChain& chain, Stream stream) {
  DispatchWidth(chain.element_size, [&]<typename T>() {
    const uint64_t packs = PacksPerRow(chain.elements, Pack<T>::kSize);
    RunChain<T><<<BlocksFor(packs), kThreadsPerBlock, 0, stream>>>(chain, packs);
  });
}

}  // namespace anydml::cuda
