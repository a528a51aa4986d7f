// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/clip_grad/desc.h"

#include "operators/clip_grad/cases.h"
#include "operators/clip_grad/schema.h"

namespace anydml::clip_grad {
namespace {

Desc MakeDesc(const schema::Arguments& arguments, const Scalar& min, const Scalar& max) {
  return {.input = arguments.tensor(kInputTensor),
          .input_gradient = arguments.tensor(kInputGradientTensor),
          .output_gradient = arguments.tensor(kOutputGradientTensor),
          .min = min,
          .max = max};
}

}  // namespace

Desc MakeClipGradDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  const DataType type = arguments.tensor(kOutputGradientTensor).data_type;
  return MakeDesc(arguments, ScalarFromFloat(type, arguments.Float(kClipGradMin)),
                  ScalarFromFloat(type, arguments.Float(kClipGradMax)));
}

Desc MakeClipGrad1Desc(const schema::Arguments& arguments, const DeviceOptions&) {
  const DataType type = arguments.tensor(kOutputGradientTensor).data_type;
  return MakeDesc(arguments, ScalarFromUnion(type, arguments.Scalar(kClipGrad1Min)),
                  ScalarFromUnion(type, arguments.Scalar(kClipGrad1Max)));
}

constinit const Definition kClipGrad = {&kClipGradSchema, EraseDesc<Desc, MakeClipGradDesc>,
                                        &kKernel, kCases};
constinit const Definition kClipGrad1 = {&kClipGrad1Schema, EraseDesc<Desc, MakeClipGrad1Desc>,
                                         &kKernel, kCases, kBenchCases};

}  // namespace anydml::clip_grad
