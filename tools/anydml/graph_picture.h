// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A model of several dispatches as a graph: an SVG like that of one dispatch.
#pragma once

#include <string>

#include "model/model.h"

namespace anydml::tool {

// A box per dispatch that has inputs, with the resources that it writes and, of those that it
// reads, the ones that no other box writes. In a model of `anydml grad` what only the gradients
// d.NAME need stands on the right, level with what it is the gradient of.
std::string GraphSvg(const model::Model& model, const std::string& title);

}  // namespace anydml::tool
