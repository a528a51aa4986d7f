// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "anydml/anydml.h"
#include "backends/cpu/forks.h"
#include "base/last_error.h"
#include "operators/cuda_operator.h"
#include "operators/registry.h"
#include "schema/output_tensors.h"

namespace anydml::c_api {
namespace {

using schema::Field;
using schema::FieldType;
using schema::OperatorSchema;

std::string_view TypeName(FieldType type) {
  switch (type) {
    case FieldType::kInputTensor:
      return "INPUT_TENSOR";
    case FieldType::kOutputTensor:
      return "OUTPUT_TENSOR";
    case FieldType::kInputTensorArray:
      return "INPUT_TENSOR_ARRAY";
    case FieldType::kOutputTensorArray:
      return "OUTPUT_TENSOR_ARRAY";
    case FieldType::kOperatorDesc:
      return "OPERATOR_DESC";
    case FieldType::kDimensionCount:
    case FieldType::kAxisCount:
    case FieldType::kChannelCount:
    case FieldType::kTensorCount:
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
    case FieldType::kSize2D:
      return "SIZE_2D";
    case FieldType::kScaleBias:
      return "SCALE_BIAS";
    case FieldType::kScalarUnion:
      return "SCALAR_UNION";
    case FieldType::kDataType:
      return "DATA_TYPE";
  }
  return "";
}

std::string_view KindName(schema::Constraint::Kind kind) {
  using Kind = schema::Constraint::Kind;
  switch (kind) {
    case Kind::kSameDataType:
      return "SAME_DATA_TYPE";
    case Kind::kSameDimensionCount:
      return "SAME_DIMENSION_COUNT";
    case Kind::kSameSizes:
      return "SAME_SIZES";
    case Kind::kAtLeastOne:
      return "AT_LEAST_ONE";
    case Kind::kNotZero:
      return "NOT_ZERO";
    case Kind::kFinite:
      return "FINITE";
    case Kind::kPositive:
      return "POSITIVE";
  }
  return "";
}

// Writes JSON without spaces. Names and texts are our own: nothing in them needs an
// escape. (A tree of values would be shorter to write here, but the one that is at
// hand takes memory in its destructor, where a failure ends the process.)
class Writer {
 public:
  template <typename Body>
  void Object(const Body& body) {
    Enclose('{', '}', body);
  }
  template <typename Body>
  void Array(const Body& body) {
    Enclose('[', ']', body);
  }
  Writer& Name(std::string_view name) {
    Text(name);
    text_ += ':';
    after_name_ = true;
    return *this;
  }

  void Text(std::string_view value) { Put(fmt::format("\"{}\"", value)); }
  void Bool(bool value) { Put(value ? "true" : "false"); }
  void Number(uint32_t value) { Put(fmt::format("{}", value)); }
  void Number(double value) {
    Put(std::trunc(value) == value ? fmt::format("{:.1f}", value) : fmt::format("{}", value));
  }
  template <typename Names>
  void Texts(const Names& names) {
    Array([&] {
      for (std::string_view name : names) Text(name);
    });
  }

  std::string Take() { return std::move(text_); }

 private:
  template <typename Body>
  void Enclose(char begin, char end, const Body& body) {
    Put(std::string_view(&begin, 1));
    is_first_ = true;
    body();
    text_ += end;
    is_first_ = false;
  }
  void Put(std::string_view value) {
    if (!is_first_ && !after_name_) text_ += ',';
    text_ += value;
    is_first_ = after_name_ = false;
  }

  std::string text_;
  bool is_first_ = true;  // in the innermost object or array
  bool after_name_ = false;
};

// The array that a field counts.
std::string_view CountedBy(const OperatorSchema& schema, const Field& count) {
  for (const Field& field : schema.fields) {
    const bool is_array = field.is_tensor_array() || field.is_array();
    if (is_array && &schema.fields[field.count_field] == &count) return field.name;
  }
  return "";
}

void WriteEquals(Writer& json, const OperatorSchema& schema, const Field& field) {
  const std::string_view tensor = schema.fields[field.tensor].name;
  if (field.type == FieldType::kDimensionCount) {
    json.Name("equals").Object([&] {
      json.Name("dimension_count_of").Text(tensor);
      json.Name("less").Number(uint32_t{field.less});
    });
  }
  if (field.type == FieldType::kTensorCount || field.type == FieldType::kAxisCount ||
      field.type == FieldType::kChannelCount) {
    json.Name("equals").Object([&] { json.Name("length_of").Text(CountedBy(schema, field)); });
  }
  if (field.type == FieldType::kDataType) {
    json.Name("equals").Object([&] { json.Name("data_type_of").Text(tensor); });
  }
}

void WriteField(Writer& json, const OperatorSchema& schema, const Field& field) {
  json.Object([&] {
    json.Name("name").Text(field.name);
    json.Name("type").Text(TypeName(field.type));
    json.Name("optional").Bool(field.optional);
    WriteEquals(json, schema, field);
    if (field.is_array() || field.is_tensor_array()) {
      json.Name("count").Text(schema.fields[field.count_field].name);
    }
    if (field.type == FieldType::kOperatorDesc) {
      json.Name("operators").Array([&] {
        for (const schema::FusedOperator& fused : field.operators) json.Text(fused.schema->name);
      });
    }
    if (field.type == FieldType::kScalarUnion) {
      json.Name("data_type").Text(schema.fields[field.count_field].name);
    }
    if (field.enumeration != nullptr) {
      json.Name("prefix").Text(field.enumeration->prefix);
      json.Name("enumerators").Texts(field.enumeration->enumerators);
    }
    if (field.has_fallback) json.Name("default").Number(double{field.fallback});
  });
}

// Of a required output also whether it may be left out.
void WriteTensors(Writer& json, const OperatorSchema& schema) {
  json.Name("tensors").Array([&] {
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      const Field& field = schema.fields[i];
      if (!field.is_input() && !field.is_output()) continue;
      json.Object([&] {
        json.Name("name").Text(field.name);
        json.Name("kind").Text(field.is_input() ? "input" : "output");
        json.Name("optional").Bool(field.optional);
        if (field.is_output() && !field.optional) {
          json.Name("inferred").Bool(schema::IsInferred(schema, i));
        }
        if (field.is_tensor_array()) {
          json.Name("count").Text(schema.fields[field.count_field].name);
        }
      });
    }
  });
}

// A row's tensors by name; a row without any speaks of all.
void WriteSupport(Writer& json, const OperatorSchema& schema, const schema::TensorSupport& row) {
  json.Object([&] {
    json.Name("level").Text(FeatureLevelName(row.level));
    json.Name("tensors").Array([&] {
      for (size_t i = 0; i < schema.fields.size(); ++i) {
        const bool applies = row.tensors.empty() || row.tensors.Contains(i);
        const Field& field = schema.fields[i];
        if ((field.is_input() || field.is_output()) && applies) json.Text(schema.fields[i].name);
      }
    });
    json.Name("dimension_counts").Array([&] {
      json.Number(uint32_t{row.dimension_counts.least});
      json.Number(uint32_t{row.dimension_counts.most});
    });
    json.Name("data_types").Array([&] {
      for (uint32_t i = 0; i < kDataTypeCount; ++i) {
        const auto type = static_cast<DataType>(i);
        if (row.data_types.Contains(type)) json.Text(DataTypeName(type));
      }
    });
  });
}

void WriteFields(Writer& json, const OperatorSchema& schema, const schema::FieldSet& fields) {
  json.Array([&] {
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      if (fields.Contains(i)) json.Text(schema.fields[i].name);
    }
  });
}

void WriteConstraints(Writer& json, const OperatorSchema& schema) {
  json.Name("constraints").Array([&] {
    for (const schema::Constraint& constraint : schema.constraints) {
      json.Object([&] {
        json.Name("kind").Text(KindName(constraint.kind));
        WriteFields(json.Name("fields"), schema, constraint.fields);
      });
    }
  });
}

// The kinds of devices that have kernels for it, whether or not one is here.
void WriteDevices(Writer& json, const Definition& definition) {
  json.Name("devices").Array([&] {
    json.Text("cpu");
    if (FindCudaKernel(*definition.kernel) != nullptr) json.Text("cuda");
  });
}

// Whether the elements of outputs depend on those at the same place alone.
bool IsElementWise(const Definition& definition) {
  return std::ranges::any_of(definition.kernel->cpu_strategies, [](const CpuStrategy& strategy) {
    return strategy.run_row != nullptr;
  });
}

void WriteOperator(Writer& json, const Definition& definition) {
  const OperatorSchema& schema = *definition.schema;
  json.Object([&] {
    json.Name("name").Text(schema.name);
    json.Name("value").Number(uint32_t{schema.type});
    json.Name("level").Text(FeatureLevelName(schema.level));
    WriteTensors(json, schema);
    json.Name("fields").Array([&] {
      for (const Field& field : schema.fields) WriteField(json, schema, field);
    });
    json.Name("support").Array([&] {
      for (const schema::TensorSupport& row : schema.support) WriteSupport(json, schema, row);
    });
    WriteConstraints(json, schema);
    WriteFields(json.Name("in_place"), schema, schema.in_place);
    json.Name("element_wise").Bool(IsElementWise(definition));
    WriteDevices(json, definition);
  });
}

}  // namespace

std::string ListOperators(std::span<const Definition* const> definitions) {
  Writer json;
  json.Array([&] {
    for (const Definition* definition : definitions) WriteOperator(json, *definition);
  });
  return json.Take();
}

}  // namespace anydml::c_api

const char* anydml_operators_json(void) {
  if (anydml::cpu::IsLostInFork()) return "[]";
  try {
    const anydml::cpu::InsideLibrary inside;
    static const std::string& text =
        *new std::string(anydml::c_api::ListOperators(anydml::Registry()));
    return text.c_str();
  } catch (...) {
    anydml::SetLastError("not enough memory for the list of operators");
    return "[]";
  }
}
