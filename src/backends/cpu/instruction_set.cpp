// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/instruction_set.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <utility>

namespace anydml::cpu {

// Builds for one instruction set alone (ANYDML_INSTRUCTION_SET) have the one that was
// asked for. In Highway better targets have smaller numbers.
#if defined(__AVX2__)
static_assert(HWY_STATIC_TARGET <= HWY_AVX2, "the compiler has AVX2, and Highway does not use it");
#endif

std::string_view KnownName(std::string_view highway_name) {
  // Those of later versions of Highway too.
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"AVX3", "AVX-512"},
      {"AVX3_DL", "AVX-512 (Ice Lake)"},
      {"AVX3_ZEN4", "AVX-512 (Zen 4)"},
      {"AVX3_SPR", "AVX-512 (Sapphire Rapids)"},
      {"EMU128", "portable"},
      {"SCALAR", "scalar"},
  };
  for (const auto& [theirs, known] : kNames) {
    if (highway_name == theirs) return known;
  }
  return highway_name;
}

std::vector<InstructionSet> AvailableInstructionSets() {
  std::vector<InstructionSet> sets;
  // Of two targets the better one has the lower bit.
  for (int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    sets.push_back({target, KnownName(hwy::TargetName(target))});
  }
  return sets;
}

ScopedInstructionSet::ScopedInstructionSet(const InstructionSet& set) {
  hwy::SetSupportedTargetsForTest(set.target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

ScopedInstructionSet::~ScopedInstructionSet() {
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace anydml::cpu
