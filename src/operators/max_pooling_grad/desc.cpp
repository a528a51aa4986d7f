// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/max_pooling_grad/desc.h"

#include "operators/max_pooling_grad/cases.h"
#include "operators/max_pooling_grad/schema.h"

namespace anydml::max_pooling_grad {

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(kInputTensor),
          .input_gradient = arguments.tensor(kInputGradientTensor),
          .output_gradient = arguments.tensor(kOutputGradientTensor),
          .window = schema::ReadSlidingWindow(arguments, kWindowFields)};
}

constinit const Definition kMaxPoolingGrad = {
    &kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases, kBenchCases, Gradient};

}  // namespace anydml::max_pooling_grad
