// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What validated descriptions of the operators of this folder say.
#pragma once

#include "operators/operator.h"

namespace anydml::movement {

// JOIN and SPLIT.
struct PartsDesc {
  bool join;
  TensorDesc whole;
  std::vector<TensorDesc> parts;
  uint32_t axis;
};

// FILL_VALUE_CONSTANT, and FILL_VALUE_SEQUENCE with a delta. The bytes of scalar unions.
struct FillDesc {
  TensorDesc output;
  uint64_t value;
  uint64_t delta;
};

struct GatherDesc {
  TensorDesc input;
  TensorDesc indices;
  TensorDesc output;
  uint32_t axis;
  uint32_t index_dimensions;
};

struct OneHotDesc {
  TensorDesc indices;
  TensorDesc values;
  TensorDesc output;
  uint32_t axis;
};

Result<std::vector<GraphValue>> JoinGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> SplitGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> GatherGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> OneHotGradient(const ForwardNode& node, GradientBuilder& builder);

extern const Definition kJoin;
extern const Definition kSplit;
extern const Definition kFillValueConstant;
extern const Definition kFillValueSequence;
extern const Definition kGather;
extern const Definition kOneHot;

// The oracles: reference.cpp.
void PartsReference(const PartsDesc& desc, const Bindings& bindings);
void ConstantReference(const FillDesc& desc, const Bindings& bindings);
void SequenceReference(const FillDesc& desc, const Bindings& bindings);
void GatherReference(const GatherDesc& desc, const Bindings& bindings);
void OneHotReference(const OneHotDesc& desc, const Bindings& bindings);

extern const Kernel kPartsKernel;
extern const Kernel kConstantKernel;
extern const Kernel kSequenceKernel;
extern const Kernel kGatherKernel;
extern const Kernel kOneHotKernel;

}  // namespace anydml::movement
