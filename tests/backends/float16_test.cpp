// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Half precision, scalar and on every instruction set: all 65,536 halves, and
// floats around every rounding border, against the definition of the format.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/float16_test.cpp"
#include "base/float16.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void Widen(const Float16* from, size_t count, float* to) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= count; i += N) {
    hn::StoreU(cpu::HWY_NAMESPACE::LoadFloats(d, from + i), d, to + i);
  }
  const hn::CappedTag<float, 1> d1;
  for (; i < count; ++i) hn::StoreU(cpu::HWY_NAMESPACE::LoadFloats(d1, from + i), d1, to + i);
}

void Narrow(const float* from, size_t count, Float16* to) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= count; i += N) {
    cpu::HWY_NAMESPACE::StoreFloats(d, hn::LoadU(d, from + i), to + i);
  }
  const hn::CappedTag<float, 1> d1;
  for (; i < count; ++i) cpu::HWY_NAMESPACE::StoreFloats(d1, hn::LoadU(d1, from + i), to + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "backends/cpu/instruction_set.h"
#include "operators/reference.h"

namespace anydml {
namespace {

HWY_EXPORT(Widen);
HWY_EXPORT(Narrow);

uint32_t Bits(float value) { return std::bit_cast<uint32_t>(value); }

// Every half, the two floats beside it, every midpoint of neighbours and the
// floats beside that, and random bits.
std::vector<float> InterestingFloats() {
  std::vector<float> values;
  const auto add = [&](float value) {
    values.push_back(value);
    values.push_back(std::nextafter(value, -INFINITY));
    values.push_back(std::nextafter(value, INFINITY));
  };
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = reference::HalfValue(static_cast<uint16_t>(bits));
    add(value);
    if ((bits & 0x7FFF) < 0x7BFF) {
      const float next = reference::HalfValue(static_cast<uint16_t>(bits + 1));
      add(value + (next - value) / 2);
    }
  }
  for (float value : {65519.996f, 65520.0f, -65520.0f, 1e30f, 1e-30f, 1e-45f, -1e-45f}) add(value);
  std::mt19937 random(7);
  for (int i = 0; i < 100003; ++i)
    values.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
  return values;
}

bool SameHalf(uint16_t a, uint16_t b) {
  return a == b || ((a & 0x7FFF) > 0x7C00 && (b & 0x7FFF) > 0x7C00);
}

TEST(Float16, ScalarConversionsAgreeWithTheDefinition) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float want = reference::HalfValue(half);
    const float got = ToFloat({half});
    ASSERT_TRUE(Bits(got) == Bits(want) || (std::isnan(got) && std::isnan(want))) << bits;
  }
  for (float value : InterestingFloats()) {
    ASSERT_TRUE(SameHalf(ToFloat16(value).bits, reference::NearestHalf(value))) << value;
  }
}

TEST(Float16, VectorConversionsAgreeWithTheDefinitionOnEveryInstructionSet) {
  std::vector<Float16> halves(65536 + 3);
  for (size_t i = 0; i < halves.size(); ++i) halves[i].bits = static_cast<uint16_t>(i);
  const std::vector<float> floats = InterestingFloats();
  for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
    SCOPED_TRACE(set.name);
    const cpu::ScopedInstructionSet scope(set);
    std::vector<float> widened(halves.size());
    HWY_DYNAMIC_DISPATCH(Widen)(halves.data(), halves.size(), widened.data());
    for (size_t i = 0; i < halves.size(); ++i) {
      const float want = reference::HalfValue(halves[i].bits);
      ASSERT_TRUE(Bits(widened[i]) == Bits(want) || (std::isnan(widened[i]) && std::isnan(want)))
          << i;
    }
    std::vector<Float16> narrowed(floats.size());
    HWY_DYNAMIC_DISPATCH(Narrow)(floats.data(), floats.size(), narrowed.data());
    for (size_t i = 0; i < floats.size(); ++i) {
      ASSERT_TRUE(SameHalf(narrowed[i].bits, reference::NearestHalf(floats[i]))) << floats[i];
    }
  }
}

}  // namespace
}  // namespace anydml
#endif  // HWY_ONCE
