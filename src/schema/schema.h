// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The vocabulary of the operator tables: what fields a DML_*_OPERATOR_DESC has,
// which tensors it takes at which feature level, which constraints it states.
// Each operator's schema.h is written in these words, row for row the page.
// The tables are data: schema/interpreter.h gives them their meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/feature_level.h"
#include "tensor/data_type.h"
#include "tensor/tensor_desc.h"

namespace anydml::schema {

enum class FieldType : uint8_t {
  kInputTensor,
  kOutputTensor,
  kInputTensorArray,   // const DML_TENSOR_DESC*: as many as the field `count_field` says
  kOutputTensorArray,  // likewise
  kTensorCount,        // UINT that counts an array of tensors: 1 to kMaxArrayTensors
  kUint,
  kInt,
  kFloat,
  kBool,
  kEnum,            // see Field::enumeration
  kDimensionCount,  // UINT that must equal a tensor's DimensionCount, less a constant
  kAxisCount,       // UINT that counts an array of a tensor's axes, none of them twice
  kChannelCount,    // UINT that counts an array of channels: 1 or 3, a tensor's Sizes[1]
  kUintArray,       // arrays have as many entries as the field `count_field` says
  kIntArray,
  kFloatArray,
  kScaleBias,    // const DML_SCALE_BIAS*, always optional
  kScalarUnion,  // interpreted by the type in the field `count_field`
  kDataType,     // DML_TENSOR_DATA_TYPE that must equal a tensor's DataType
  // const DML_OPERATOR_DESC*, always optional: one of Field::operators, whose tensors are null.
  kOperatorDesc,
  kSize2D,  // DML_SIZE_2D: the width, then the height
};

// DirectML states no limit; the slots of an execution are counted (backends/bindings.h).
inline constexpr uint32_t kMaxArrayTensors = 64;

// Enumerators in order of their values 0, 1, 2 ...; no DirectML enumeration
// that occurs in a description has gaps.
struct Enumeration {
  std::string_view prefix;  // "DML_INTERPOLATION_MODE_"
  std::span<const std::string_view> enumerators;
};

struct OperatorSchema;

// An operator that another one may apply to its result, and since when.
struct FusedOperator {
  const OperatorSchema* schema;
  FeatureLevel level;
};

// One member of the description struct. `fallback` is what a front end that
// allows it to be left out puts there (the raw API has no defaults).
struct Field {
  std::string_view name;
  FieldType type = FieldType::kUint;
  size_t offset = 0;
  bool optional = false;
  uint8_t count_field = 0;  // index of the field that counts or types this one
  uint8_t tensor = 0;       // the counts of a tensor's, and kDataType: the tensor it speaks of
  uint8_t less = 0;         // kDimensionCount: tensor's count less this
  const Enumeration* enumeration = nullptr;
  bool has_fallback = false;
  double fallback = 0;
  std::span<const FusedOperator> operators = {};  // kOperatorDesc
  bool unknown_is_own = false;  // kDataType: UNKNOWN stands for the tensor's DataType

  bool is_tensor() const {
    return type == FieldType::kInputTensor || type == FieldType::kOutputTensor;
  }
  bool is_tensor_array() const {
    return type == FieldType::kInputTensorArray || type == FieldType::kOutputTensorArray;
  }
  bool is_input() const {
    return type == FieldType::kInputTensor || type == FieldType::kInputTensorArray;
  }
  bool is_output() const {
    return type == FieldType::kOutputTensor || type == FieldType::kOutputTensorArray;
  }
  bool is_array() const {
    return type == FieldType::kUintArray || type == FieldType::kIntArray ||
           type == FieldType::kFloatArray;
  }
};

constexpr Field Input(std::string_view name, size_t offset) {
  return {.name = name, .type = FieldType::kInputTensor, .offset = offset};
}
constexpr Field Output(std::string_view name, size_t offset) {
  return {.name = name, .type = FieldType::kOutputTensor, .offset = offset};
}
constexpr Field OptionalInput(std::string_view name, size_t offset) {
  return {.name = name, .type = FieldType::kInputTensor, .offset = offset, .optional = true};
}
constexpr Field OptionalOutput(std::string_view name, size_t offset) {
  return {.name = name, .type = FieldType::kOutputTensor, .offset = offset, .optional = true};
}
constexpr Field Uint(std::string_view name, size_t offset) {
  return {.name = name, .type = FieldType::kUint, .offset = offset};
}
constexpr Field Float(std::string_view name, size_t offset) {
  return {.name = name, .type = FieldType::kFloat, .offset = offset};
}
constexpr Field Bool(std::string_view name, size_t offset, bool fallback) {
  return {.name = name,
          .type = FieldType::kBool,
          .offset = offset,
          .has_fallback = true,
          .fallback = fallback ? 1.0 : 0.0};
}
constexpr Field Enum(std::string_view name, size_t offset, const Enumeration& enumeration) {
  return {.name = name, .type = FieldType::kEnum, .offset = offset, .enumeration = &enumeration};
}
constexpr Field DimensionCount(std::string_view name, size_t offset, int tensor, int less = 0) {
  return {.name = name,
          .type = FieldType::kDimensionCount,
          .offset = offset,
          .tensor = static_cast<uint8_t>(tensor),
          .less = static_cast<uint8_t>(less)};
}
constexpr Field AxisCount(std::string_view name, size_t offset, int tensor) {
  return {.name = name,
          .type = FieldType::kAxisCount,
          .offset = offset,
          .tensor = static_cast<uint8_t>(tensor)};
}
constexpr Field ChannelCount(std::string_view name, size_t offset, int tensor) {
  return {.name = name,
          .type = FieldType::kChannelCount,
          .offset = offset,
          .tensor = static_cast<uint8_t>(tensor)};
}
constexpr Field Array(FieldType type, std::string_view name, size_t offset, int count_field) {
  return {.name = name,
          .type = type,
          .offset = offset,
          .count_field = static_cast<uint8_t>(count_field)};
}
constexpr Field Array(FieldType type, std::string_view name, size_t offset, int count_field,
                      double fallback) {
  Field field = Array(type, name, offset, count_field);
  field.has_fallback = true;
  field.fallback = fallback;
  return field;
}
// Axes of the tensor that the count speaks of.
constexpr Field Axes(std::string_view name, size_t offset, int count_field) {
  return Array(FieldType::kUintArray, name, offset, count_field);
}
constexpr Field Size2D(std::string_view name, size_t offset) {
  return {.name = name, .type = FieldType::kSize2D, .offset = offset};
}
constexpr Field ScaleBias(std::string_view name, size_t offset) {
  return {.name = name, .type = FieldType::kScaleBias, .offset = offset, .optional = true};
}
constexpr Field DataTypeOf(std::string_view name, size_t offset, int tensor) {
  return {.name = name,
          .type = FieldType::kDataType,
          .offset = offset,
          .tensor = static_cast<uint8_t>(tensor)};
}
constexpr Field OptionalDataTypeOf(std::string_view name, size_t offset, int tensor) {
  Field field = DataTypeOf(name, offset, tensor);
  field.unknown_is_own = true;
  return field;
}
constexpr Field ScalarUnion(std::string_view name, size_t offset, int type_field) {
  return {.name = name,
          .type = FieldType::kScalarUnion,
          .offset = offset,
          .count_field = static_cast<uint8_t>(type_field)};
}

constexpr Field TensorCount(std::string_view name, size_t offset) {
  return {.name = name, .type = FieldType::kTensorCount, .offset = offset};
}
constexpr Field Inputs(std::string_view name, size_t offset, int count_field) {
  return Array(FieldType::kInputTensorArray, name, offset, count_field);
}
constexpr Field Outputs(std::string_view name, size_t offset, int count_field) {
  return Array(FieldType::kOutputTensorArray, name, offset, count_field);
}
constexpr Field Fused(std::string_view name, size_t offset,
                      std::span<const FusedOperator> operators) {
  Field field = {.name = name, .type = FieldType::kOperatorDesc, .offset = offset};
  field.optional = true;
  field.operators = operators;
  return field;
}

// A set of fields, by index.
class FieldSet {
 public:
  constexpr FieldSet() = default;
  constexpr FieldSet(std::initializer_list<int> fields) {
    for (int field : fields) bits_ |= 1u << field;
  }
  constexpr bool Contains(size_t field) const { return (bits_ >> field & 1u) != 0; }
  constexpr bool empty() const { return bits_ == 0; }

 private:
  uint32_t bits_ = 0;
};

struct DimensionRange {
  uint32_t least = 1;
  uint32_t most = 8;
};

// A row of a "Tensor support" table: from this level on. An empty set of
// tensors means every tensor of the operator.
struct TensorSupport {
  FeatureLevel level;
  DimensionRange dimension_counts;
  DataTypeSet data_types;
  FieldSet tensors = {};
};

struct Constraint {
  enum class Kind : uint8_t {
    kSameDataType,
    kSameDimensionCount,
    kSameSizes,
    kAtLeastOne,  // a UINT, or every entry of a UINT array or a size, is 1 or more
    kNotZero,     // every entry of an INT or UINT array
    kFinite,      // a FLOAT, or every entry of a FLOAT array
    kPositive,    // likewise; infinity is, NaN is not
  };
  Kind kind;
  FieldSet fields;
};

constexpr Constraint SameDataType(std::initializer_list<int> tensors) {
  return {Constraint::Kind::kSameDataType, tensors};
}
constexpr Constraint SameDimensionCount(std::initializer_list<int> tensors) {
  return {Constraint::Kind::kSameDimensionCount, tensors};
}
constexpr Constraint SameSizes(std::initializer_list<int> tensors) {
  return {Constraint::Kind::kSameSizes, tensors};
}
constexpr Constraint AtLeastOne(std::initializer_list<int> arrays) {
  return {Constraint::Kind::kAtLeastOne, arrays};
}
constexpr Constraint NotZero(std::initializer_list<int> arrays) {
  return {Constraint::Kind::kNotZero, arrays};
}
constexpr Constraint Finite(std::initializer_list<int> arrays) {
  return {Constraint::Kind::kFinite, arrays};
}
constexpr Constraint Positive(std::initializer_list<int> arrays) {
  return {Constraint::Kind::kPositive, arrays};
}

class Arguments;

// What no table can say (an output-size formula, say): runs last, on arguments
// that satisfy everything else.
using Rule = Status (*)(const Arguments&);

// What no support row can say, since it depends on other fields: which types, sizes and optional
// tensors the device's level admits. Runs before the Rule.
using LevelRule = Status (*)(const Arguments&, FeatureLevel);

// The outputs that the other fields lead to: data types and sizes, packed, in
// binding order, optional ones too. Runs on arguments whose outputs may be absent
// and that satisfy everything else that can be told without them, but the Rule.
using OutputTensorsRule = Result<std::vector<TensorDesc>> (*)(const Arguments&);

struct OperatorSchema {
  std::string_view name;  // the enumerator's words: "MAX_POOLING_GRAD"
  uint32_t type;          // the value of DML_OPERATOR_*
  FeatureLevel level;     // introduced in
  size_t struct_size;
  std::span<const Field> fields;  // in the order of the struct
  std::span<const TensorSupport> support;
  std::span<const Constraint> constraints;
  FieldSet in_place;  // inputs that an output may alias
  Rule rule = nullptr;
  // For front ends that may leave outputs out (schema/output_tensors.h). Not needed
  // where the constraints say of which input an output has data type and sizes; where
  // neither does, an output is required.
  OutputTensorsRule output_tensors = nullptr;
  LevelRule level_rule = nullptr;
};

// The enumerations that descriptions use.
inline constexpr std::string_view kInterpolationModes[] = {"NEAREST_NEIGHBOR", "LINEAR"};
inline constexpr Enumeration kInterpolationMode = {"DML_INTERPOLATION_MODE_", kInterpolationModes};
inline constexpr std::string_view kAxisDirections[] = {"INCREASING", "DECREASING"};
inline constexpr Enumeration kAxisDirection = {"DML_AXIS_DIRECTION_", kAxisDirections};
inline constexpr std::string_view kReduceFunctions[] = {
    "ARGMAX",      "ARGMIN", "AVERAGE", "L1",       "L2",  "LOG_SUM",
    "LOG_SUM_EXP", "MAX",    "MIN",     "MULTIPLY", "SUM", "SUM_SQUARE"};
inline constexpr Enumeration kReduceFunction = {"DML_REDUCE_FUNCTION_", kReduceFunctions};

}  // namespace anydml::schema
