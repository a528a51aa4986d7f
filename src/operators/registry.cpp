// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/registry.h"

#include "operators/operators.h"

namespace anydml {
namespace {

// One line per DML_OPERATOR_*, in the order of their values.
constexpr const Definition* kRegistry[] = {
    &identity::kIdentity,                // 1
    &clip::kClip,                        // 8
    &relu::kRelu,                        // 44
    &max_pooling::kMaxPooling,           // 58
    &slice::kSlice,                      // 60
    &max_pooling::kMaxPooling1,          // 91
    &resample::kResample,                // 96
    &max_pooling::kMaxPooling2,          // 110
    &slice::kSlice1,                     // 111
    &resample::kResample1,               // 116
    &relu_grad::kReluGrad,               // 129
    &max_pooling_grad::kMaxPoolingGrad,  // 131
    &resample_grad::kResampleGrad,       // 134
    &slice_grad::kSliceGrad,             // 135
    &clip_grad::kClipGrad,               // 142
    &clip::kClip1,                       // 153
    &clip_grad::kClipGrad1,              // 154
    &resample::kResample2,               // 161
    &resample_grad::kResampleGrad1,      // 162
    &resample::kResample3,               // 175
};

}  // namespace

std::span<const Definition* const> Registry() { return kRegistry; }

const Definition* FindOperator(uint32_t type) {
  for (const Definition* definition : kRegistry) {
    if (definition->schema->type == type) return definition;
  }
  return nullptr;
}

const Definition* FindOperator(std::string_view name) {
  for (const Definition* definition : kRegistry) {
    if (definition->schema->name == name) return definition;
  }
  return nullptr;
}

const schema::OperatorSchema* FindSchema(std::string_view name) {
  const Definition* definition = FindOperator(name);
  return definition == nullptr ? nullptr : definition->schema;
}

}  // namespace anydml
