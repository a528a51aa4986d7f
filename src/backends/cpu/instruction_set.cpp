// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/instruction_set.h"

#include <fmt/format.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdlib>
#include <utility>

#include "base/escaped.h"

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

bool IsCalled(const InstructionSet& set, std::string_view name) {
  const auto without_hyphens = [](std::string_view text) {
    std::string letters(text);
    std::erase(letters, '-');
    return letters;
  };
  return without_hyphens(set.name) == without_hyphens(name);
}

std::vector<InstructionSet> AvailableInstructionSets() {
  std::vector<InstructionSet> sets;
  // Of two targets the better one has the lower bit.
  for (int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    sets.push_back({target, KnownName(hwy::TargetName(target))});
  }
  // Highway asks for AES too, which x86-64-v2 does not have; dispatch takes the baseline then.
  if (sets.empty())
    sets.push_back({HWY_STATIC_TARGET, KnownName(hwy::TargetName(HWY_STATIC_TARGET))});
  return sets;
}

std::string ProcessorProblem(const X86Features& features) {
  std::string missing;
  const auto need = [&missing](bool has, std::string_view name) {
    if (!has) missing.append(missing.empty() ? "" : ", ").append(name);
  };
  need(features.ssse3, "SSSE3");
  need(features.sse4_1, "SSE4.1");
  need(features.sse4_2, "SSE4.2");
  need(features.popcnt, "POPCNT");
  if (missing.empty()) return missing;
  return "this processor lacks " + missing + "; the CPU kernels need x86-64-v2 (2009 or later)";
}

const std::string& ProcessorProblem() {
#if HWY_ARCH_X86
  static const std::string problem =
      ProcessorProblem({.ssse3 = __builtin_cpu_supports("ssse3") != 0,
                        .sse4_1 = __builtin_cpu_supports("sse4.1") != 0,
                        .sse4_2 = __builtin_cpu_supports("sse4.2") != 0,
                        .popcnt = __builtin_cpu_supports("popcnt") != 0});
#else
  static const std::string problem;
#endif
  return problem;
}

ScopedInstructionSet::ScopedInstructionSet(const InstructionSet& set) {
  hwy::SetSupportedTargetsForTest(set.target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

ScopedInstructionSet::~ScopedInstructionSet() {
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

const Status& UseInstructionSetOfEnvironment() {
  static const Status status = []() -> Status {
    const char* wanted = std::getenv("ANYDML_INSTRUCTION_SET");
    if (wanted == nullptr || *wanted == '\0') return {};
    std::string names;
    for (const InstructionSet& set : AvailableInstructionSets()) {
      if (IsCalled(set, wanted)) {
        static const ScopedInstructionSet forced(set);
        return {};
      }
      names.append(names.empty() ? "" : ", ").append(set.name);
    }
    return Unsupported(
        fmt::format("ANYDML_INSTRUCTION_SET={} is none of this processor's instruction sets: {}",
                    Escaped(wanted), names));
  }();
  return status;
}

}  // namespace anydml::cpu
