// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/identity/desc.h"

#include "operators/identity/cases.h"
#include "operators/identity/schema.h"

namespace anydml::identity {

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(kInputTensor),
          .output = arguments.tensor(kOutputTensor),
          .scale_bias = ReadScaleBias(arguments, kScaleBias)};
}

constinit const Definition kIdentity = {&kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases};

}  // namespace anydml::identity
