// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operators that others may apply to their result (B126). Those that are missing in
// this version are refused by name, as any other is. A schema writes
//   schema::Fused("FusedActivation", offsetof(Struct, FusedActivation), kFusedActivations)
// and nothing else: programs and references apply the activation to the first output, in
// place, when it has been rounded to its type (operator.h).
#pragma once

#include <span>

#include "schema/schema.h"

namespace anydml {

// Activations, then ELEMENT_WISE_CLIP, which convolution and GEMM take since 6_0, then softmaxes,
// which GEMM takes since 6_1. Beside the table of element-wise operators.
extern const schema::FusedOperator kFusedOperators[20];
extern const schema::OperatorSchema kFusedSoftmax, kFusedSoftmax1;

inline constexpr std::span<const schema::FusedOperator> kFusedByGemm = kFusedOperators;
inline constexpr std::span<const schema::FusedOperator> kFusedActivationsAndClip =
    kFusedByGemm.first(kFusedByGemm.size() - 2);
inline constexpr std::span<const schema::FusedOperator> kFusedActivations =
    kFusedActivationsAndClip.first(kFusedActivationsAndClip.size() - 1);

}  // namespace anydml
