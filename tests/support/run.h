// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Runs a DML_OPERATOR_DESC on plain vectors, the way a reader of the pages
// would: describe, create, run, look at the result. Results come from the
// reference and from every strategy that accepts; they must agree.
#pragma once

#include <directml.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "operators/operator.h"

namespace anydml::test {

// A DML_TENSOR_DESC that owns what it points to.
class Tensor {
 public:
  Tensor(DML_TENSOR_DATA_TYPE type, std::vector<UINT> sizes, std::vector<UINT> strides = {});
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  operator const DML_TENSOR_DESC*() const { return &desc_; }  // NOLINT: implicit by design
  DML_BUFFER_TENSOR_DESC& buffer() { return buffer_; }
  DML_TENSOR_DESC& desc() { return desc_; }

 private:
  std::vector<UINT> sizes_;
  std::vector<UINT> strides_;
  DML_BUFFER_TENSOR_DESC buffer_;
  DML_TENSOR_DESC desc_;
};

// The sentence that refuses a description; empty when it is accepted.
std::string Refuse(DML_OPERATOR_TYPE type, const void* desc, const DeviceOptions& options = {});

// One input or output of a run: raw memory in the tensor's layout.
struct Memory {
  const void* data;
  size_t bytes;
};
template <typename T>
Memory In(const std::vector<T>& values) {
  return {values.data(), values.size() * sizeof(T)};
}

// Runs reference and all strategies; returns the first output's bytes (its
// TotalTensorSizeInBytes of them, gaps filled with 0xC5). Failures are reported
// through GoogleTest.
std::vector<uint8_t> RunBytes(DML_OPERATOR_TYPE type, const void* desc,
                              std::span<const Memory> inputs, size_t output = 0,
                              const DeviceOptions& options = {});

// The output as values; trailing bytes that fill up to a multiple of 4 are cut
// off by `count`.
template <typename T>
std::vector<T> RunOn(DML_OPERATOR_TYPE type, const void* desc, std::initializer_list<Memory> inputs,
                     size_t count, size_t output = 0, const DeviceOptions& options = {}) {
  const std::vector<uint8_t> bytes =
      RunBytes(type, desc, std::span<const Memory>(inputs.begin(), inputs.size()), output, options);
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), std::min(bytes.size(), count * sizeof(T)));
  return values;
}

// The bytes of the first output's elements in logical order, from every strategy
// that accepts, compared with nothing: for what RunBytes does not look at, the
// bits of a NaN in operators that calculate, and execution in place, with the
// output laid over an input.
std::vector<std::vector<uint8_t>> RunEachStrategy(DML_OPERATOR_TYPE type, const void* desc,
                                                  std::initializer_list<Memory> inputs,
                                                  std::optional<size_t> in_place_on = {});

template <typename T>
std::vector<uint8_t> BytesOf(const std::vector<T>& values) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  return {bytes, bytes + values.size() * sizeof(T)};
}

// Elements of a packed tensor.
inline size_t Count(const std::vector<UINT>& sizes) {
  size_t count = 1;
  for (UINT size : sizes) count *= size;
  return count;
}

// P(i, m, k) of the acceptance cases: ((i * k) mod m) - floor(m / 2).
inline int Pattern(int64_t i, int64_t m, int64_t k) {
  return static_cast<int>((i * k) % m - m / 2);
}

}  // namespace anydml::test
