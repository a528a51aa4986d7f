// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/clip/desc.h"

#include "operators/clip/cases.h"
#include "operators/clip/schema.h"

namespace anydml::clip {
namespace {

Desc MakeDesc(const schema::Arguments& arguments, const Scalar& min, const Scalar& max) {
  return {.input = arguments.tensor(kInputTensor),
          .output = arguments.tensor(kOutputTensor),
          .scale_bias = ReadScaleBias(arguments, kScaleBias),
          .min = min,
          .max = max};
}

}  // namespace

Desc MakeClipDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  const DataType type = arguments.tensor(kOutputTensor).data_type;
  return MakeDesc(arguments, ScalarFromFloat(type, arguments.Float(kClipMin)),
                  ScalarFromFloat(type, arguments.Float(kClipMax)));
}

Desc MakeClip1Desc(const schema::Arguments& arguments, const DeviceOptions&) {
  const DataType type = arguments.tensor(kOutputTensor).data_type;
  return MakeDesc(arguments, ScalarFromUnion(type, arguments.Scalar(kClip1Min)),
                  ScalarFromUnion(type, arguments.Scalar(kClip1Max)));
}

constinit const Definition kClip = {&kClipSchema, EraseDesc<Desc, MakeClipDesc>, &kKernel, kCases};
constinit const Definition kClip1 = {&kClip1Schema, EraseDesc<Desc, MakeClip1Desc>, &kKernel,
                                     kCases, kBenchCases};

}  // namespace anydml::clip
