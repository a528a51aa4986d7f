// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Learning rates that change with the steps, by additions, multiplications and divisions in
// float64 alone (B147): no libm, whose cosine would be the machine's.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace anydml::train {

struct Schedule {
  enum class Kind : uint8_t { kConstant, kStepDecay, kCosine };
  Kind kind = Kind::kConstant;
  float learning_rate = 1e-3f;
  float factor = 1;      // of a step decay, every `steps` steps
  float last = 0;        // of a cosine, which reaches it `steps` steps after the warm-up
  uint64_t warm_up = 0;  // steps in which the rate rises linearly
  uint64_t steps = 0;
};

// Of the step that is made after so many others.
Result<float> RateOf(const Schedule& schedule, uint64_t steps_made);

}  // namespace anydml::train
