// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "schema/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/float16.h"

namespace anydml::schema {
namespace {

// How many entries the array or the tensors have that the field counts; 0 where none is set.
uint32_t CountedEntries(const Arguments& arguments, size_t count) {
  const auto fields = arguments.schema().fields;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].count_field != count) continue;
    if (fields[i].is_array() && arguments.IsPresent(i)) return arguments.at(i).count;
    if (fields[i].is_tensor_array() && !arguments.at(i).tensors.empty()) {
      return static_cast<uint32_t>(arguments.at(i).tensors.size());
    }
  }
  return 0;
}

// The type of a tensor, also of one that is absent and must have that of another; UNKNOWN where
// there is none.
DataType TypeOf(const Arguments& arguments, size_t tensor) {
  if (arguments.tensor(tensor).present()) return arguments.tensor(tensor).data_type;
  for (const Constraint& constraint : arguments.schema().constraints) {
    if (constraint.kind != Constraint::Kind::kSameDataType) continue;
    if (!constraint.fields.Contains(tensor)) continue;
    for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
      if (!constraint.fields.Contains(i) || !arguments.tensor(i).present()) continue;
      return arguments.tensor(i).data_type;
    }
  }
  return DataType::kUnknown;
}

void FillCount(Arguments& arguments, size_t i) {
  const Field& field = arguments.schema().fields[i];
  FieldValue& value = arguments.at(i);
  uint32_t count = CountedEntries(arguments, i);
  if (field.type == FieldType::kDimensionCount) {
    const TensorDesc& tensor = arguments.tensor(field.tensor);
    if (tensor.present() && tensor.dimension_count > field.less) {
      count = tensor.dimension_count - field.less;
    }
  } else if (field.type == FieldType::kDataType) {
    const DataType type = TypeOf(arguments, field.tensor);
    if (type == DataType::kUnknown) return;
    count = static_cast<uint32_t>(type);
  } else if (count == 0 && field.has_fallback) {
    count = WordOf(field.type, field.fallback);
  }
  value.count = 1;
  value.words[0] = count;
}

}  // namespace

size_t FindField(const OperatorSchema& schema, std::string_view name) {
  return static_cast<size_t>(std::ranges::find(schema.fields, name, &Field::name) -
                             schema.fields.begin());
}

FieldValue* Settings::Find(std::string_view field) {
  const size_t number = FindField(arguments_.schema(), field);
  return number < arguments_.schema().fields.size() ? &arguments_.at(number) : nullptr;
}

Settings& Settings::Float(std::string_view field, float value) {
  return Uint(field, std::bit_cast<uint32_t>(value));
}

Settings& Settings::Uints(std::string_view field, std::span<const uint32_t> values) {
  if (FieldValue* found = Find(field)) {
    found->count = static_cast<uint32_t>(std::min<size_t>(values.size(), kMaxDimensions));
    std::copy_n(values.begin(), found->count, found->words.begin());
  }
  return *this;
}

Settings& Settings::Ints(std::string_view field, std::span<const int32_t> values) {
  return Uints(field, std::vector<uint32_t>(values.begin(), values.end()));
}

Settings& Settings::Scalar(std::string_view field, DataType type, double value) {
  const uint64_t bits = ScalarBits(type, value);
  return Uints(field, std::array{static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
}

Settings& Settings::ScaleBias(float scale, float bias) {
  return Uints("ScaleBias",
               std::array{std::bit_cast<uint32_t>(scale), std::bit_cast<uint32_t>(bias)});
}

Settings& Settings::Tensor(std::string_view field, const TensorDesc& tensor) {
  if (FieldValue* found = Find(field)) found->tensor = tensor;
  return *this;
}

Settings& Settings::Tensors(std::string_view field, std::span<const TensorDesc> tensors) {
  if (FieldValue* found = Find(field)) found->tensors.assign(tensors.begin(), tensors.end());
  return *this;
}

Settings& Settings::Fused(std::string_view field, const Settings& activation) {
  if (FieldValue* found = Find(field)) {
    found->description = std::make_shared<const Arguments>(activation.arguments());
  }
  return *this;
}

Settings& Settings::Copy(const Arguments& from, std::initializer_list<std::string_view> fields) {
  for (std::string_view name : fields) {
    const size_t number = FindField(from.schema(), name);
    if (number == from.schema().fields.size() || !from.IsPresent(number)) continue;
    if (FieldValue* found = Find(name)) *found = from.at(number);
  }
  return *this;
}

uint32_t WordOf(FieldType type, double value) {
  switch (type) {
    case FieldType::kFloat:
    case FieldType::kFloatArray:
    case FieldType::kScaleBias:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case FieldType::kInt:
    case FieldType::kIntArray:
      return static_cast<uint32_t>(static_cast<int32_t>(value));
    default:
      return static_cast<uint32_t>(value);
  }
}

uint64_t ScalarBits(DataType type, double value) {
  uint64_t bits = 0;
  const auto store = [&](auto number) { std::memcpy(&bits, &number, sizeof number); };
  if (type == DataType::kFloat16) {
    store(ToFloat16(static_cast<float>(value)).bits);
  } else if (type == DataType::kFloat32) {
    store(static_cast<float>(value));
  } else if (type == DataType::kFloat64) {
    store(value);
  } else {
    DispatchType(IntegerTypes(), type, [&]<typename T>() {
      store(value < 0 && std::is_unsigned_v<T> ? T{0} : static_cast<T>(value));
    });
  }
  return bits;
}

Status PutInputs(std::span<const TensorDesc> inputs, Arguments& arguments) {
  const auto fields = arguments.schema().fields;
  const auto single =
      static_cast<size_t>(std::ranges::count(fields, FieldType::kInputTensor, &Field::type));
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].type != FieldType::kInputTensorArray) continue;
    arguments.at(i).tensors.resize(inputs.size() > single ? inputs.size() - single : 0);
  }
  const std::vector<size_t> numbers = arguments.inputs();
  if (inputs.size() > numbers.size()) {
    return arguments.Fail(fmt::format("has {} inputs, not {}", numbers.size(), inputs.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) arguments.tensor(numbers[i]) = inputs[i];
  return {};
}

void FillFallbacks(Arguments& arguments) {
  const auto fields = arguments.schema().fields;
  for (size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    const bool is_tensor = field.is_input() || field.is_output();
    if (is_tensor || field.optional || field.is_array() || arguments.IsPresent(i)) continue;
    if (field.type == FieldType::kScalarUnion) continue;
    const bool follows =
        field.type == FieldType::kDimensionCount || field.type == FieldType::kAxisCount ||
        field.type == FieldType::kChannelCount || field.type == FieldType::kTensorCount ||
        field.type == FieldType::kDataType;
    if (follows || CountedEntries(arguments, i) != 0 || field.has_fallback) FillCount(arguments, i);
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].is_array() || !fields[i].has_fallback || arguments.IsPresent(i)) continue;
    if (!arguments.IsPresent(fields[i].count_field)) continue;
    FieldValue& value = arguments.at(i);
    value.count = std::min(arguments.Uint(fields[i].count_field), kMaxDimensions);
    value.words.fill(WordOf(fields[i].type, fields[i].fallback));
  }
}

}  // namespace anydml::schema
