// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Windows and the descriptions of pooling operators, for their tests.
#pragma once

#include <directml.h>

#include <vector>

namespace anydml::test {

using Uints = std::vector<UINT>;

struct Window {
  Uints size;
  Uints strides = Uints(size.size(), 1);
  Uints start = Uints(size.size(), 0);
  Uints end = Uints(size.size(), 0);
  Uints dilations = Uints(size.size(), 1);

  UINT count() const { return static_cast<UINT>(size.size()); }
};

// {height, width} means one batch and one channel.
inline Uints Full(Uints sizes) {
  if (sizes.size() == 2) sizes.insert(sizes.begin(), {1, 1});
  return sizes;
}

// The descriptions point into the window.
inline DML_MAX_POOLING_OPERATOR_DESC MaxPooling(const DML_TENSOR_DESC* input,
                                                const DML_TENSOR_DESC* output, const Window& w) {
  return {input, output, w.count(), w.strides.data(), w.size.data(), w.start.data(), w.end.data()};
}

inline DML_MAX_POOLING1_OPERATOR_DESC MaxPooling1(const DML_TENSOR_DESC* input,
                                                  const DML_TENSOR_DESC* output,
                                                  const DML_TENSOR_DESC* indices, const Window& w) {
  return {input,         output,         indices,     w.count(), w.strides.data(),
          w.size.data(), w.start.data(), w.end.data()};
}

inline DML_MAX_POOLING2_OPERATOR_DESC MaxPooling2(const DML_TENSOR_DESC* input,
                                                  const DML_TENSOR_DESC* output,
                                                  const DML_TENSOR_DESC* indices, const Window& w) {
  return {input,         output,         indices,      w.count(),         w.strides.data(),
          w.size.data(), w.start.data(), w.end.data(), w.dilations.data()};
}

inline DML_MAX_POOLING_GRAD_OPERATOR_DESC MaxPoolingGrad(const DML_TENSOR_DESC* x,
                                                         const DML_TENSOR_DESC* dy,
                                                         const DML_TENSOR_DESC* dx,
                                                         const Window& w) {
  return {x,
          dy,
          dx,
          w.count(),
          w.strides.data(),
          w.size.data(),
          w.start.data(),
          w.end.data(),
          w.dilations.data()};
}

}  // namespace anydml::test
