// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/numbers.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace anydml::train {
namespace {

// The words of Philox one after the other.
class Words {
 public:
  Words(PhiloxCounter counter, PhiloxKey key) : counter_(counter), key_(key) {}

  uint32_t Next() {
    if (used_ == block_.size()) {
      block_ = Philox(counter_, key_);
      counter_[1] += ++counter_[0] == 0 ? 1 : 0;
      used_ = 0;
    }
    return block_[used_++];
  }

  // Below `bound`, all alike: the upper half of a 32 x 32 bit product, but for those
  // products that would come once too often (Lemire, 2019).
  uint32_t Below(uint32_t bound) {
    const uint32_t surplus = -bound % bound;  // 2^32 mod bound
    for (;;) {
      const uint64_t product = uint64_t{Next()} * bound;
      if (static_cast<uint32_t>(product) >= surplus) return static_cast<uint32_t>(product >> 32);
    }
  }

 private:
  PhiloxCounter counter_;
  PhiloxKey key_;
  PhiloxCounter block_ = {};
  size_t used_ = block_.size();
};

}  // namespace

PhiloxKey KeyOf(uint64_t seed, std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](uint8_t byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (int shift = 0; shift < 64; shift += 8) add(static_cast<uint8_t>(seed >> shift));
  for (const char c : name) add(static_cast<uint8_t>(c));
  return {static_cast<uint32_t>(hash), static_cast<uint32_t>(hash >> 32)};
}

void FillUniform(uint64_t seed, std::string_view name, float bound, std::span<float> values) {
  Words words({}, KeyOf(seed, name));
  for (float& value : values) value = (2 * UnitFloat(words.Next()) - 1) * bound;
}

float HeBound(uint64_t fan_in) { return std::sqrt(6.0f / static_cast<float>(fan_in)); }

void FillWeight(uint64_t seed, std::string_view name, std::span<const uint32_t> sizes, float bound,
                std::span<float> values) {
  FillUniform(seed, name, bound != 0 ? bound : HeBound(values.size() / sizes[0]), values);
}

std::vector<uint32_t> ShuffledOrder(uint64_t seed, uint64_t epoch, uint32_t count) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  Words words({0, 0, static_cast<uint32_t>(epoch), static_cast<uint32_t>(epoch >> 32)},
              KeyOf(seed, "order"));
  for (uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[words.Below(i)]);
  return order;
}

}  // namespace anydml::train
