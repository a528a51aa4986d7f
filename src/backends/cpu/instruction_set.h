// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The instruction sets that this build has kernels for and this machine can
// run. The best one is used; a test can force each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace anydml::cpu {

struct InstructionSet {
  int64_t target;         // a HWY_* target bit
  std::string_view name;  // "AVX2", as KnownName gives it
};

// The name that people know for one of Highway's targets: its "AVX3" is AVX-512
// to everybody else. Names that are common are returned as they are.
std::string_view KnownName(std::string_view highway_name);

// Whether a person may mean the set by `name`: "AVX512" is "AVX-512".
bool IsCalled(const InstructionSet& set, std::string_view name);

// Best first.
std::vector<InstructionSet> AvailableInstructionSets();

// On x86-64 kernels need x86-64-v2. Empty if a processor has it, else one sentence.
struct X86Features {
  bool ssse3, sse4_1, sse4_2, popcnt;
};
std::string ProcessorProblem(const X86Features& features);
const std::string& ProcessorProblem();  // of this processor

// Forces one for all kernels of the process, until the destructor. Not for use
// while kernels run.
class ScopedInstructionSet {
 public:
  explicit ScopedInstructionSet(const InstructionSet& set);
  ~ScopedInstructionSet();
  ScopedInstructionSet(const ScopedInstructionSet&) = delete;
  ScopedInstructionSet& operator=(const ScopedInstructionSet&) = delete;
};

// The one that the environment variable ANYDML_INSTRUCTION_SET names, for the rest of the
// process: "SSE4". Looked at once; an error if there is none of that name.
const Status& UseInstructionSetOfEnvironment();

}  // namespace anydml::cpu
