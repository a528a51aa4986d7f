// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the readers of objects share: members by name, names of enumerations.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/json_text.h"
#include "model/place.h"
#include "tensor/data_type.h"

namespace anydml::model {

// Null when there is none.
const Json* FindMember(const Json& object, std::string_view name);

// The same for a name that may begin with a capital; telling when both are
// there.
const Json* FindMember(const Json& object, std::string_view name, std::string_view capitalized,
                       const Place& place);

// The member, or null and "<place>: <name> is required".
const Json* RequireMember(const Json& object, std::string_view name, const Place& place);

// Tells the members that are not in `names`: "unknown member of <owner>; did
// you mean ...".
void CheckMembers(const Json& object, std::span<const std::string_view> names,
                  std::string_view owner, const Place& place);
void CheckMembers(const Json& object, std::initializer_list<std::string_view> names,
                  std::string_view owner, const Place& place);

// These tell their own problem when the value is of another type.
bool CheckObject(const Json& value, const Place& place);
bool CheckArray(const Json& value, const Place& place);
std::optional<bool> ReadBool(const Json& value, const Place& place);
const std::string* ReadString(const Json& value, const Place& place);

// The index of an enumerator, given with or without the prefix.
std::optional<uint32_t> ReadEnumerator(const Json& value, std::string_view prefix,
                                       std::span<const std::string_view> enumerators,
                                       const Place& place);

// A string or an array of strings; enumerator 0 is no flag, i is bit i - 1.
std::optional<uint32_t> ReadFlags(const Json& value, std::string_view prefix,
                                  std::span<const std::string_view> enumerators,
                                  const Place& place);

// A DML_TENSOR_DATA_TYPE; UNKNOWN and the 4-bit types are names too.
std::optional<DataType> ReadDataType(const Json& value, const Place& place);

bool EqualsIgnoringCase(std::string_view a, std::string_view b);

}  // namespace anydml::model
