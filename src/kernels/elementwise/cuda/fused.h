// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Several formulas per element in one pass over memory: what lies between them
// stays in registers. The formulas are data, so that one kernel serves every
// chain.
#pragma once

#include <array>
#include <cstdint>

#include "backends/cuda/interface.h"
#include "tensor/scalar.h"

namespace anydml::cuda {

// One formula. A copy has one operand. A gate has two, x and a gradient, which
// passes (its bits untouched) unless x <= low, or x >= high, or x is NaN where
// that counts; otherwise the result is 0.
struct ElementStep {
  enum class Kind : uint8_t { kCopy, kGate };
  Kind kind = Kind::kCopy;
  DataType data_type = DataType::kUnknown;
  bool has_high = false;
  bool nan_closes = false;
  Scalar low;
  Scalar high;
};

inline constexpr uint32_t kMaxFusedStages = 32;
inline constexpr int kMaxRegisters = 4;

// Memory, or what an earlier stage put into a register.
struct FusedOperand {
  const void* memory = nullptr;
  uint32_t place = 0;  // the register, without memory
};

struct FusedStage {
  ElementStep step;
  std::array<FusedOperand, 2> operands;
  uint32_t result = 0;  // the register; the last stage writes to the output instead
};

// Elements lie one behind the other everywhere, and have one size.
struct FusedChain {
  uint32_t element_size = 0;
  uint32_t stage_count = 0;
  uint64_t elements = 0;  // below 2^32
  void* output = nullptr;
  std::array<FusedStage, kMaxFusedStages> stages;
};

void RunFused(const FusedChain& chain, Stream stream);

}  // namespace anydml::cuda
