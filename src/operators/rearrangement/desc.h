// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What validated descriptions of the operators of this folder say.
#pragma once

#include "kernels/move/mapped_plan.h"
#include "operators/operator.h"

namespace anydml::rearrangement {

// PADDING and its version; TILE is padding behind the input that wraps.
struct PaddingDesc {
  TensorDesc input;
  TensorDesc output;
  uint32_t mode;  // DML_PADDING_MODE
  Scalar value;
  Dimensions start;
};

// DEPTH_TO_SPACE, SPACE_TO_DEPTH and their versions.
struct BlocksDesc {
  TensorDesc input;
  TensorDesc output;
  bool to_depth;
  uint32_t block;
  bool block_is_outer;  // DEPTH_COLUMN_ROW: the place in a block is the outer part of a channel
};

struct ReverseDesc {
  TensorDesc input;
  TensorDesc lengths;
  TensorDesc output;
  uint32_t axis;
};

// An axis of `count` elements behind a padding, without strides.
move::MappedAxis PaddedAxis(uint32_t mode, uint32_t size, uint32_t start, uint32_t count);

Result<std::vector<GraphValue>> PaddingGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> TileGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> BlocksGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> ReverseGradient(const ForwardNode& node, GradientBuilder& builder);

extern const Definition kPadding;
extern const Definition kPadding1;
extern const Definition kTile;
extern const Definition kSpaceToDepth;
extern const Definition kDepthToSpace;
extern const Definition kSpaceToDepth1;
extern const Definition kDepthToSpace1;
extern const Definition kReverseSubsequences;

// The oracles: reference.cpp.
void PaddingReference(const PaddingDesc& desc, const Bindings& bindings);
void TileReference(const PaddingDesc& desc, const Bindings& bindings);
void BlocksReference(const BlocksDesc& desc, const Bindings& bindings);
void ReverseReference(const ReverseDesc& desc, const Bindings& bindings);

extern const Kernel kPaddingKernel;
extern const Kernel kTileKernel;
extern const Kernel kBlocksKernel;
extern const Kernel kReverseKernel;

}  // namespace anydml::rearrangement
