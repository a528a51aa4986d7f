// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "support/tensor_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "operators/reference.h"

namespace anydml::test {
namespace {

constexpr size_t kGuard = 256;

std::shared_ptr<const std::vector<uint64_t>> ElementOffsets(const TensorDesc& desc) {
  auto offsets = std::make_shared<std::vector<uint64_t>>();
  if (!desc.present()) return offsets;
  const uint32_t size = ElementSize(desc.data_type);
  offsets->reserve(desc.ElementCount());
  reference::ForEachCoordinate(desc, [&](const reference::Coordinate& c) {
    offsets->push_back(reference::ElementOffset(desc, c) * size);
  });
  return offsets;
}

constexpr uint32_t kFloatBits[] = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000,
                                   0xFF800000, 0x7FC00000, 0xFFC12345, 0x00000001, 0x80000001,
                                   0x007FFFFF, 0x7F7FFFFF, 0xFF7FFFFF, 0x40C00000};
constexpr uint16_t kHalfBits[] = {0x0000, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00,
                                  0xFE55, 0x0001, 0x8001, 0x03FF, 0x7BFF, 0xFBFF, 0x4600};
constexpr uint64_t kDoubleBits[] = {0x0000000000000000, 0x8000000000000000, 0x3FF0000000000000,
                                    0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000,
                                    0xFFF8000012345678, 0x0000000000000001, 0x7FEFFFFFFFFFFFFF};

// Half small multiples of 1/4, so that ties and exact sums abound; some of wide
// range, so that the order of a sum shows; some awkward.
float RandomFloat(std::mt19937& random) {
  const uint32_t kind = random() % 16;
  if (kind < 8) return (static_cast<float>(random() % 33) - 16.0f) * 0.25f;
  const float mantissa = static_cast<float>(random() % 2000001) / 1000000.0f - 1.0f;
  return std::ldexp(mantissa, static_cast<int>(random() % 20) - 10);
}

template <typename T>
T RandomInteger(std::mt19937& random) {
  switch (random() % 8) {
    case 0:
      return std::numeric_limits<T>::min();
    case 1:
      return std::numeric_limits<T>::max();
    case 2:
      return static_cast<T>((uint64_t{random()} << 32) | random());
    default:
      return static_cast<T>(static_cast<int64_t>(random() % 21) - 10);
  }
}

void RandomElement(DataType type, bool may_be_awkward, std::mt19937& random, uint8_t* out) {
  const auto store = [&](auto value) { std::memcpy(out, &value, sizeof value); };
  const bool awkward = may_be_awkward && random() % 8 == 0;
  switch (type) {
    case DataType::kFloat32:
      if (awkward) return store(kFloatBits[random() % std::size(kFloatBits)]);
      return store(RandomFloat(random));
    case DataType::kFloat16:
      if (awkward) return store(kHalfBits[random() % std::size(kHalfBits)]);
      return store(ToFloat16(RandomFloat(random)).bits);
    case DataType::kFloat64:
      if (awkward) return store(kDoubleBits[random() % std::size(kDoubleBits)]);
      return store(static_cast<double>(RandomFloat(random)));
    default:
      DispatchType(IntegerTypes(), type, [&]<typename T>() { store(RandomInteger<T>(random)); });
  }
}

}  // namespace

TensorMemory::TensorMemory(const TensorDesc& desc, uint8_t fill, size_t past_line)
    : desc_(desc),
      fill_(fill),
      storage_(desc.total_bytes + 2 * kGuard + 64, fill),
      offsets_(ElementOffsets(desc)) {
  const auto address = reinterpret_cast<uintptr_t>(storage_.data()) + kGuard;
  start_ = kGuard + (64 + past_line - address % 64) % 64;
}

void TensorMemory::FillRandom(std::mt19937& random, bool awkward) {
  if (!desc_.present()) return;
  const uint32_t size = ElementSize(desc_.data_type);
  for (uint64_t at = 0; at + size <= desc_.total_bytes; at += size) {
    RandomElement(desc_.data_type, awkward, random, data() + at);
  }
}

std::vector<uint8_t> TensorMemory::Elements() const {
  const uint32_t size = ElementSize(desc_.data_type);
  std::vector<uint8_t> elements(offsets_->size() * size);
  uint8_t* element = elements.data();
  for (uint64_t offset : *offsets_) {
    std::memcpy(element, data() + offset, size);
    element += size;
  }
  return elements;
}

void TensorMemory::SetElements(const std::vector<uint8_t>& elements) {
  const uint32_t size = ElementSize(desc_.data_type);
  size_t at = 0;
  for (uint64_t offset : *offsets_) {
    std::memcpy(data() + offset, elements.data() + at, size);
    at += size;
  }
}

void TensorMemory::Clear() { std::fill(storage_.begin(), storage_.end(), fill_); }

std::optional<std::string> TensorMemory::FindForeignWrite() const {
  std::vector<uint8_t> rest = storage_;
  const uint32_t size = ElementSize(desc_.data_type);
  for (uint64_t offset : *offsets_) {
    std::memset(rest.data() + start_ + offset, fill_, size);
  }
  if (std::ranges::count(rest, fill_) == std::ssize(rest)) return std::nullopt;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == fill_) continue;
    return fmt::format("byte {} relative to the tensor's start was written",
                       static_cast<int64_t>(i) - static_cast<int64_t>(start_));
  }
  return std::nullopt;
}

bool IsNan(DataType type, const uint8_t* element) {
  if (type == DataType::kFloat32) {
    float value;
    std::memcpy(&value, element, sizeof value);
    return std::isnan(value);
  }
  if (type == DataType::kFloat64) {
    double value;
    std::memcpy(&value, element, sizeof value);
    return std::isnan(value);
  }
  if (type == DataType::kFloat16) {
    uint16_t bits;
    std::memcpy(&bits, element, sizeof bits);
    return (bits & 0x7FFF) > 0x7C00;
  }
  return false;
}

std::optional<std::string> FindDifference(const TensorDesc& desc,
                                          const std::vector<uint8_t>& expected,
                                          const std::vector<uint8_t>& actual, bool nan_is_nan) {
  const uint32_t size = ElementSize(desc.data_type);
  if (expected.size() != actual.size()) return "the number of elements differs";
  const auto hex = [&](const uint8_t* bytes) {
    std::string text;
    for (uint32_t k = size; k-- > 0;) text += fmt::format("{:02x}", bytes[k]);
    return text;
  };
  for (size_t at = 0; at < expected.size(); at += size) {
    const uint8_t* want = expected.data() + at;
    const uint8_t* got = actual.data() + at;
    if (std::memcmp(want, got, size) == 0) continue;
    if (nan_is_nan && IsNan(desc.data_type, want) && IsNan(desc.data_type, got)) continue;
    return fmt::format("element {} of {}: expected bits {}, got {}", at / size,
                       expected.size() / size, hex(want), hex(got));
  }
  return std::nullopt;
}

}  // namespace anydml::test
