// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One number for a model and the way it is trained, so that a checkpoint of another one is
// refused.
#pragma once

#include <string>

namespace anydml::train {

struct Model;
struct Optimizer;

// SHA-256 of a text that has every input, node, view and constant that the loss and the
// statistics need, what is trained and by which optimizer. The learning rate, which may change,
// is no part of it.
std::string HashOf(const Model& model, const Optimizer& optimizer);

}  // namespace anydml::train
