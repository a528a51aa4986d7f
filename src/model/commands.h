// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The commands of a model.
#pragma once

#include <optional>
#include <vector>

#include "model/bindings.h"
#include "model/model.h"
#include "model/names.h"

namespace anydml::model {

// The dispatchables by name; an empty one could not be read.
struct DispatchableTable {
  Names names{"dispatchable"};
  std::vector<std::optional<Dispatchable>> dispatchables;
};

// Empty when a problem was told, or when the command is about something that
// could not be read.
std::optional<Command> ReadCommand(const Json& value, const ResourceTable& resources,
                                   const DispatchableTable& dispatchables, const Place& place);

}  // namespace anydml::model
