// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the lists of operators take from this folder.
#pragma once

#include "operators/operator.h"

namespace anydml::normalization {

extern const Definition kBatchNormalization;
extern const Definition kMeanVarianceNormalization;
extern const Definition kMeanVarianceNormalization1;
extern const Definition kBatchNormalizationGrad;
extern const Definition kBatchNormalizationTraining;
extern const Definition kBatchNormalizationTrainingGrad;
extern const Definition kMeanVarianceNormalization2;
extern const Definition kLpNormalization;
extern const Definition kLocalResponseNormalization;
extern const Definition kLocalResponseNormalizationGrad;

}  // namespace anydml::normalization
