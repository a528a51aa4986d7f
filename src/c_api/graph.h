// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A graph of values as the C interface holds it: handles, and names of values.
#pragma once

#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "anydml/anydml.h"
#include "graph/values.h"
#include "train/model.h"

namespace anydml::c_api {

struct NamedGraph {
  graph::Values values;
  std::vector<GraphValue> handles;  // a handle is its place here, counted from 1
  std::map<std::string, anydml_value, std::less<>> by_name;
  std::map<anydml_value, const std::string*> names;  // null for none
  std::deque<std::string> texts;  // all that were ever given: callers hold pointers to them
  std::map<uint32_t, std::vector<std::byte>> contents;  // of inputs from a model, by their id
  std::vector<train::Classes> classes;                  // of losses
  std::string text;                                     // that was written last

  anydml_value NewHandle(const GraphValue& value) {
    if (!value.present()) return 0;
    handles.push_back(value);
    return static_cast<anydml_value>(handles.size());
  }
  // Empty without one.
  std::string_view NameOf(anydml_value value) const {
    const auto found = names.find(value);
    const bool has_name = found != names.end() && found->second != nullptr;
    return has_name ? std::string_view(*found->second) : std::string_view();
  }
  // What a constant or an input from a model holds; empty for other values.
  std::span<const std::byte> ContentsOf(uint32_t id) const;
  Result<anydml_value> AddInput(std::string_view name, const TensorDesc& tensor);
  Status SetName(anydml_value value, std::string_view name);
  // `what` is a word for the sentence: "the loss".
  Result<GraphValue> Find(anydml_value value, std::string_view what) const;
};

}  // namespace anydml::c_api

struct anydml_graph {
  anydml::c_api::NamedGraph graph;
};
