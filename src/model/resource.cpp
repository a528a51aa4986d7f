// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/resource.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "base/checked_math.h"
#include "model/members.h"
#include "model/numbers.h"

namespace anydml::model {
namespace {

constexpr uint64_t kMaxUint64 = std::numeric_limits<uint64_t>::max();

std::optional<uint64_t> ReadSize(const Json& resource, std::string_view name, uint64_t fallback,
                                 const Place& place) {
  const Json* value = FindMember(resource, name);
  if (value == nullptr) return fallback;
  return ReadUnsigned(*value, kMaxUint64, place.Member(name));
}

}  // namespace

std::optional<Resource> ReadResource(std::string_view name, const Json& value,
                                     ValueOptions& options, const Place& place) {
  if (!CheckObject(value, place)) return std::nullopt;
  const size_t problems = place.problem_count();
  CheckMembers(value,
               {"initialValuesDataType", "initialValues", "sizeInBytes",
                "initialValuesOffsetInBytes", "resampleSize", "resampleMode"},
               "a resource", place);
  std::optional<Values> values = ReadInitialValues(value, options, place);
  const uint64_t given = values ? values->bytes.size() : 0;
  const auto size = ReadSize(value, "sizeInBytes", (given + 3) / 4 * 4, place);
  const auto offset = ReadSize(value, "initialValuesOffsetInBytes", 0, place);
  if (!values || !size || !offset) return std::nullopt;
  if (CheckedAdd(given, *offset).value_or(kMaxUint64) > *size) {
    const std::string at = *offset == 0 ? "" : fmt::format(" at offset {}", *offset);
    place.Fail("sizeInBytes = {} must hold the {} bytes of initialValues{}", *size, given, at);
    return std::nullopt;
  }
  if (!Allocate(*size, options, place.Member("sizeInBytes"), values->bytes)) return std::nullopt;
  if (place.problem_count() != problems) return std::nullopt;
  return Resource{std::string(name), values->data_type, std::move(values->bytes), given};
}

}  // namespace anydml::model
