// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "support/json_arguments.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>

#include "support/descriptions.h"

namespace anydml::test {
namespace {

using nlohmann::json;
using schema::Field;
using schema::FieldType;

// UNKNOWN for a name that no data type has; validation refuses it.
DataType DataTypeFromName(const std::string& name) {
  for (uint32_t i = 0; i < kDataTypeCount; ++i) {
    if (DataTypeName(static_cast<DataType>(i)) == name) return static_cast<DataType>(i);
  }
  return DataType::kUnknown;
}

Status ReadTensor(const json& value, TensorDesc& out) {
  const auto sizes = value.at("Sizes").get<std::vector<uint32_t>>();
  if (sizes.size() > kMaxDimensions) return InvalidArgument("a tensor has too many dimensions");
  out.data_type = DataTypeFromName(value.at("DataType").get<std::string>());
  out.dimension_count = static_cast<uint32_t>(sizes.size());
  std::ranges::copy(sizes, out.sizes.begin());
  SetStrides(out, std::nullopt);
  return {};
}

Status ReadEnumerator(const Field& field, const json& value, uint32_t& out) {
  const auto name = value.get<std::string>();
  const auto& enumerators = field.enumeration->enumerators;
  const auto found = std::ranges::find(enumerators, name);
  if (found == enumerators.end()) {
    return InvalidArgument(std::string(field.name) + " has no enumerator " + name);
  }
  out = static_cast<uint32_t>(found - enumerators.begin());
  return {};
}

// The numbers of the files are exact, so each conversion is too.
uint32_t WordFromNumber(FieldType type, const json& number) {
  switch (type) {
    case FieldType::kFloat:
    case FieldType::kFloatArray:
    case FieldType::kScaleBias:
      return std::bit_cast<uint32_t>(number.get<float>());
    case FieldType::kInt:
    case FieldType::kIntArray:
      return static_cast<uint32_t>(number.get<int32_t>());
    case FieldType::kBool:
      return number.get<bool>() ? 1 : 0;
    default:
      return number.get<uint32_t>();
  }
}

Status ReadNumbers(const Field& field, const json& numbers, schema::FieldValue& out) {
  if (numbers.size() > kMaxDimensions) {
    return InvalidArgument(std::string(field.name) + " has too many entries");
  }
  out.count = static_cast<uint32_t>(numbers.size());
  for (uint32_t i = 0; i < out.count; ++i) out.words[i] = WordFromNumber(field.type, numbers[i]);
  return {};
}

// The bytes of one member; those beyond it stay 0.
Status ReadScalarUnion(const Field& field, const json& value, schema::FieldValue& out) {
  const std::vector<uint8_t> bytes = BytesFromHex(value.at("Bytes").get<std::string>());
  if (bytes.size() > 8) return InvalidArgument(std::string(field.name) + " has too many bytes");
  std::memcpy(out.words.data(), bytes.data(), bytes.size());
  out.count = 2;
  return {};
}

Status ReadField(const Field& field, const json& value, schema::FieldValue& out) {
  if (field.is_tensor()) return ReadTensor(value, out.tensor);
  if (field.is_tensor_array()) {
    for (const json& entry : value) {
      Status status = ReadTensor(entry, out.tensors.emplace_back());
      if (!status.ok()) return status;
    }
    return {};
  }
  if (field.type == FieldType::kOperatorDesc) {
    return InvalidArgument(std::string(field.name) + " is not read from these files");
  }
  if (field.is_array()) return ReadNumbers(field, value, out);
  out.count = 1;
  switch (field.type) {
    case FieldType::kScalarUnion:
      return ReadScalarUnion(field, value, out);
    case FieldType::kScaleBias:
      return ReadNumbers(field, json::array({value.at("Scale"), value.at("Bias")}), out);
    case FieldType::kSize2D:
      return ReadNumbers(field, json::array({value.at("Width"), value.at("Height")}), out);
    case FieldType::kEnum:
      return ReadEnumerator(field, value, out.words[0]);
    case FieldType::kDataType:
      out.words[0] = static_cast<uint32_t>(DataTypeFromName(value.get<std::string>()));
      return {};
    default:
      out.words[0] = WordFromNumber(field.type, value);
      return {};
  }
}

}  // namespace

Result<schema::Arguments> ArgumentsFromJson(const schema::OperatorSchema& schema,
                                            const json& fields) {
  schema::Arguments arguments(schema);
  size_t used = 0;
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const Field& field = schema.fields[i];
    const auto found = fields.find(std::string(field.name));
    if (found == fields.end()) {
      if (field.optional) continue;
      return arguments.Fail(std::string(field.name) + " is missing");
    }
    ++used;
    Status status = ReadField(field, *found, arguments.at(i));
    if (!status.ok()) return arguments.Fail(status.error().message);
  }
  if (used != fields.size()) return arguments.Fail("a field is none of the struct's");
  return arguments;
}

std::vector<uint8_t> BytesFromHex(std::string_view text) {
  std::vector<uint8_t> bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, bytes[i], 16);
  }
  return bytes;
}

}  // namespace anydml::test
