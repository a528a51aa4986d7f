// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "directml/feature_support.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/raw_value.h"
#include "operators/registry.h"

namespace anydml::directml {
namespace {

template <typename Query, typename Answer>
Status CheckSizes(QueryBytes query, AnswerBytes answer) {
  if (query.data == nullptr || query.size != sizeof(Query)) {
    return InvalidArgument(
        fmt::format("featureQueryDataSize = {} must be {}, and the data not "
                    "null",
                    query.size, sizeof(Query)));
  }
  if (answer.data == nullptr || answer.size != sizeof(Answer)) {
    return InvalidArgument(
        fmt::format("featureSupportDataSize = {} must be {}, and the data not "
                    "null",
                    answer.size, sizeof(Answer)));
  }
  return {};
}

// Some operator takes it at the device's level.
bool IsSupported(DataType type, FeatureLevel level) {
  return std::ranges::any_of(Registry(), [&](const Definition* definition) {
    return std::ranges::any_of(definition->schema->support, [&](const auto& row) {
      return row.level <= level && row.data_types.Contains(type);
    });
  });
}

Status TensorDataTypeSupport(FeatureLevel level, QueryBytes query, AnswerBytes answer) {
  using Query = DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT;
  using Answer = DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT;
  Status status = CheckSizes<Query, Answer>(query, answer);
  if (!status.ok()) return status;
  const auto type =
      static_cast<DataType>(RawValue(static_cast<const Query*>(query.data)->DataType));
  static_cast<Answer*>(answer.data)->IsSupported = IsSupported(type, level) ? TRUE : FALSE;
  return {};
}

// The highest of the requested levels that the device has; never one that was
// not asked for.
Status FeatureLevels(FeatureLevel level, QueryBytes query, AnswerBytes answer) {
  using Query = DML_FEATURE_QUERY_FEATURE_LEVELS;
  using Answer = DML_FEATURE_DATA_FEATURE_LEVELS;
  Status status = CheckSizes<Query, Answer>(query, answer);
  if (!status.ok()) return status;
  const auto& asked = *static_cast<const Query*>(query.data);
  if (asked.RequestedFeatureLevelCount == 0 || asked.RequestedFeatureLevels == nullptr) {
    return InvalidArgument("RequestedFeatureLevels must not be empty");
  }
  uint32_t highest = 0;
  for (UINT i = 0; i < asked.RequestedFeatureLevelCount; ++i) {
    const auto value = RawValue(asked.RequestedFeatureLevels[i]);
    const bool exists = std::ranges::any_of(
        kFeatureLevels, [&](FeatureLevel known) { return static_cast<uint32_t>(known) == value; });
    if (exists && value <= static_cast<uint32_t>(level)) highest = std::max(highest, value);
  }
  if (highest == 0) return Unsupported("none of the RequestedFeatureLevels is supported");
  static_cast<Answer*>(answer.data)->MaxSupportedFeatureLevel =
      static_cast<DML_FEATURE_LEVEL>(highest);
  return {};
}

}  // namespace

Status CheckFeatureSupport(FeatureLevel level, uint32_t feature, QueryBytes query,
                           AnswerBytes answer) {
  switch (feature) {
    case DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT:
      return TensorDataTypeSupport(level, query, answer);
    case DML_FEATURE_FEATURE_LEVELS:
      return FeatureLevels(level, query, answer);
  }
  return Unsupported(fmt::format("feature = {} is no DML_FEATURE", feature));
}

}  // namespace anydml::directml
