// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Which buffer stands for which tensor.
#pragma once

#include <optional>
#include <vector>

#include "model/model.h"
#include "model/names.h"

namespace anydml::model {

// The resources by name; an empty one could not be read.
struct ResourceTable {
  Names names{"resource"};
  std::vector<std::optional<Resource>> resources;
};

enum class BindingTime {
  kInitialization,  // of the inputs that DirectML owns from then on
  kDispatch,        // of all others
};

// From { "InputTensor": "A", "OutputTensor": { "name": "B", "elementOffset": 4 } }.
// Every tensor of the time must be bound, and must fit its buffer. `value` is
// null when the model has no such member.
std::vector<Binding> ReadBindings(const Json* value, const schema::Arguments& arguments,
                                  BindingTime time, const ResourceTable& table, const Place& place);

}  // namespace anydml::model
