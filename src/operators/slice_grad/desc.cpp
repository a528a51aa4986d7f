// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/slice_grad/desc.h"

#include "operators/slice_grad/cases.h"
#include "operators/slice_grad/schema.h"
#include "schema/copied_window.h"

namespace anydml::slice_grad {

Status CheckSliceGrad(const schema::Arguments& arguments) {
  return schema::CheckCopiedWindow(arguments, {.whole = kOutputGradientTensor,
                                               .part = kInputGradientTensor,
                                               .offsets = kInputWindowOffsets,
                                               .sizes = kInputWindowSizes,
                                               .strides = kInputWindowStrides});
}

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = {};
  desc.input_gradient = arguments.tensor(kInputGradientTensor);
  desc.output_gradient = arguments.tensor(kOutputGradientTensor);
  for (uint32_t i = 0; i < desc.output_gradient.dimension_count; ++i) {
    desc.window_offsets[i] = arguments.Uints(kInputWindowOffsets)[i];
    desc.window_sizes[i] = arguments.Uints(kInputWindowSizes)[i];
    desc.window_strides[i] = arguments.IntAt(kInputWindowStrides, i);
  }
  return desc;
}

constinit const Definition kSliceGrad = {
    &kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases, kBenchCases, Gradient};

}  // namespace anydml::slice_grad
