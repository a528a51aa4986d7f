// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Batch normalization with running statistics (B144): a training's statistics change in its
// step, an evaluation uses them.
#pragma once

#include "graph/values.h"

namespace anydml::train {

// All of sizes {1, C, 1, ...}, as many dimensions as x {N, C, ...}.
struct Normalization {
  GraphValue scale;
  GraphValue bias;
  GraphValue mean;
  GraphValue variance;
  float momentum = 0.1f;  // of the newest batch in the running statistics
  float epsilon = 1e-5f;
};

struct Normalized {
  GraphValue output;
  GraphValue next_mean;  // of the running statistics
  GraphValue next_variance;
};

// By the statistics of the batch. mean' = mean + momentum (batch mean - mean), as two products
// and a sum; the variance likewise, where the batch's is multiplied by n / (n - 1).
Result<Normalized> NormalizeForTraining(graph::Values& graph, const GraphValue& x,
                                        const Normalization& normalization);
// By the running statistics.
Result<GraphValue> NormalizeForEvaluation(graph::Values& graph, const GraphValue& x,
                                          const Normalization& normalization);

}  // namespace anydml::train
