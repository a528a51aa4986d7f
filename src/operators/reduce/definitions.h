// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the lists of operators take from this folder.
#pragma once

#include "operators/operator.h"

namespace anydml::reduce {

extern const Definition kReduce;
extern const Definition kHardmax;
extern const Definition kLogSoftmax;
extern const Definition kSoftmax;
extern const Definition kCumulativeSummation;
extern const Definition kArgMin;
extern const Definition kArgMax;
extern const Definition kCumulativeProduct;
extern const Definition kSoftmax1;
extern const Definition kLogSoftmax1;
extern const Definition kHardmax1;

}  // namespace anydml::reduce
