// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/memory.h"

#include <cstring>
#include <new>

#include "operators/describe.h"

namespace anydml::bench {
namespace {

// SplitMix64: as random as this needs, and every element can start anew.
uint64_t Hash(uint64_t value) {
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

// `place` tells neighbours apart: 7 bits.
template <typename T>
T MakeElement(uint64_t random, uint32_t place) {
  const auto sign = static_cast<uint32_t>(random >> 63);
  const uint32_t low = place << 1 | 1;
  if constexpr (std::is_same_v<T, Float16>) {
    const uint32_t magnitude = 0x3400u + ((random & 0xF) << 8 | low);  // 0.25 and up
    return {static_cast<uint16_t>(sign << 15 | magnitude)};
  } else if constexpr (std::is_floating_point_v<T>) {
    const uint32_t magnitude = 0x3E800000u + static_cast<uint32_t>((random & 0x1FFFF) << 8 | low);
    return std::bit_cast<float>(sign << 31 | magnitude);
  } else {
    const T value = (random & 1) != 0 ? T{1} : T{3};
    return std::is_signed_v<T> && sign != 0 ? static_cast<T>(-value) : value;
  }
}

// Coordinates of the row-th run along the last dimension.
struct RowStart {
  uint64_t offset = 0;   // in elements
  uint32_t place = 0;    // what MakeElement wants, without the last dimension
  bool repeats = false;  // an earlier row
};

RowStart FindRow(const TensorDesc& tensor, uint64_t row) {
  RowStart start;
  const uint32_t last = tensor.dimension_count - 1;
  for (uint32_t i = last; i-- > 0;) {
    const auto coordinate = static_cast<uint32_t>(row % tensor.sizes[i]);
    row /= tensor.sizes[i];
    start.offset += uint64_t{coordinate} * tensor.strides[i];
    start.repeats = start.repeats || (coordinate != 0 && tensor.strides[i] == 0);
    if (i + 1 == last) start.place |= (coordinate & 7) << 3;
    if (i + 2 == last) start.place |= (coordinate & 1) << 6;
  }
  return start;
}

template <typename T>
void Fill(const TensorDesc& tensor, uint64_t seed, const cpu::Executor& executor, T* data) {
  const uint64_t length = tensor.sizes[tensor.dimension_count - 1];
  const uint64_t stride = tensor.strides[tensor.dimension_count - 1];
  executor.ParallelFor(tensor.ElementCount() / length, 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t row = begin; row < end; ++row) {
      const RowStart start = FindRow(tensor, row);
      if (start.repeats) continue;
      for (uint64_t i = 0; i < (stride == 0 ? 1 : length); ++i) {
        data[start.offset + i * stride] = MakeElement<T>(
            Hash(seed + row * length + i), start.place | static_cast<uint32_t>(i & 7));
      }
    }
  });
}

uint64_t BytesOf(const TensorDesc& tensor) { return tensor.present() ? tensor.total_bytes : 0; }

}  // namespace

Buffer::Buffer(uint64_t bytes) : bytes_(bytes) {
  const uint64_t rounded = (bytes / kCacheLine + 1) * kCacheLine;
  data_.reset(static_cast<uint8_t*>(std::aligned_alloc(kCacheLine, rounded)));
  if (data_ == nullptr) throw std::bad_alloc();
  std::memset(data_.get(), 0, rounded);
}

void FillRandom(const TensorDesc& tensor, uint64_t seed, const cpu::Executor& executor,
                uint8_t* data) {
  using Types = TypeList<float, Float16, double, int64_t, int32_t, int16_t, int8_t, uint64_t,
                         uint32_t, uint16_t, uint8_t>;
  DispatchType(Types(), tensor.data_type, [&]<typename T>() {
    Fill(tensor, Hash(seed), executor, reinterpret_cast<T*>(data));
  });
}

Arena::Arena(const schema::Arguments& arguments, uint64_t seed, const cpu::Executor& executor) {
  for (size_t field : arguments.inputs()) {
    const TensorDesc& tensor = arguments.tensor(field);
    inputs.emplace_back(BytesOf(tensor));
    if (tensor.present()) FillRandom(tensor, seed + field, executor, inputs.back().data());
  }
  for (size_t field : arguments.outputs()) {
    outputs.emplace_back(BytesOf(arguments.tensor(field)));
  }
}

Bindings Arena::Bind() {
  Bindings bindings;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].bytes() != 0) bindings.inputs[i] = inputs[i].data();
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].bytes() != 0) bindings.outputs[i] = outputs[i].data();
  }
  return bindings;
}

}  // namespace anydml::bench
