// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What validated descriptions of ROI_ALIGN, its gradient and ROI_POOLING say.
#pragma once

#include "operators/operator.h"

namespace anydml::regions {

struct AlignDesc {
  TensorDesc input;  // of the gradient, may be absent
  TensorDesc small;  // with an image per region: the output, or the gradient that comes in
  TensorDesc rois, indices;
  TensorDesc gradient, roi_gradient;  // of the gradient; each may be absent
  TensorDesc image;                   // whose sizes the image has: input or gradient
  bool is_maximum, is_nearest, aligns_corners;
  float scale_x, scale_y, input_offset, output_offset, outside;
  uint32_t least, most;
};

struct PoolingDesc {
  TensorDesc input, rois, output;
  float scale;
};

void AlignReference(const AlignDesc& desc, const Bindings& bindings);
void AlignGradReference(const AlignDesc& desc, const Bindings& bindings);
void PoolingReference(const PoolingDesc& desc, const Bindings& bindings);

Result<std::vector<GraphValue>> AlignGradient(const ForwardNode& node, GradientBuilder& builder);

extern const Definition kRoiAlign;
extern const Definition kRoiAlign1;
extern const Definition kRoiAlignGrad;
extern const Definition kRoiPooling;

}  // namespace anydml::regions
