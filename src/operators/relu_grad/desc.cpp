// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/relu_grad/desc.h"

#include "operators/relu_grad/cases.h"
#include "operators/relu_grad/schema.h"

namespace anydml::relu_grad {

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(kInputTensor),
          .input_gradient = arguments.tensor(kInputGradientTensor),
          .output_gradient = arguments.tensor(kOutputGradientTensor)};
}

constinit const Definition kReluGrad = {&kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases,
                                        kBenchCases};

}  // namespace anydml::relu_grad
