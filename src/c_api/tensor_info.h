// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What anydml_tensor_info tells of a tensor.
#pragma once

#include <algorithm>

#include "anydml/anydml.h"
#include "tensor/tensor_desc.h"

namespace anydml::c_api {

// The name lives where the caller keeps it.
inline anydml_tensor_info InfoOf(const TensorDesc& tensor, const char* name,
                                 bool may_be_overwritten) {
  anydml_tensor_info info = {};
  info.name = name;
  info.is_present = tensor.present() ? 1 : 0;
  info.data_type = static_cast<uint32_t>(tensor.data_type);
  info.dimension_count = tensor.dimension_count;
  std::copy_n(tensor.sizes.begin(), tensor.dimension_count, info.sizes);
  std::copy_n(tensor.strides.begin(), tensor.dimension_count, info.strides);
  info.total_bytes = tensor.total_bytes;
  info.may_be_overwritten = may_be_overwritten ? 1 : 0;
  return info;
}

}  // namespace anydml::c_api
