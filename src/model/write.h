// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A model as text: what ReadModel reads as the same model. Descriptions are complete, with
// the strides of every tensor that is not packed.
#pragma once

#include <string>

#include "model/model.h"

namespace anydml::model {

std::string WriteModel(const Model& model);

}  // namespace anydml::model
