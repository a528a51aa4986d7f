// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Random descriptions of RESAMPLE2 with those of their gradient, RESAMPLE_GRAD1.
#pragma once

#include <bit>
#include <random>
#include <vector>

#include "operators/registry.h"
#include "support/descriptions.h"

namespace anydml::test {

// One pair of descriptions: n are the forward operator's input sizes, m its
// output sizes.
struct Pair {
  uint32_t rank;
  bool linear;
  bool increasing;
  std::vector<uint32_t> n, m;
  std::vector<float> scales, in, out;
};

inline float Choose(std::mt19937& random, std::initializer_list<float> values) {
  return values.begin()[random() % values.size()];
}

inline Pair RandomPair(std::mt19937& random) {
  Pair pair;
  pair.rank = 1 + static_cast<uint32_t>(random() % 4);
  pair.linear = random() % 2 == 0;
  pair.increasing = random() % 2 == 0;
  for (uint32_t i = 0; i < pair.rank; ++i) {
    const bool unchanged = random() % 4 == 0;
    const auto n = static_cast<uint32_t>(1 + random() % 7);
    const auto m = unchanged ? n : static_cast<uint32_t>(1 + random() % 9);
    const float ratio = static_cast<float>(m) / static_cast<float>(n);
    pair.n.push_back(n);
    pair.m.push_back(m);
    pair.scales.push_back(Choose(random, {ratio, ratio, 1, 0.5f, 2, 1.0f / 3, 0.7f}));
    pair.in.push_back(Choose(random, {0, 0.5f, -0.5f, 1, 0.3f, -2.25f}));
    pair.out.push_back(Choose(random, {0, -0.5f, 0.5f, 0.1f, 1.75f}));
  }
  return pair;
}

inline schema::Arguments Describe(const Pair& pair, bool gradient,
                                  DataType type = DataType::kFloat32) {
  const Definition* definition = FindOperator(gradient ? "RESAMPLE_GRAD1" : "RESAMPLE2");
  schema::Arguments arguments(*definition->schema);
  for (size_t field : {0, 1}) {
    TensorDesc& tensor = arguments.at(field).tensor;
    tensor.data_type = type;
    tensor.dimension_count = pair.rank;
    const bool pixels = (field == 1) == gradient;
    std::copy_n((pixels ? pair.n : pair.m).begin(), pair.rank, tensor.sizes.begin());
    SetStrides(tensor, std::nullopt);
  }
  const auto set = [&](size_t field, uint32_t word) {
    arguments.at(field).words[arguments.at(field).count++] = word;
  };
  set(2, pair.linear ? 1 : 0);
  set(3, pair.increasing ? 0 : 1);
  set(4, pair.rank);
  for (uint32_t i = 0; i < pair.rank; ++i) {
    set(5, std::bit_cast<uint32_t>(pair.scales[i]));
    set(6, std::bit_cast<uint32_t>(pair.in[i]));
    set(7, std::bit_cast<uint32_t>(pair.out[i]));
  }
  return arguments;
}

}  // namespace anydml::test
