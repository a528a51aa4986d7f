// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/reference.h"

#include "operators/random_generator/desc.h"

namespace anydml::random_generator {
namespace {

using reference::Coordinate;
using Words = std::array<uint32_t, 6>;  // the counter, least significant first, and the key

// Ten rounds of the paper's function, two products each.
Words Scrambled(Words s) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{s[0]} * 0xD2511F53u, b = uint64_t{s[2]} * 0xCD9E8D57u;
    const auto high = [](uint64_t product) { return static_cast<uint32_t>(product >> 32); };
    s = {high(b) ^ s[1] ^ s[4],    static_cast<uint32_t>(b), high(a) ^ s[3] ^ s[5],
         static_cast<uint32_t>(a), s[4] + 0x9E3779B9u,       s[5] + 0xBB67AE85u};
  }
  return s;
}

void CountUp(Words& state) {
  for (int i = 0; i < 4 && ++state[i] == 0; ++i) {
  }
}

}  // namespace

// Four elements per counter, by ascending logical index; the state counts what was begun (B58).
void Reference(const Desc& desc, const Bindings& bindings) {
  const auto at = [](const TensorDesc& state, int64_t i) {
    Coordinate c = {};
    c[state.dimension_count - 1] = i;
    return c;
  };
  Words state;
  for (int i = 0; i < 6; ++i) {
    state[i] =
        reference::Get<uint32_t>(desc.input_state, bindings.inputs[0], at(desc.input_state, i));
  }
  uint32_t used = 4;
  Words words = {};
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    if (used == 4) {
      words = Scrambled(state);
      CountUp(state);
      used = 0;
    }
    reference::Put(desc.output, bindings.outputs[0], c, words[used++]);
  });
  if (!desc.output_state.present()) return;
  for (int i = 0; i < 6; ++i) {
    reference::Put(desc.output_state, bindings.outputs[1], at(desc.output_state, i), state[i]);
  }
}

}  // namespace anydml::random_generator
