// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// An operator description in a model, read through the operator's schema: no
// operator is named here, and a new one needs no code here.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "model/json_text.h"
#include "model/place.h"
#include "schema/arguments.h"

namespace anydml::model {

// The schema of an operator by the enumerator's words ("MAX_POOLING_GRAD");
// null when it is not implemented. Handed in, since this layer knows no
// operators.
using FindSchema = const schema::OperatorSchema* (*)(std::string_view name);

// From { "type": ..., "desc": { ... } } or with the description's members beside
// `type`. Output tensors may be left out where the other fields lead to them. Empty when
// a problem was told. What the schema itself can tell (schema/problems.h, for a feature
// level) is not told here, but where an output is left out: then all but its rule is.
std::optional<schema::Arguments> ReadDescription(const Json& dispatchable, FindSchema find_schema,
                                                 const Place& place);

// The same from text alone.
std::optional<schema::Arguments> ReadDescription(std::string_view text, FindSchema find_schema,
                                                 Problems& problems);

// An operator whose inputs are given (in binding order; absent ones that are optional), from
// the text of its settings alone: what follows from the inputs and what has a fallback may
// be left out, counts, arrays and output tensors among them (schema/settings.h).
std::optional<schema::Arguments> ReadSettings(std::string_view text, FindSchema find_schema,
                                              std::span<const TensorDesc> inputs,
                                              Problems& problems);

}  // namespace anydml::model
