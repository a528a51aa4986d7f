// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The names that one model gives to its resources or dispatchables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/members.h"

namespace anydml::model {

class Names {
 public:
  // `kind` is a word for sentences: "resource".
  explicit Names(std::string_view kind) : kind_(kind) {}

  // The views must outlive this.
  void Add(std::string_view name) {
    index_.emplace(name, names_.size());
    names_.push_back(name);
  }

  // The index of the name that the string `value` gives.
  std::optional<size_t> Find(const Json& value, const Place& place) const {
    const std::string* name = ReadString(value, place);
    if (name == nullptr) return std::nullopt;
    const auto found = index_.find(*name);
    if (found != index_.end()) return found->second;
    place.Refuse(value, "is no {} of this model{}", kind_, place.Suggest(*name, names_));
    return std::nullopt;
  }

 private:
  std::string_view kind_;
  std::vector<std::string_view> names_;
  std::unordered_map<std::string_view, size_t> index_;
};

}  // namespace anydml::model
