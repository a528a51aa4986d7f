// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Losses as DirectML operators: one FLOAT32 element, of sizes 1, from predictions and
// targets. What each calculates, and in which order, is ruling B143.
#pragma once

#include "graph/values.h"

namespace anydml::train {

// `scores` are of any size, {N, C, ...}; `classes` are UINT32 of {N, ...}. The mean of
// -log(softmax(scores)[class]).
Result<GraphValue> CrossEntropy(graph::Values& graph, const GraphValue& scores,
                                const GraphValue& classes);

// Of two tensors of equal sizes: the mean of (prediction - target)^2.
Result<GraphValue> MeanSquare(graph::Values& graph, const GraphValue& prediction,
                              const GraphValue& target);

// Targets are probabilities, scores go through a sigmoid: the mean of
// -(t log(p) + (1 - t) log(1 - p)), which does not overflow.
Result<GraphValue> BinaryCrossEntropy(graph::Values& graph, const GraphValue& scores,
                                      const GraphValue& target);

// 1 - (2 sum(p t) + 1) / (sum(p) + sum(t) + 1) with p = sigmoid(scores), over the batch.
Result<GraphValue> Dice(graph::Values& graph, const GraphValue& scores, const GraphValue& target);

}  // namespace anydml::train
