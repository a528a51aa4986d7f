// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/instruction_set.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

namespace anydml::cpu {

std::vector<InstructionSet> AvailableInstructionSets() {
  std::vector<InstructionSet> sets;
  // Of two targets the better one has the lower bit.
  for (int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    sets.push_back({target, hwy::TargetName(target)});
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
