// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The random numbers of training: initial values and the order of the data. They follow
// from a seed and a name alone, by integers and IEEE operations (B140 to B142).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/philox.h"

namespace anydml::train {

// FNV-1a, 64 bits, over the seed's eight bytes, least significant first, and the name's.
PhiloxKey KeyOf(uint64_t seed, std::string_view name);

// [0, 1): the upper 24 bits of a word.
constexpr float UnitFloat(uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; }

// Element i is (2 u - 1) * bound, in [-bound, bound), where u is made of word i mod 4 of
// Philox at the counter i / 4.
void FillUniform(uint64_t seed, std::string_view name, float bound, std::span<float> values);

// sqrt(6 / fan_in), in float: He's uniform values.
float HeBound(uint64_t fan_in);

// The first values of a weight, in +-bound; 0: HeBound of all sizes but the first.
void FillWeight(uint64_t seed, std::string_view name, std::span<const uint32_t> sizes, float bound,
                std::span<float> values);

// A permutation of 0 to count - 1, one per epoch.
std::vector<uint32_t> ShuffledOrder(uint64_t seed, uint64_t epoch, uint32_t count);

}  // namespace anydml::train
