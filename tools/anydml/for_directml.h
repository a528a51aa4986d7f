// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Models that Microsoft's DirectML is to run.
#pragma once

#include "base/result.h"
#include "model/model.h"
#include "schema/feature_level.h"

namespace anydml::tool {

// Below a level that has NEGATE and CLIP_GRAD1 the older operators take their place. Gradients of
// resampling get equal pixel offsets, so that nothing hangs on whose they are (B10); where an
// element lies so near to the border of two pixels that NEAREST might choose another, that is
// refused. What else the level lacks is for FindProblems to say.
Status WriteForDirectMl(FeatureLevel level, model::Model& model);

}  // namespace anydml::tool
