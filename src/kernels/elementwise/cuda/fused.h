// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Several formulas per element in one pass over memory: what lies between them
// stays in registers. The formulas are data, so that one kernel per type serves every
// chain.
#pragma once

#include <array>
#include <cstdint>

#include "backends/cuda/interface.h"
#include "kernels/elementwise/formula.h"
#include "tensor/strided_loop.h"

namespace anydml::cuda {

// One formula, of one input or two, whose tensors have one type (kernels/elementwise/steps.h).
struct ElementStep {
  elementwise::Formula formula = elementwise::Formula::kIdentity;
  DataType data_type = DataType::kUnknown;
  uint8_t inputs = 1;
  bool scaled = false;  // the first input has a ScaleBias before the formula
  elementwise::Attributes attributes = {};
  elementwise::Attributes scale_bias = {};
};

// As much as the parameters of a kernel hold.
inline constexpr uint32_t kMaxFusedStages = 16;
inline constexpr uint32_t kMaxFusedSpreads = 12;
inline constexpr int kMaxRegisters = 4;

// Where a stage reads.
struct FusedOperand {
  enum class Kind : uint8_t { kMemory, kSpread, kRegister, kPrevious };
  Kind kind = Kind::kPrevious;   // the result of the stage before
  uint8_t place = 0;             // the register
  const void* memory = nullptr;  // elements one behind the other; of kSpread as the loop says
  const StridedLoop<2>* loop = nullptr;  // of kSpread: the operand, and a packed output
};

struct FusedStage {
  static constexpr uint8_t kNoRegister = 0xFF;

  ElementStep step;
  std::array<FusedOperand, 2> operands;
  uint8_t result = kNoRegister;  // keeps the result beyond the next stage
};

// All tensors have one type and as many elements as the output, or are spread to it.
struct FusedChain {
  uint64_t elements = 0;  // below 2^32
  void* output = nullptr;
  uint32_t stage_count = 0;
  std::array<FusedStage, kMaxFusedStages> stages;
};

void RunFused(const FusedChain& chain, Stream stream);

}  // namespace anydml::cuda
