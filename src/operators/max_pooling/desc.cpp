// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/max_pooling/desc.h"

#include "operators/max_pooling/cases.h"
#include "operators/max_pooling/schema.h"

namespace anydml::max_pooling {
namespace {

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(version0::kInputTensor),
          .output = arguments.tensor(version0::kOutputTensor),
          .indices = {},
          .window = schema::ReadSlidingWindow(arguments, version0::kWindowFields)};
}

template <const schema::SlidingWindowFields& kWindowFields>
Desc MakeDescWithIndices(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(kInputTensor),
          .output = arguments.tensor(kOutputTensor),
          .indices = arguments.tensor(kOutputIndicesTensor),
          .window = schema::ReadSlidingWindow(arguments, kWindowFields)};
}

}  // namespace

constinit const Definition kMaxPooling = {
    &version0::kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases, {}, Gradient};
constinit const Definition kMaxPooling1 = {
    &version1::kSchema,
    EraseDesc<Desc, MakeDescWithIndices<version1::kWindowFields>>,
    &kKernel,
    kCases,
    {},
    Gradient};
constinit const Definition kMaxPooling2 = {
    &version2::kSchema, EraseDesc<Desc, MakeDescWithIndices<version2::kWindowFields>>,
    &kKernel,           kCases,
    kBenchCases,        Gradient};

}  // namespace anydml::max_pooling
