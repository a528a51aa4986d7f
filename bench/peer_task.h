// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Reading a PeerTask: its tensors and settings by the names of the description.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bench/peer.h"

namespace anydml::bench {

// A tensor of the task and the memory that it is bound to.
struct BoundTensor {
  const TensorDesc& desc;
  void* data;  // peers take no pointers to const; they do not write to inputs
};
BoundTensor Input(const PeerTask& task, size_t i);
BoundTensor Output(const PeerTask& task, size_t i);

std::vector<int64_t> SizesOf(const TensorDesc& tensor);
std::vector<int64_t> StridesOf(const TensorDesc& tensor);

// Entries of a UINT or INT array.
std::vector<int64_t> Integers(const PeerTask& task, std::string_view field);
// A UINT or an enumeration.
uint32_t Number(const PeerTask& task, std::string_view field);
// Min or Max of a clip, whatever their type.
double Scalar(const PeerTask& task, std::string_view field);
bool IsLinear(const PeerTask& task);

// The window of a pooling operator; the fields that it lacks are 0 or 1.
struct Window {
  std::vector<int64_t> size, strides, start_padding, end_padding, dilations;
};
Window WindowOf(const PeerTask& task);

// A product of two FLOAT32 matrices without an addend, as BLAS says it.
struct Matrices {
  bool trans_a, trans_b;
  int64_t m, n, k, lda, ldb, ldo;
  const float *a, *b;
  float* output;
};
Matrices MatricesOf(const PeerTask& task);

// Axes along which the two tensors of a task differ.
std::vector<size_t> ChangedAxes(const TensorDesc& a, const TensorDesc& b);

}  // namespace anydml::bench
