// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/members.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

namespace anydml::model {

const Json* FindMember(const Json& object, std::string_view name) {
  const auto* members = object.get_ptr<const Json::object_t*>();
  if (members == nullptr) return nullptr;
  for (const auto& member : *members) {
    if (member.first == name) return &member.second;
  }
  return nullptr;
}

const Json* FindMember(const Json& object, std::string_view name, std::string_view capitalized,
                       const Place& place) {
  const Json* lower = FindMember(object, name);
  const Json* upper = FindMember(object, capitalized);
  if (lower != nullptr && upper != nullptr) {
    place.Fail("{} and {} must not both be given", name, capitalized);
  }
  return lower != nullptr ? lower : upper;
}

const Json* RequireMember(const Json& object, std::string_view name, const Place& place) {
  const Json* member = FindMember(object, name);
  if (member == nullptr) place.Fail("{} is required", name);
  return member;
}

void CheckMembers(const Json& object, std::span<const std::string_view> names,
                  std::string_view owner, const Place& place) {
  for (const auto& member : object.get_ref<const Json::object_t&>()) {
    if (std::ranges::find(names, member.first) != names.end()) continue;
    place.Member(member.first)
        .Fail("unknown member of {}{}", owner, place.Suggest(member.first, names));
  }
}

void CheckMembers(const Json& object, std::initializer_list<std::string_view> names,
                  std::string_view owner, const Place& place) {
  CheckMembers(object, std::span(names.begin(), names.size()), owner, place);
}

bool CheckObject(const Json& value, const Place& place) {
  if (!value.is_object()) place.Refuse(value, "must be an object");
  return value.is_object();
}

bool CheckArray(const Json& value, const Place& place) {
  if (!value.is_array()) place.Refuse(value, "must be an array");
  return value.is_array();
}

std::optional<bool> ReadBool(const Json& value, const Place& place) {
  if (value.is_boolean()) return value.get<bool>();
  place.Refuse(value, "must be true or false");
  return std::nullopt;
}

const std::string* ReadString(const Json& value, const Place& place) {
  if (!value.is_string()) place.Refuse(value, "must be a string");
  return value.get_ptr<const std::string*>();
}

std::optional<uint32_t> ReadEnumerator(const Json& value, std::string_view prefix,
                                       std::span<const std::string_view> enumerators,
                                       const Place& place) {
  const std::string* text = ReadString(value, place);
  if (text == nullptr) return std::nullopt;
  std::string_view name = *text;
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  const auto found = std::ranges::find(enumerators, name);
  if (found != enumerators.end()) return static_cast<uint32_t>(found - enumerators.begin());
  place.Refuse(value, "is no {}{}", prefix.substr(0, prefix.size() - 1),
               place.Suggest(name, enumerators));
  return std::nullopt;
}

std::optional<uint32_t> ReadFlags(const Json& value, std::string_view prefix,
                                  std::span<const std::string_view> enumerators,
                                  const Place& place) {
  if (!value.is_array()) {
    const std::optional<uint32_t> flag = ReadEnumerator(value, prefix, enumerators, place);
    if (!flag) return std::nullopt;
    return *flag == 0 ? 0 : 1u << (*flag - 1);
  }
  uint32_t flags = 0;
  for (size_t i = 0; i < value.size(); ++i) {
    const auto flag = ReadEnumerator(value[i], prefix, enumerators, place.Entry(i));
    if (!flag) return std::nullopt;
    if (*flag != 0) flags |= 1u << (*flag - 1);
  }
  return flags;
}

std::optional<DataType> ReadDataType(const Json& value, const Place& place) {
  std::array<std::string_view, kDataTypeCount> names;
  for (uint32_t i = 0; i < kDataTypeCount; ++i) names[i] = DataTypeName(static_cast<DataType>(i));
  const auto index = ReadEnumerator(value, "DML_TENSOR_DATA_TYPE_", names, place);
  if (!index) return std::nullopt;
  return static_cast<DataType>(*index);
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    return std::tolower(static_cast<uint8_t>(x)) == std::tolower(static_cast<uint8_t>(y));
  });
}

}  // namespace anydml::model
