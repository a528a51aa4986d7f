// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The answers of IDMLDevice::CheckFeatureSupport (C.2), from the operators'
// schemas.
#pragma once

#include <directml.h>

#include "base/result.h"
#include "schema/feature_level.h"

namespace anydml::directml {

struct QueryBytes {
  const void* data;
  UINT size;
};

struct AnswerBytes {
  void* data;
  UINT size;
};

// `feature` is the number of a DML_FEATURE, or of none.
Status CheckFeatureSupport(FeatureLevel level, uint32_t feature, QueryBytes query,
                           AnswerBytes answer);

}  // namespace anydml::directml
