// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/elementwise/cuda/copy.h"
#include "kernels/elementwise/cuda/elementwise.cuh"

namespace anydml::cuda {

void CopyElements(const StridedLoop<2>& loop, uint32_t element_size, const void* from, void* to,
                  Stream stream) {
  Bindings bindings;
  bindings.inputs[0] = from;
  bindings.outputs[0] = to;
  DispatchWidth(element_size, [&]<typename T>() {
    if (RefusePackedRows(loop, element_size).empty()) {
      TransformPackedRows<T>(loop, bindings, stream, Copied());
    } else {
      TransformStrided<T>(loop, bindings, stream, Copied());
    }
  });
}

}  // namespace anydml::cuda
