// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/listing.h"

#include <string>

#include "anydml/anydml.h"
#include "backends/cpu/forks.h"
#include "operators/cuda_operator.h"
#include "operators/registry.h"

namespace anydml::c_api {
namespace {

using Json = nlohmann::ordered_json;
using schema::Field;
using schema::FieldType;
using schema::OperatorSchema;

std::string_view TypeName(FieldType type) {
  switch (type) {
    case FieldType::kInputTensor:
      return "INPUT_TENSOR";
    case FieldType::kOutputTensor:
      return "OUTPUT_TENSOR";
    case FieldType::kDimensionCount:
    case FieldType::kUint:
      return "UINT";
    case FieldType::kInt:
      return "INT";
    case FieldType::kFloat:
      return "FLOAT";
    case FieldType::kBool:
      return "BOOL";
    case FieldType::kEnum:
      return "ENUM";
    case FieldType::kUintArray:
      return "UINT_ARRAY";
    case FieldType::kIntArray:
      return "INT_ARRAY";
    case FieldType::kFloatArray:
      return "FLOAT_ARRAY";
    case FieldType::kScaleBias:
      return "SCALE_BIAS";
    case FieldType::kScalarUnion:
      return "SCALAR_UNION";
    case FieldType::kDataType:
      return "DATA_TYPE";
  }
  return "";
}

Json ListField(const OperatorSchema& schema, const Field& field) {
  Json json = {{"name", field.name}, {"type", TypeName(field.type)}, {"optional", field.optional}};
  if (field.type == FieldType::kDimensionCount) {
    json["equals"] = {{"dimension_count_of", schema.fields[field.tensor].name},
                      {"less", field.less}};
  }
  if (field.type == FieldType::kDataType) {
    json["equals"] = {{"data_type_of", schema.fields[field.tensor].name}};
  }
  if (field.is_array()) json["count"] = schema.fields[field.count_field].name;
  if (field.type == FieldType::kScalarUnion) {
    json["data_type"] = schema.fields[field.count_field].name;
  }
  if (field.enumeration != nullptr) {
    json["prefix"] = field.enumeration->prefix;
    json["enumerators"] = field.enumeration->enumerators;
  }
  if (field.has_fallback) json["default"] = field.fallback;
  return json;
}

Json ListTensors(const OperatorSchema& schema) {
  Json tensors = Json::array();
  for (const Field& field : schema.fields) {
    if (!field.is_tensor()) continue;
    tensors.push_back({{"name", field.name},
                       {"kind", field.type == FieldType::kInputTensor ? "input" : "output"},
                       {"optional", field.optional}});
  }
  return tensors;
}

// A row's tensors by name; a row without any speaks of all.
Json ListSupport(const OperatorSchema& schema, const schema::TensorSupport& row) {
  Json tensors = Json::array(), types = Json::array();
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const bool applies = row.tensors.empty() || row.tensors.Contains(i);
    if (schema.fields[i].is_tensor() && applies) tensors.push_back(schema.fields[i].name);
  }
  for (uint32_t i = 0; i < kDataTypeCount; ++i) {
    const auto type = static_cast<DataType>(i);
    if (row.data_types.Contains(type)) types.push_back(DataTypeName(type));
  }
  return {{"level", FeatureLevelName(row.level)},
          {"tensors", tensors},
          {"dimension_counts", {row.dimension_counts.least, row.dimension_counts.most}},
          {"data_types", types}};
}

// The kinds of devices that have kernels for it, whether or not one is here.
Json ListDevices(const Definition& definition) {
  Json devices = {"cpu"};
  if (FindCudaKernel(*definition.kernel) != nullptr) devices.push_back("cuda");
  return devices;
}

}  // namespace

Json ListOperator(const Definition& definition) {
  const OperatorSchema& schema = *definition.schema;
  Json fields = Json::array(), support = Json::array(), in_place = Json::array();
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    fields.push_back(ListField(schema, schema.fields[i]));
    if (schema.in_place.Contains(i)) in_place.push_back(schema.fields[i].name);
  }
  for (const schema::TensorSupport& row : schema.support) {
    support.push_back(ListSupport(schema, row));
  }
  return {{"name", schema.name},
          {"value", schema.type},
          {"level", FeatureLevelName(schema.level)},
          {"tensors", ListTensors(schema)},
          {"fields", fields},
          {"support", support},
          {"in_place", in_place},
          {"devices", ListDevices(definition)}};
}

Json ListOperators() {
  Json all = Json::array();
  for (const Definition* definition : Registry()) all.push_back(ListOperator(*definition));
  return all;
}

}  // namespace anydml::c_api

const char* anydml_operators_json(void) {
  if (anydml::cpu::IsLostInFork()) return "[]";
  try {
    const anydml::cpu::InsideLibrary inside;
    static const std::string& text = *new std::string(anydml::c_api::ListOperators().dump());
    return text.c_str();
  } catch (...) {
    return "[]";  // no memory for the list
  }
}
