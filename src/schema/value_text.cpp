// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Values of fields in words.
#include "base/text.h"
#include "schema/arguments.h"

namespace anydml::schema {
namespace {

std::string WordText(FieldType type, uint32_t word) {
  switch (type) {
    case FieldType::kFloat:
    case FieldType::kFloatArray:
    case FieldType::kScaleBias:
      return fmt::format("{}", std::bit_cast<float>(word));
    case FieldType::kInt:
    case FieldType::kIntArray:
      return fmt::format("{}", static_cast<int32_t>(word));
    case FieldType::kBool:
      return word != 0 ? "TRUE" : "FALSE";
    default:
      return fmt::format("{}", word);
  }
}

std::string EnumeratorText(const Enumeration& enumeration, uint32_t value) {
  if (value >= enumeration.enumerators.size()) return fmt::format("{}", value);
  return std::string(enumeration.enumerators[value]);
}

// A scalar union, by the type that its companion field names.
std::string ScalarText(DataType type, uint64_t bytes) {
  if (type == DataType::kFloat16) {
    return fmt::format("{}", ToFloat({static_cast<uint16_t>(bytes)}));
  }
  std::string text = fmt::format("{:#x}", bytes);
  using Types = TypeList<float, double, int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t,
                         uint16_t, uint8_t>;
  DispatchType(Types(), type, [&]<typename T>() {
    T value;
    std::memcpy(&value, &bytes, sizeof value);
    text = fmt::format("{}", value);
  });
  return text;
}

// "ACTIVATION_ELU (Alpha 0.5)"
std::string FusedText(const Arguments& fused) {
  std::vector<std::string> settings;
  for (size_t i = 0; i < fused.schema().fields.size(); ++i) {
    const Field& field = fused.schema().fields[i];
    if (field.is_tensor()) continue;
    settings.push_back(fmt::format("{} {}", field.name, ValueText(fused, i)));
  }
  if (settings.empty()) return std::string(fused.schema().name);
  return fmt::format("{} ({})", fused.schema().name, fmt::join(settings, ", "));
}

}  // namespace

const OperatorSchema* FindFused(const Field& field, uint32_t type) {
  for (const FusedOperator& allowed : field.operators) {
    if (allowed.schema->type == type) return allowed.schema;
  }
  return nullptr;
}

std::string FusedNames(const Field& field) {
  std::string text;
  for (size_t i = 0; i < field.operators.size(); ++i) {
    if (i != 0) text += i + 1 == field.operators.size() ? " or " : ", ";
    text += field.operators[i].schema->name;
  }
  return text;
}

std::string ValueText(const Arguments& arguments, size_t i) {
  const Field& field = arguments.schema().fields[i];
  const FieldValue& value = arguments.at(i);
  if (value.description != nullptr) return FusedText(*value.description);
  if (value.count == 0) return "none";
  if (field.type == FieldType::kEnum) {
    return EnumeratorText(*field.enumeration, value.words[0]);
  }
  if (field.type == FieldType::kDataType) {
    return std::string(DataTypeName(static_cast<DataType>(value.words[0])));
  }
  if (field.type == FieldType::kScalarUnion) {
    return ScalarText(static_cast<DataType>(arguments.Uint(field.count_field)),
                      arguments.Scalar(i));
  }
  if (!field.is_array() && value.count == 1) return WordText(field.type, value.words[0]);
  std::vector<std::string> entries;
  for (uint32_t k = 0; k < value.count; ++k) {
    entries.push_back(WordText(field.type, value.words[k]));
  }
  return BracedList(std::span<const std::string>(entries));
}

}  // namespace anydml::schema
