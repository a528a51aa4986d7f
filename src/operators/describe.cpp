// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/describe.h"

#include <bit>
#include <cstring>

#include "schema/interpreter.h"
#include "schema/settings.h"

namespace anydml {
namespace {

using schema::Field;
using schema::FieldType;

std::vector<DataType> TypesOf(const schema::OperatorSchema& schema, size_t tensor) {
  std::vector<DataType> types;
  const schema::TensorSupport* row = schema::FindSupport(schema, tensor, kNewestFeatureLevel);
  for (uint32_t i = 0; i < kDataTypeCount; ++i) {
    if (row->data_types.Contains(static_cast<DataType>(i)))
      types.push_back(static_cast<DataType>(i));
  }
  return types;
}

bool HasTensors(const Field& field) { return field.is_input() || field.is_output(); }

size_t FirstTensor(const schema::OperatorSchema& schema) {
  size_t i = 0;
  while (!HasTensors(schema.fields[i])) ++i;
  return i;
}

bool SharesTypeWith(const schema::OperatorSchema& schema, size_t a, size_t b) {
  for (const schema::Constraint& constraint : schema.constraints) {
    if (constraint.kind == schema::Constraint::Kind::kSameDataType &&
        constraint.fields.Contains(a) && constraint.fields.Contains(b)) {
      return true;
    }
  }
  return a == b;
}

// The first tensor that has the type of this one: itself, where it has a type of its own.
size_t TypeLeader(const schema::OperatorSchema& schema, size_t tensor) {
  for (size_t i = 0; i < tensor; ++i) {
    if (HasTensors(schema.fields[i]) && SharesTypeWith(schema, i, tensor)) return i;
  }
  return tensor;
}

const CaseSetting* FindSetting(const Case& c, std::string_view field) {
  for (const CaseSetting& setting : c.settings) {
    if (setting.field == field && !field.empty()) return &setting;
  }
  return nullptr;
}

// From its type and its parameters, each of one word.
std::shared_ptr<const schema::Arguments> MakeFused(const Field& field, const CaseSetting& setting) {
  const schema::OperatorSchema* schema =
      schema::FindFused(field, static_cast<uint32_t>(setting.values[0]));
  if (schema == nullptr) return nullptr;
  schema::Arguments fused(*schema);
  uint32_t next = 1;
  for (size_t i = 0; i < schema->fields.size(); ++i) {
    if (HasTensors(schema->fields[i]) || schema->fields[i].optional) continue;
    fused.at(i).count = 1;
    fused.at(i).words[0] = schema::WordOf(schema->fields[i].type, setting.values[next++]);
  }
  return std::make_shared<const schema::Arguments>(std::move(fused));
}

// A case gives axes, or biases, and no number of them.
uint32_t CountedEntries(const schema::OperatorSchema& schema, size_t count, const Case& c) {
  for (const Field& field : schema.fields) {
    if (!field.is_array() || field.count_field != count) continue;
    const CaseSetting* entries = FindSetting(c, field.name);
    return entries == nullptr ? 0 : entries->count;
  }
  return 0;
}

void SetAttribute(schema::Arguments& arguments, size_t i, const Case& c) {
  const Field& field = arguments.schema().fields[i];
  schema::FieldValue& value = arguments.at(i);
  const CaseSetting* setting = FindSetting(c, field.name);
  const auto given = [&](uint32_t k) {
    return setting != nullptr ? setting->values[k] : field.fallback;
  };
  if (field.type == FieldType::kOperatorDesc) {
    if (setting != nullptr) value.description = MakeFused(field, *setting);
    return;
  }
  value.count = 1;
  if (field.type == FieldType::kDimensionCount) {
    value.words[0] = arguments.tensor(field.tensor).dimension_count - field.less;
  } else if (field.type == FieldType::kAxisCount || field.type == FieldType::kChannelCount) {
    value.words[0] = CountedEntries(arguments.schema(), i, c);
  } else if (field.type == FieldType::kDataType) {
    value.words[0] = static_cast<uint32_t>(arguments.tensor(field.tensor).data_type);
  } else if (field.type == FieldType::kScalarUnion) {
    const auto type = static_cast<DataType>(arguments.Uint(field.count_field));
    const uint64_t bits = schema::ScalarBits(type, given(0));
    std::memcpy(value.words.data(), &bits, sizeof bits);
    value.count = 2;
  } else if (field.type == FieldType::kScaleBias) {
    value.count = setting != nullptr ? 2 : 0;
    for (uint32_t k = 0; k < value.count; ++k)
      value.words[k] = schema::WordOf(field.type, given(k));
  } else {
    if (field.is_array()) value.count = arguments.Uint(field.count_field);
    if (field.type == FieldType::kSize2D) value.count = 2;
    for (uint32_t k = 0; k < value.count; ++k)
      value.words[k] = schema::WordOf(field.type, given(k));
  }
}

}  // namespace

std::vector<TypeAssignment> AdmittedTypes(const schema::OperatorSchema& schema) {
  const size_t first = FirstTensor(schema);
  std::vector<TypeAssignment> all;
  for (DataType type : TypesOf(schema, first)) {
    std::vector<TypeAssignment> assignments = {TypeAssignment(schema.fields.size())};
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      if (!HasTensors(schema.fields[i])) continue;
      const size_t leader = TypeLeader(schema, i);
      std::vector<TypeAssignment> grown;
      for (const TypeAssignment& assignment : assignments) {
        const auto choices = i == first    ? std::vector{type}
                             : leader != i ? std::vector{assignment[leader]}
                                           : TypesOf(schema, i);
        for (DataType choice : choices) {
          grown.push_back(assignment);
          grown.back()[i] = choice;
        }
      }
      assignments = std::move(grown);
    }
    all.insert(all.end(), assignments.begin(), assignments.end());
  }
  return all;
}

std::string TypeName(const schema::OperatorSchema& schema, const TypeAssignment& types) {
  const size_t first = FirstTensor(schema);
  std::string name(DataTypeName(types[first]));
  for (size_t i = 0; i < types.size(); ++i) {
    if (HasTensors(schema.fields[i]) && i != first && TypeLeader(schema, i) == i) {
      name.append(1, '_').append(DataTypeName(types[i]));
    }
  }
  return name;
}

void SetStrides(TensorDesc& tensor, const std::optional<Dimensions>& strides) {
  tensor.has_strides = strides.has_value();
  tensor.strides = strides.value_or(PackedStrides(tensor.Sizes()));
  tensor.total_bytes =
      MinimumTotalBytes(tensor.data_type, tensor.Sizes(), tensor.Strides()).value_or(0);
}

std::optional<schema::Arguments> DescribeCase(const schema::OperatorSchema& schema, const Case& c,
                                              const TypeAssignment& types) {
  for (const CaseSetting& setting : c.settings) {
    bool known = setting.field.empty();
    for (const Field& field : schema.fields) known = known || field.name == setting.field;
    if (!known) return std::nullopt;
  }
  schema::Arguments arguments(schema);
  size_t ordinal = 0;
  const auto next = [&](size_t field) {
    const CaseSizes& sizes = c.sizes[ordinal++];
    if (sizes.count == 0) return TensorDesc();
    return PackedTensor(types[field], {sizes.values.data(), sizes.count});
  };
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (schema.fields[i].is_tensor()) arguments.at(i).tensor = next(i);
    if (!schema.fields[i].is_tensor_array()) continue;
    const CaseSetting* count = FindSetting(c, schema.fields[schema.fields[i].count_field].name);
    for (double k = 0; count != nullptr && k < count->values[0]; ++k) {
      arguments.at(i).tensors.push_back(next(i));
    }
  }
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (!HasTensors(schema.fields[i])) SetAttribute(arguments, i, c);
  }
  if (schema.level_rule != nullptr && !schema.level_rule(arguments, kNewestFeatureLevel).ok()) {
    return std::nullopt;
  }
  return arguments;
}

Dimensions StridesInOrder(const TensorDesc& tensor, const std::vector<uint32_t>& order,
                          uint32_t extra, uint32_t step) {
  Dimensions strides = {};
  uint32_t next = step;
  for (size_t k = order.size(); k-- > 0;) {
    strides[order[k]] = next;
    next *= tensor.sizes[order[k]];
    if (k + 1 == order.size()) next += extra;
  }
  return strides;
}

}  // namespace anydml
