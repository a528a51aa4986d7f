// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
#include <directml.h>

#include "operators/gradient_writer.h"
#include "operators/regions/desc.h"
#include "operators/regions/schema.h"

namespace anydml::regions {

// Of both versions: samples outside have no gradient. The gradient takes indices of 32 bits.
Result<std::vector<GraphValue>> AlignGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue &x = node.inputs[kInputTensor], &rois = node.inputs[kROITensor];
  GraphValue indices = node.inputs[kBatchIndicesTensor];
  schema::Settings settings = GradientWriter::Call("ROI_ALIGN_GRAD");
  settings.Copy(node.arguments,
                {"ReductionFunction", "InterpolationMode", "SpatialScaleX", "SpatialScaleY",
                 "MinimumSamplesPerOutput", "MaximumSamplesPerOutput"});
  if (node.arguments.schema().type == DML_OPERATOR_ROI_ALIGN1) {
    settings.Copy(node.arguments,
                  {"InputPixelOffset", "OutputPixelOffset", "AlignRegionsToCorners"});
  } else {
    settings.Float("InputPixelOffset", 0.5f).Float("OutputPixelOffset", -0.5f);
  }
  if (indices.tensor.data_type != DataType::kUint32) {
    schema::Settings cast = GradientWriter::Call("CAST");
    cast.Tensor("OutputTensor", PackedTensor(DataType::kUint32, indices.tensor.Sizes()));
    indices = write.Output(cast, {indices});
  }
  if (node.is_wanted[kInputTensor]) {
    settings.Tensor("OutputGradientTensor", PackedTensor(x.tensor.data_type, x.tensor.Sizes()));
  }
  if (node.is_wanted[kROITensor]) {
    settings.Tensor("OutputROIGradientTensor",
                    PackedTensor(rois.tensor.data_type, rois.tensor.Sizes()));
  }
  const GraphValue inputs[] = {x, node.output_gradients[0], rois, indices};
  const std::vector<GraphValue> gradients = write.Outputs(settings, inputs);
  return write.Finish({gradients[0], gradients[1], {}});
}

}  // namespace anydml::regions
