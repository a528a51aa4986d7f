// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Enumerations (T13), counts, and the constraints that an operator's table
// states between its fields.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/float_environment.h"
#include "base/text.h"
#include "schema/interpreter.h"
#include "schema/output_tensors.h"
#include "schema/problems.h"

namespace anydml::schema {
namespace {

using Kind = Constraint::Kind;

std::string EnumeratorList(const Enumeration& enumeration) {
  std::string text;
  for (size_t i = 0; i < enumeration.enumerators.size(); ++i) {
    if (i != 0) text += i + 1 == enumeration.enumerators.size() ? " or " : ", ";
    text += fmt::format("{} ({})", enumeration.enumerators[i], i);
  }
  return text;
}

void CheckEnum(const Arguments& arguments, size_t i, Problems& problems) {
  const Field& field = arguments.schema().fields[i];
  if (arguments.Uint(i) < field.enumeration->enumerators.size()) return;
  problems.push_back(arguments.Fail(fmt::format("{} = {} must be {}", field.name, arguments.Uint(i),
                                                EnumeratorList(*field.enumeration))));
}

void CheckDataTypeField(const Arguments& arguments, size_t i, Problems& problems) {
  const Field& field = arguments.schema().fields[i];
  const auto given = static_cast<DataType>(arguments.Uint(i));
  const DataType wanted = arguments.tensor(field.tensor).data_type;
  if (given == wanted || !arguments.tensor(field.tensor).present()) return;
  if (given == DataType::kUnknown && field.unknown_is_own) return;
  const std::string_view name = DataTypeName(given);
  problems.push_back(arguments.Fail(
      fmt::format("{} = {} must equal {}.DataType = {}", field.name,
                  name.empty() ? fmt::format("{}", arguments.Uint(i)) : std::string(name),
                  arguments.schema().fields[field.tensor].name, DataTypeName(wanted))));
}

// A struct cannot get this wrong, since its arrays are read by the count; text
// can.
void CheckLength(const Arguments& arguments, size_t i, Problems& problems) {
  const Field& field = arguments.schema().fields[i];
  const uint32_t wanted = arguments.Uint(field.count_field);
  const size_t given =
      field.is_tensor_array() ? arguments.at(i).tensors.size() : arguments.at(i).count;
  if (given == wanted || (given == 0 && IsInferred(arguments.schema(), i))) return;
  problems.push_back(
      arguments.Fail(fmt::format("{} has {} entries and must have {} = {}", field.name, given,
                                 arguments.schema().fields[field.count_field].name, wanted)));
}

// The property that two tensors must share, as text; equal text means equal.
std::string Property(const TensorDesc& tensor, Kind kind) {
  switch (kind) {
    case Kind::kSameDataType:
      return std::string(DataTypeName(tensor.data_type));
    case Kind::kSameDimensionCount:
      return fmt::format("{}", tensor.dimension_count);
    default:
      return BracedList(tensor.Sizes());
  }
}

bool Same(const TensorDesc& a, const TensorDesc& b, Kind kind) {
  switch (kind) {
    case Kind::kSameDataType:
      return a.data_type == b.data_type;
    case Kind::kSameDimensionCount:
      return a.dimension_count == b.dimension_count;
    default:
      return std::ranges::equal(a.Sizes(), b.Sizes());
  }
}

std::string_view PropertyName(Kind kind) {
  switch (kind) {
    case Kind::kSameDataType:
      return "DataType";
    case Kind::kSameDimensionCount:
      return "DimensionCount";
    default:
      return "Sizes";
  }
}

// The first tensor of the set is what the others are compared with.
void CheckSame(const Arguments& arguments, const Constraint& constraint, Problems& problems) {
  const auto fields = arguments.schema().fields;
  const std::string_view property = PropertyName(constraint.kind);
  std::optional<size_t> first;
  const auto check = [&](size_t number) {
    const TensorDesc& tensor = arguments.tensor(number);
    if (!tensor.present()) return;
    if (!first) {
      first = number;
    } else if (!Same(tensor, arguments.tensor(*first), constraint.kind)) {
      problems.push_back(arguments.Fail(
          fmt::format("{}.{} = {} must equal {}.{} = {}", arguments.TensorName(number), property,
                      Property(tensor, constraint.kind), arguments.TensorName(*first), property,
                      Property(arguments.tensor(*first), constraint.kind))));
    }
  };
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!constraint.fields.Contains(i)) continue;
    if (fields[i].is_tensor()) check(i);
    const size_t entries = arguments.at(i).tensors.size();
    for (size_t k = 0; k < entries; ++k) check(arguments.EntryNumber(i, k));
  }
}

bool EntryIsLegal(const Arguments& arguments, size_t i, uint32_t k, Kind kind) {
  const float number = arguments.FloatAt(i, k);
  switch (kind) {
    case Kind::kAtLeastOne:
    case Kind::kNotZero:
      return arguments.at(i).words[k] != 0;
    case Kind::kFinite:
      return std::isfinite(number);
    case Kind::kPositive:
      return number > 0;
    default:
      return true;
  }
}

std::string_view EntryRule(Kind kind, bool is_scalar) {
  if (is_scalar && kind == Kind::kAtLeastOne) return "must be at least 1";
  if (is_scalar && kind == Kind::kFinite) return "must be finite";

  switch (kind) {
    case Kind::kAtLeastOne:
      return "must be at least 1 in every entry";
    case Kind::kNotZero:
      return "must not be 0 in any entry";
    case Kind::kFinite:
      return "must be finite in every entry";
    default:
      return "must be greater than 0 in every entry";
  }
}

void CheckEntries(const Arguments& arguments, const Constraint& constraint, Problems& problems) {
  const auto fields = arguments.schema().fields;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!constraint.fields.Contains(i)) continue;
    for (uint32_t k = 0; k < arguments.at(i).count; ++k) {
      if (EntryIsLegal(arguments, i, k, constraint.kind)) continue;
      problems.push_back(arguments.Fail(
          fmt::format("{} = {} {}", fields[i].name, ValueText(arguments, i),
                      EntryRule(constraint.kind,
                                !fields[i].is_array() && fields[i].type != FieldType::kSize2D))));
      break;
    }
  }
}

// An array of axes.
void CheckAxes(const Arguments& arguments, size_t i, Problems& problems) {
  const Field& field = arguments.schema().fields[i];
  const Field& count = arguments.schema().fields[field.count_field];
  if (count.type != FieldType::kAxisCount || !arguments.tensor(count.tensor).present()) return;
  const uint32_t dimensions = arguments.tensor(count.tensor).dimension_count;
  const std::span<const uint32_t> axes = arguments.Uints(i);
  for (size_t k = 0; k < axes.size(); ++k) {
    if (axes[k] >= dimensions) {
      problems.push_back(arguments.Fail(
          fmt::format("{}[{}] = {} must be less than {}.DimensionCount = {}", field.name, k,
                      axes[k], arguments.schema().fields[count.tensor].name, dimensions)));
    } else if (std::ranges::count(axes.first(k), axes[k]) != 0) {
      problems.push_back(arguments.Fail(
          fmt::format("{} = {} must not have an axis twice", field.name, BracedList(axes))));
    }
  }
}

Error FusedProblem(const Arguments& arguments, size_t i, const Error& problem) {
  return arguments.Fail(fmt::format("{}: {}", arguments.schema().fields[i].name, problem.message));
}

// The parameters of an operator that is fused; its rule, which speaks of tensors,
// has nothing to say.
void CheckFused(const Arguments& arguments, size_t i, Problems& problems) {
  if (arguments.at(i).description == nullptr) return;
  for (const Error& problem : FindTableProblems(*arguments.at(i).description)) {
    problems.push_back(FusedProblem(arguments, i, problem));
  }
}

void CheckConstraint(const Arguments& arguments, const Constraint& constraint, Problems& problems) {
  switch (constraint.kind) {
    case Kind::kSameDataType:
    case Kind::kSameDimensionCount:
    case Kind::kSameSizes:
      return CheckSame(arguments, constraint, problems);
    default:
      return CheckEntries(arguments, constraint, problems);
  }
}

}  // namespace

Status CheckTensorCount(const Arguments& arguments, const Field& field, uint32_t count) {
  if (count >= 1 && count <= kMaxArrayTensors) return {};
  return arguments.Fail(
      fmt::format("{} = {} must be 1 to {}", field.name, count, kMaxArrayTensors));
}

Status CheckDimensionCount(const Arguments& arguments, const Field& field,
                           const FieldValue& value) {
  const uint32_t count = arguments.tensor(field.tensor).dimension_count;
  if (uint64_t{value.words[0]} + field.less == count) return {};
  const std::string_view tensor = arguments.schema().fields[field.tensor].name;
  const std::string less = field.less == 0 ? "" : fmt::format(" - {}", field.less);
  return arguments.Fail(fmt::format("{} = {} must equal {}.DimensionCount{} = {}", field.name,
                                    value.words[0], tensor, less, int64_t{count} - field.less));
}

Status CheckAxisCount(const Arguments& arguments, const Field& field, uint32_t count) {
  const TensorDesc& tensor = arguments.tensor(field.tensor);
  // A fused operator gets its tensors later.
  const uint32_t dimensions = tensor.present() ? tensor.dimension_count : kMaxDimensions;
  if (count <= dimensions) return {};
  return arguments.Fail(fmt::format("{} = {} must be at most {}.DimensionCount = {}", field.name,
                                    count, arguments.schema().fields[field.tensor].name,
                                    dimensions));
}

Status CheckChannelCount(const Arguments& arguments, const Field& field, uint32_t count) {
  if (count != 1 && count != 3) {
    return arguments.Fail(fmt::format("{} = {} must be 1 or 3", field.name, count));
  }
  const TensorDesc& tensor = arguments.tensor(field.tensor);
  if (count == tensor.sizes[1]) return {};
  return arguments.Fail(fmt::format("{} = {} must equal {}.Sizes[1] = {}", field.name, count,
                                    arguments.schema().fields[field.tensor].name, tensor.sizes[1]));
}

Problems FindTableProblems(const Arguments& arguments) {
  // A subnormal scale is greater than 0, also for a caller that flushes them.
  const ScopedDefaultFloatEnvironment guard;
  const OperatorSchema& schema = arguments.schema();
  Problems problems;
  const auto add = [&](const Status& status) {
    if (!status.ok()) problems.push_back(status.error());
  };
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const Field& field = schema.fields[i];
    if (field.type == FieldType::kEnum) CheckEnum(arguments, i, problems);
    if (field.type == FieldType::kDataType) CheckDataTypeField(arguments, i, problems);
    if (field.is_array() || field.is_tensor_array()) CheckLength(arguments, i, problems);
    if (field.type == FieldType::kTensorCount) {
      add(CheckTensorCount(arguments, field, arguments.Uint(i)));
    }
    if (field.type == FieldType::kDimensionCount && arguments.tensor(field.tensor).present()) {
      add(CheckDimensionCount(arguments, field, arguments.at(i)));
    }
    if (field.type == FieldType::kAxisCount && arguments.tensor(field.tensor).present()) {
      add(CheckAxisCount(arguments, field, arguments.Uint(i)));
    }
    if (field.type == FieldType::kChannelCount && arguments.tensor(field.tensor).present()) {
      add(CheckChannelCount(arguments, field, arguments.Uint(i)));
    }
    if (field.type == FieldType::kUintArray) CheckAxes(arguments, i, problems);
    if (field.type == FieldType::kOperatorDesc) CheckFused(arguments, i, problems);
  }
  for (const Constraint& constraint : schema.constraints) {
    CheckConstraint(arguments, constraint, problems);
  }
  return problems;
}

Problems FindAttributeProblems(const Arguments& arguments, FeatureLevel level) {
  Problems problems = FindTableProblems(arguments);
  const ScopedDefaultFloatEnvironment guard;
  for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
    if (arguments.schema().fields[i].type != FieldType::kOperatorDesc) continue;
    const auto& fused = arguments.at(i).description;
    if (fused == nullptr || fused->schema().level_rule == nullptr) continue;
    const Status status = fused->schema().level_rule(*fused, level);
    if (!status.ok()) problems.push_back(FusedProblem(arguments, i, status.error()));
  }
  if (problems.empty() && arguments.schema().level_rule != nullptr) {
    Status status = arguments.schema().level_rule(arguments, level);
    if (!status.ok()) problems.push_back(status.error());
  }
  if (problems.empty() && arguments.schema().rule != nullptr) {
    Status status = arguments.schema().rule(arguments);
    if (!status.ok()) problems.push_back(status.error());
  }
  return problems;
}

Problems FindProblems(const Arguments& arguments, FeatureLevel level) {
  Problems problems = FindTensorProblems(arguments, level);
  if (problems.empty()) problems = FindAttributeProblems(arguments, level);
  return problems;
}

Status Validate(const Arguments& arguments, FeatureLevel level) {
  Problems problems = FindProblems(arguments, level);
  if (problems.empty()) return {};
  return problems.front();
}

}  // namespace anydml::schema
