// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Memory of tensors in tests: guard bytes on both sides, random contents full
// of awkward values, comparison element by element.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tensor/tensor_desc.h"

namespace anydml::test {

// Bytes of one tensor between two guards. The data starts 16 bytes past a
// 64-byte boundary, the least alignment that a binding may have, or as told.
class TensorMemory {
 public:
  explicit TensorMemory(const TensorDesc& desc, uint8_t fill = 0xC5, size_t past_line = 16);

  const TensorDesc& desc() const { return desc_; }
  uint8_t* data() { return storage_.data() + start_; }
  const uint8_t* data() const { return storage_.data() + start_; }

  // Values that hit every branch: ties, zeros of both signs, infinities, NaN
  // with payloads, subnormals, extreme integers. Gaps are filled too.
  void FillRandom(std::mt19937& random) { FillRandom(random, true); }
  // Without floating-point values that are awkward, for what turns back at the first.
  void FillOrdinary(std::mt19937& random) { FillRandom(random, false); }

  // The logical elements one after the other, as bytes.
  std::vector<uint8_t> Elements() const;
  void SetElements(const std::vector<uint8_t>& elements);

  // Puts the fill back everywhere.
  void Clear();

  // All bytes, and where the tensor starts among them.
  std::vector<uint8_t>& storage() { return storage_; }
  size_t start() const { return start_; }

  // Says where the first byte that belongs to no element was written, guards
  // included.
  std::optional<std::string> FindForeignWrite() const;

 private:
  void FillRandom(std::mt19937& random, bool awkward);

  TensorDesc desc_;
  uint8_t fill_;
  std::vector<uint8_t> storage_;
  size_t start_;
  // Of the elements, in bytes, in logical order. Shared, for they are as long as the tensor
  // and copies have the same.
  std::shared_ptr<const std::vector<uint64_t>> offsets_;
};

// Temporary memory of a strategy: 64-byte aligned as the contract says, and full
// of rubbish, since no kernel may count on zeros.
class TemporaryMemory {
 public:
  explicit TemporaryMemory(uint64_t bytes) : words_(bytes / 8 + 16, 0xA5A5A5A5A5A5A5A5u) {}

  void* data() {
    const auto address = reinterpret_cast<uintptr_t>(words_.data());
    return reinterpret_cast<void*>((address + 63) / 64 * 64);
  }

 private:
  std::vector<uint64_t> words_;
};

// The first element that differs, as a sentence. With `nan_is_nan` any NaN
// equals any other; everything else is compared bit for bit.
std::optional<std::string> FindDifference(const TensorDesc& desc,
                                          const std::vector<uint8_t>& expected,
                                          const std::vector<uint8_t>& actual, bool nan_is_nan);

bool IsNan(DataType type, const uint8_t* element);

}  // namespace anydml::test
