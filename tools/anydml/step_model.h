// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A step of a training as a model: what `anydml grad --update` writes. Its commands write
// resources over that others have read before; these are kept from step to step.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "model/model.h"
#include "train/step_graph.h"

namespace anydml::tool {

struct StepModel {
  train::StepGraph step;
  std::map<uint32_t, std::vector<std::byte>> contents;  // of inputs, by their numbers
  std::string hash;                                     // SHA-256 of the text and the contents
};

// The loss is what the model prints first.
Result<StepModel> MakeStepModel(model::Model model, std::span<const std::byte> text);

}  // namespace anydml::tool
