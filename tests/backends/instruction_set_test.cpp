// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What instruction sets are called, to people.
#include "backends/cpu/instruction_set.h"

#include <gtest/gtest.h>

#include <set>

namespace anydml::cpu {
namespace {

TEST(InstructionSet, IsCalledWhatPeopleCallIt) {
  EXPECT_EQ(KnownName("AVX3"), "AVX-512");
  EXPECT_EQ(KnownName("AVX3_DL"), "AVX-512 (Ice Lake)");
  EXPECT_EQ(KnownName("AVX3_ZEN4"), "AVX-512 (Zen 4)");
  EXPECT_EQ(KnownName("AVX3_SPR"), "AVX-512 (Sapphire Rapids)");
  EXPECT_EQ(KnownName("EMU128"), "portable");
  EXPECT_EQ(KnownName("SCALAR"), "scalar");
}

TEST(InstructionSet, IsFoundWithAndWithoutAHyphen) {
  const InstructionSet set = {0, "AVX-512"};
  EXPECT_TRUE(IsCalled(set, "AVX-512"));
  EXPECT_TRUE(IsCalled(set, "AVX512"));
  EXPECT_FALSE(IsCalled(set, "AVX"));
  EXPECT_FALSE(IsCalled({0, "AVX-512 (Zen 4)"}, "AVX512"));
}

TEST(InstructionSet, KeepsNamesThatAreCommon) {
  for (const char* name : {"SSSE3", "SSE4", "AVX2", "NEON", "SVE2", "RVV"}) {
    EXPECT_EQ(KnownName(name), name);
  }
}

TEST(InstructionSet, AProcessorBelowX86_64v2IsRefusedInASentence) {
  EXPECT_EQ(ProcessorProblem({.ssse3 = true, .sse4_1 = true, .sse4_2 = true, .popcnt = true}), "");
  EXPECT_EQ(ProcessorProblem({.ssse3 = true, .sse4_1 = true, .sse4_2 = false, .popcnt = false}),
            "this processor lacks SSE4.2, POPCNT; the CPU kernels need x86-64-v2 (2009 or later)");
  EXPECT_EQ(ProcessorProblem(), "");  // or this test could not have run
}

TEST(InstructionSet, EveryAvailableOneHasAKnownNameOfItsOwn) {
  std::set<std::string_view> names;
  for (const InstructionSet& set : AvailableInstructionSets()) {
    EXPECT_EQ(set.name.find("AVX3"), std::string_view::npos) << set.name;
    EXPECT_TRUE(names.insert(set.name).second) << set.name;
  }
  EXPECT_FALSE(names.empty());
}

}  // namespace
}  // namespace anydml::cpu
