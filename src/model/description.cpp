// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/description.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/float_environment.h"
#include "model/members.h"
#include "model/numbers.h"
#include "model/tensor.h"
#include "schema/operator_names.h"
#include "schema/output_tensors.h"
#include "schema/settings.h"

namespace anydml::model {
namespace {

using schema::Arguments;
using schema::Field;
using schema::FieldType;
using schema::FieldValue;

constexpr std::string_view kDispatchableMembers[] = {
    "type", "Type", "desc", "Desc", "executionFlags", "dmlCompileType", "bindings"};

// The member of DML_SCALAR_UNION that holds a value of the type; it has none
// for FLOAT16 but the bits.
std::string_view UnionMember(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return "Float32";
    case DataType::kFloat64:
      return "Float64";
    case DataType::kInt8:
      return "Int8";
    case DataType::kInt16:
      return "Int16";
    case DataType::kInt32:
      return "Int32";
    case DataType::kInt64:
      return "Int64";
    case DataType::kUint8:
      return "UInt8";
    case DataType::kFloat16:
    case DataType::kUint16:
      return "UInt16";
    case DataType::kUint32:
      return "UInt32";
    case DataType::kUint64:
      return "UInt64";
    default:
      return "";
  }
}

// Stores one 32-bit word.
bool ReadWord(const Json& value, DataType type, const Place& place, uint32_t& word) {
  const std::string rule = StoreElement(value, type, reinterpret_cast<uint8_t*>(&word));
  if (!rule.empty()) place.Refuse(value, "{}", rule);
  return rule.empty();
}

DataType WordType(FieldType type) {
  switch (type) {
    case FieldType::kFloat:
    case FieldType::kFloatArray:
      return DataType::kFloat32;
    case FieldType::kInt:
    case FieldType::kIntArray:
      return DataType::kInt32;
    default:
      return DataType::kUint32;
  }
}

void ReadArray(const Json& value, DataType type, const Place& place, FieldValue& out) {
  if (!CheckArray(value, place)) return;
  if (value.size() > out.words.size()) {
    return place.Fail("has {} entries and must have at most {}", value.size(), out.words.size());
  }
  for (size_t i = 0; i < value.size(); ++i) {
    if (!ReadWord(value[i], type, place.Entry(i), out.words[i])) return;
  }
  out.count = static_cast<uint32_t>(value.size());
}

// A struct of two numbers.
void ReadPair(const Json& value, std::array<std::string_view, 2> members, std::string_view owner,
              DataType type, const Place& place, FieldValue& out) {
  if (!CheckObject(value, place)) return;
  CheckMembers(value, members, owner, place);
  for (size_t k = 0; k < members.size(); ++k) {
    const Json* member = RequireMember(value, members[k], place);
    if (member != nullptr) ReadWord(*member, type, place.Member(members[k]), out.words[k]);
  }
  out.count = 2;
}

void ReadUnion(const Json& value, DataType type, const Place& place, FieldValue& out) {
  const std::string_view member = UnionMember(type);
  if (member.empty()) {
    return place.Refuse(value, "has no meaning for the type {}", DataTypeName(type));
  }
  const Json* number = &value;
  Place number_place = place;
  if (value.is_object()) {
    const std::string owner = fmt::format("a DML_SCALAR_UNION of {}", DataTypeName(type));
    CheckMembers(value, {member}, owner, place);
    number = FindMember(value, member);
    if (number == nullptr) {
      if (value.empty()) place.Fail("{} is required", member);
      return;
    }
    number_place = place.Member(member);
    if (type == DataType::kFloat16) type = DataType::kUint16;
  }
  const std::string rule =
      StoreElement(*number, type, reinterpret_cast<uint8_t*>(out.words.data()));
  if (!rule.empty()) number_place.Refuse(*number, "{}", rule);
  out.count = 2;
}

void ReadFieldTensor(const Json& value, const Field& field, const Place& place, FieldValue& out) {
  if (value.is_null() && field.optional) {
    return place.Refuse(value, "must be an object; an optional tensor is left out altogether");
  }
  if (const auto tensor = ReadTensor(value, place)) out.tensor = *tensor;
}

void ReadTensorArray(const Json& value, const Place& place, FieldValue& out) {
  if (!CheckArray(value, place)) return;
  if (value.size() > schema::kMaxArrayTensors) {
    return place.Fail("has {} entries and must have at most {}", value.size(),
                      schema::kMaxArrayTensors);
  }
  for (size_t i = 0; i < value.size(); ++i) {
    if (const auto tensor = ReadTensor(value[i], place.Entry(i))) out.tensors.push_back(*tensor);
  }
}

void ReadFused(const Json& value, const Field& field, const Place& place, FieldValue& out);

// Stays absent when unreadable: the unions of the type are then passed over.
void ReadFieldDataType(const Json& value, const Place& place, FieldValue& out) {
  const auto type = ReadDataType(value, place);
  out.count = type ? 1 : 0;
  if (type) out.words[0] = static_cast<uint32_t>(*type);
}

void ReadField(const Json& value, const Field& field, const Place& place, FieldValue& out) {
  if (field.is_tensor()) return ReadFieldTensor(value, field, place, out);
  if (field.is_tensor_array()) return ReadTensorArray(value, place, out);
  if (field.type == FieldType::kOperatorDesc) return ReadFused(value, field, place, out);
  if (field.is_array()) return ReadArray(value, WordType(field.type), place, out);
  out.count = 1;
  switch (field.type) {
    case FieldType::kBool:
      out.words[0] = ReadBool(value, place).value_or(false);
      return;
    case FieldType::kEnum:
      out.words[0] =
          ReadEnumerator(value, field.enumeration->prefix, field.enumeration->enumerators, place)
              .value_or(0);
      return;
    case FieldType::kDataType:
      return ReadFieldDataType(value, place, out);
    case FieldType::kScaleBias:
      return ReadPair(value, {"Scale", "Bias"}, "DML_SCALE_BIAS", DataType::kFloat32, place, out);
    case FieldType::kSize2D:
      return ReadPair(value, {"Width", "Height"}, "DML_SIZE_2D", DataType::kUint32, place, out);
    default:
      ReadWord(value, WordType(field.type), place, out.words[0]);
  }
}

constexpr std::string_view kOperatorPrefix = "DML_OPERATOR_";

// The operator that `type` names; tells why when there is none.
const schema::OperatorSchema* FindOperator(const Json& type, FindSchema find_schema,
                                           const Place& place) {
  const std::string* text = ReadString(type, place);
  if (text == nullptr) return nullptr;
  std::string_view name = *text;
  if (name.starts_with(kOperatorPrefix)) name.remove_prefix(kOperatorPrefix.size());
  if (const schema::OperatorSchema* schema = find_schema(name)) return schema;
  std::vector<std::string_view> names;
  for (uint32_t i = 1; i < schema::kOperatorTypeCount; ++i) {
    names.push_back(schema::OperatorTypeName(i));
  }
  if (std::ranges::find(names, name) != names.end()) {
    place.RefuseUnsupported(type, "is an operator that is not implemented");
  } else {
    std::erase_if(names, [&](std::string_view n) { return find_schema(n) == nullptr; });
    place.Refuse(type, "is no operator{}", place.Suggest(name, names));
  }
  return nullptr;
}

// What a text says of an operator.
enum class Content {
  kAll,
  kSettings,        // its inputs are known, and what follows from them may be left out
  kWithoutTensors,  // it is fused
};

bool IsIn(const Field& field, Content content) {
  if (content == Content::kSettings) return !field.is_input();
  return content == Content::kAll || !field.is_tensor();
}

// Members of `object` are the fields of the schema, and, where the description
// sits beside `type`, those of the dispatchable.
void CheckFieldNames(const Json& object, bool beside_type, const schema::OperatorSchema& schema,
                     Content content, const Place& place) {
  std::vector<std::string_view> names;
  for (const Field& field : schema.fields) {
    if (IsIn(field, content)) names.push_back(field.name);
  }
  if (beside_type) {
    names.insert(names.end(), std::begin(kDispatchableMembers), std::end(kDispatchableMembers));
  }
  CheckMembers(object, names, schema.name, place);
}

// Whether a field of settings may be left out, since schema::FillFallbacks fills it in or
// tells what is missing.
bool FollowsOrFallsBack(const schema::OperatorSchema& schema, size_t i) {
  const Field& field = schema.fields[i];
  return field.has_fallback || field.is_output() || field.type == FieldType::kDimensionCount ||
         field.type == FieldType::kAxisCount || field.type == FieldType::kChannelCount ||
         field.type == FieldType::kTensorCount || field.type == FieldType::kDataType ||
         std::ranges::any_of(schema.fields, [=](const Field& counted) {
           return counted.is_array() && counted.count_field == i;
         });
}

// An array of no axes, whose count is read: like the struct's it may be null (B78).
bool IsEmptyArray(const Arguments& arguments, size_t i) {
  const Field& field = arguments.schema().fields[i];
  if (!field.is_array() || !arguments.IsPresent(field.count_field)) return false;
  return arguments.schema().fields[field.count_field].type == FieldType::kAxisCount &&
         arguments.Uint(field.count_field) == 0;
}

// A scalar union after its type, wherever the struct has them.
void ReadFields(const Json& object, bool unions, Content content, const Place& place,
                Arguments& arguments) {
  const auto fields = arguments.schema().fields;
  for (size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    if (!IsIn(field, content)) continue;
    if ((field.type == FieldType::kScalarUnion) != unions) continue;
    const Json* value = FindMember(object, field.name);
    if ((value == nullptr || value->is_null()) && IsEmptyArray(arguments, i)) continue;
    if (value == nullptr) {
      if (field.optional || IsInferred(arguments.schema(), i)) continue;
      if (content == Content::kSettings && FollowsOrFallsBack(arguments.schema(), i)) continue;
      place.Fail("{} is required{}", field.name, WhyRequired(arguments.schema(), i));
      continue;
    }
    const Place field_place = place.Member(field.name);
    if (!unions) {
      ReadField(*value, field, field_place, arguments.at(i));
    } else if (arguments.IsPresent(field.count_field)) {
      const auto type = static_cast<DataType>(arguments.Uint(field.count_field));
      ReadUnion(*value, type, field_place, arguments.at(i));
    }
  }
}

// An operator without its tensors: its members beside Type, or in Desc.
void ReadFused(const Json& value, const Field& field, const Place& place, FieldValue& out) {
  if (!CheckObject(value, place)) return;
  const Json* type = FindMember(value, "type", "Type", place);
  if (type == nullptr) return place.Fail("Type is required");
  const std::string* text = ReadString(*type, place.Member("Type"));
  if (text == nullptr) return;
  std::string_view name = *text;
  if (name.starts_with(kOperatorPrefix)) name.remove_prefix(kOperatorPrefix.size());
  const auto found = std::ranges::find_if(
      field.operators, [&](const schema::FusedOperator& op) { return op.schema->name == name; });
  if (found == field.operators.end()) {
    return place.Member("Type").Refuse(*type, "must be {}", FusedNames(field));
  }
  const Json* desc = FindMember(value, "desc", "Desc", place);
  const Json& object = desc == nullptr ? value : *desc;
  const Place desc_place = desc == nullptr ? place : place.Member("Desc");
  if (!CheckObject(object, desc_place)) return;
  std::vector<std::string_view> names = {"type", "Type"};
  if (desc != nullptr) CheckMembers(value, {"type", "Type", "desc", "Desc"}, "an operator", place);
  if (desc != nullptr) names.clear();
  for (const Field& member : found->schema->fields) {
    if (!member.is_tensor()) names.push_back(member.name);
  }
  CheckMembers(object, names, fmt::format("{}, which is fused", name), desc_place);
  Arguments fused(*found->schema);
  ReadFields(object, /*unions=*/false, Content::kWithoutTensors, desc_place, fused);
  ReadFields(object, /*unions=*/true, Content::kWithoutTensors, desc_place, fused);
  out.description = std::make_shared<const Arguments>(std::move(fused));
}

// Where outputs are left out, what is wrong with the rest is told here.
bool InferOutputs(Arguments& arguments, const Place& place) {
  const schema::Problems problems = CompleteOutputs(arguments, kNewestFeatureLevel);
  for (const Error& problem : problems) place.Fail("{}", problem.message);
  return problems.empty();
}

// The operator of `dispatchable` and its fields. `inputs` are those of settings.
std::optional<Arguments> Read(const Json& dispatchable, FindSchema find_schema, Content content,
                              std::span<const TensorDesc> inputs, const Place& place) {
  if (!CheckObject(dispatchable, place)) return std::nullopt;
  const size_t problems = place.problem_count();
  const Json* type = FindMember(dispatchable, "type", "Type", place);
  if (type == nullptr) {
    place.Fail("type is required");
    return std::nullopt;
  }
  const schema::OperatorSchema* schema = FindOperator(*type, find_schema, place.Member("type"));
  if (schema == nullptr) return std::nullopt;
  const Json* desc = FindMember(dispatchable, "desc", "Desc", place);
  const bool beside_type = desc == nullptr;
  const Place desc_place = beside_type ? place : place.Member("desc");
  if (!beside_type) CheckMembers(dispatchable, kDispatchableMembers, "a dispatchable", place);
  const Json& object = beside_type ? dispatchable : *desc;
  if (!CheckObject(object, desc_place)) return std::nullopt;
  CheckFieldNames(object, beside_type, *schema, content, desc_place);
  Arguments arguments(*schema);
  ReadFields(object, /*unions=*/false, content, desc_place, arguments);
  if (content == Content::kSettings && place.problem_count() == problems) {
    const Status status = PutInputs(inputs, arguments);
    if (!status.ok()) place.Fail("{}", status.error().message);
    FillFallbacks(arguments);
  }
  ReadFields(object, /*unions=*/true, content, desc_place, arguments);
  if (place.problem_count() != problems) return std::nullopt;
  return arguments;
}

// Parses a text on its own.
template <typename ReadValue>
std::optional<Arguments> ReadText(std::string_view text, Problems& problems, ReadValue read) try {
  const ScopedDefaultFloatEnvironment guard;  // numbers round one way
  Result<Json> json = ParseJson(text);
  const DismantleAtEnd dismantle(json);
  ProblemList list{problems};
  if (json.ok()) return read(json.value(), Place(list));
  problems.push_back(json.error());
  return std::nullopt;
} catch (const std::bad_alloc&) {
  problems.push_back(OutOfMemoryNow("the description does not fit into memory"));
  return std::nullopt;
} catch (const std::exception& error) {
  problems.push_back({ErrorCode::kInternal, error.what()});
  return std::nullopt;
}

}  // namespace

std::optional<Arguments> ReadDescription(const Json& dispatchable, FindSchema find_schema,
                                         const Place& place) {
  std::optional<Arguments> arguments = Read(dispatchable, find_schema, Content::kAll, {}, place);
  if (!arguments || !InferOutputs(*arguments, place)) return std::nullopt;
  return arguments;
}

std::optional<Arguments> ReadDescription(std::string_view text, FindSchema find_schema,
                                         Problems& problems) {
  return ReadText(text, problems, [&](const Json& json, const Place& place) {
    return ReadDescription(json, find_schema, place);
  });
}

std::optional<Arguments> ReadSettings(std::string_view text, FindSchema find_schema,
                                      std::span<const TensorDesc> inputs, Problems& problems) {
  return ReadText(text, problems, [&](const Json& json, const Place& place) {
    return Read(json, find_schema, Content::kSettings, inputs, place);
  });
}

}  // namespace anydml::model
