// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What validated descriptions of the operators of this folder say.
#pragma once

#include "operators/operator.h"

namespace anydml::indexing {

// GATHER_ELEMENTS, GATHER_ND and GATHER_ND1; SCATTER and SCATTER_ND, which have updates.
struct IndexedDesc {
  TensorDesc input;
  TensorDesc indices;
  TensorDesc updates;
  TensorDesc output;
  // An index per element, along the axis; or tuples of them, for the last dimensions.
  bool has_tuples;
  uint32_t axis;
  uint32_t input_dimensions;
  uint32_t index_dimensions;
  uint32_t batch_dimensions;

  // Has an element for every element of the input that indices choose.
  const TensorDesc& chosen() const { return updates.present() ? updates : output; }
  uint32_t TupleSize() const { return indices.sizes[indices.dimension_count - 1]; }
};

// TOP_K and TOP_K1.
struct TopKDesc {
  TensorDesc input;
  TensorDesc values;
  TensorDesc indices;
  uint32_t axis;
  uint32_t k;
  bool increasing;
};

struct NonzeroDesc {
  TensorDesc input;
  TensorDesc count;
  TensorDesc coordinates;
};

Result<std::vector<GraphValue>> GatherGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> GatherNdGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> ScatterGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> TopKGradient(const ForwardNode& node, GradientBuilder& builder);

extern const Definition kGatherElements;
extern const Definition kGatherNd;
extern const Definition kGatherNd1;
extern const Definition kScatter;
extern const Definition kScatterNd;
extern const Definition kTopK;
extern const Definition kTopK1;
extern const Definition kNonzeroCoordinates;

// The oracles: reference.cpp.
void GatherReference(const IndexedDesc& desc, const Bindings& bindings);
void ScatterReference(const IndexedDesc& desc, const Bindings& bindings);
void TopKReference(const TopKDesc& desc, const Bindings& bindings);
void NonzeroReference(const NonzeroDesc& desc, const Bindings& bindings);

extern const Kernel kGatherKernel;
extern const Kernel kScatterKernel;

}  // namespace anydml::indexing
