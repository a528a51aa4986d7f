// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/relu/desc.h"

#include "operators/relu/cases.h"
#include "operators/relu/schema.h"

namespace anydml::relu {

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(kInputTensor), .output = arguments.tensor(kOutputTensor)};
}

constinit const Definition kRelu = {&kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases,
                                    kBenchCases};

}  // namespace anydml::relu
