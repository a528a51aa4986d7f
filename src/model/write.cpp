// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/write.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "base/float16.h"
#include "model/numbers.h"
#include "schema/operator_names.h"

namespace anydml::model {
namespace {

using schema::Arguments;
using schema::Field;
using schema::FieldType;

std::string Quote(std::string_view text) {
  return Json(text).dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

// The shortest text that is read as this number.
template <typename T>
std::string Number(T value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return Number(ToFloat(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return "\"nan\"";
    if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
    if (value == 0 && std::signbit(value)) return "-0.0";  // "-0" would be an integer
    return fmt::format("{}", value);
  } else {
    return fmt::format("{}", value);
  }
}

std::string NumberText(DataType type, const uint8_t* bytes) {
  std::string text;
  DispatchType(ElementTypes(), type, [&]<typename T>() {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    text = Number(value);
  });
  return text;
}

// DxDispatch reads "inf" in a member of a scalar union, and not in the place of the union; FLOAT16
// has bits there.
std::string ScalarText(DataType type, uint64_t bits) {
  std::string text = NumberText(type, reinterpret_cast<const uint8_t*>(&bits));
  if (!text.starts_with('"')) return text;
  if (type == DataType::kFloat16) return fmt::format("{{ \"UInt16\": {} }}", bits);
  return fmt::format("{{ \"Float{}\": {} }}", 8 * ElementSize(type), text);
}

std::string TensorText(const TensorDesc& tensor) {
  std::string text = fmt::format("{{ \"DataType\": \"{}\", \"Sizes\": [{}]",
                                 DataTypeName(tensor.data_type), fmt::join(tensor.Sizes(), ", "));
  if (!HaveSameLayout(tensor, PackedTensor(tensor.data_type, tensor.Sizes()))) {
    text += fmt::format(", \"Strides\": [{}]", fmt::join(tensor.Strides(), ", "));
  }
  if (tensor.total_bytes != MinimumTotalBytes(tensor.data_type, tensor.Sizes(), tensor.Strides())) {
    text += fmt::format(", \"TotalTensorSizeInBytes\": {}", tensor.total_bytes);
  }
  if (tensor.flags != 0) text += ", \"Flags\": \"OWNED_BY_DML\"";
  if (tensor.base_offset_alignment != 0) {
    text += fmt::format(", \"GuaranteedBaseOffsetAlignment\": {}", tensor.base_offset_alignment);
  }
  return text + " }";
}

std::string WordText(const Arguments& arguments, size_t field, size_t entry) {
  switch (arguments.schema().fields[field].type) {
    case FieldType::kFloat:
    case FieldType::kFloatArray:
    case FieldType::kScaleBias:
      return Number(arguments.FloatAt(field, entry));
    case FieldType::kInt:
    case FieldType::kIntArray:
      return Number(arguments.IntAt(field, entry));
    default:
      return Number(arguments.Uints(field)[entry]);
  }
}

std::string DescText(const Arguments& arguments, std::string_view indent);

std::string FieldText(const Arguments& arguments, size_t i) {
  const Field& field = arguments.schema().fields[i];
  std::vector<std::string> entries;
  switch (field.type) {
    case FieldType::kInputTensor:
    case FieldType::kOutputTensor:
      return TensorText(arguments.tensor(i));
    case FieldType::kInputTensorArray:
    case FieldType::kOutputTensorArray:
      for (const TensorDesc& tensor : arguments.at(i).tensors) {
        entries.push_back(TensorText(tensor));
      }
      return fmt::format("[{}]", fmt::join(entries, ", "));
    case FieldType::kUintArray:
    case FieldType::kIntArray:
    case FieldType::kFloatArray:
      for (size_t k = 0; k < arguments.at(i).count; ++k) {
        entries.push_back(WordText(arguments, i, k));
      }
      return fmt::format("[{}]", fmt::join(entries, ", "));
    case FieldType::kBool:
      return arguments.Uint(i) != 0 ? "true" : "false";
    case FieldType::kEnum:
      return Quote(field.enumeration->enumerators[arguments.Uint(i)]);
    case FieldType::kDataType:
      return Quote(DataTypeName(static_cast<DataType>(arguments.Uint(i))));
    case FieldType::kScaleBias:
      return fmt::format("{{ \"Scale\": {}, \"Bias\": {} }}", WordText(arguments, i, 0),
                         WordText(arguments, i, 1));
    case FieldType::kSize2D:
      return fmt::format("{{ \"Width\": {}, \"Height\": {} }}", WordText(arguments, i, 0),
                         WordText(arguments, i, 1));
    case FieldType::kScalarUnion: {
      return ScalarText(static_cast<DataType>(arguments.Uint(field.count_field)),
                        arguments.Scalar(i));
    }
    case FieldType::kOperatorDesc: {
      const Arguments& fused = *arguments.at(i).description;
      return fmt::format("{{ \"Type\": {}, \"Desc\": {{{}}} }}", Quote(fused.schema().name),
                         DescText(fused, " "));
    }
    default:
      return WordText(arguments, i, 0);
  }
}

bool IsPresent(const Arguments& arguments, size_t i) {
  const Field& field = arguments.schema().fields[i];
  if (field.is_tensor()) return arguments.tensor(i).present();
  if (field.is_tensor_array()) return !arguments.at(i).tensors.empty();
  if (field.type == FieldType::kOperatorDesc) return arguments.at(i).description != nullptr;
  return !field.optional || arguments.IsPresent(i);
}

// The fields, each behind `indent`.
std::string DescText(const Arguments& arguments, std::string_view indent) {
  std::string text;
  for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
    if (!IsPresent(arguments, i)) continue;
    text += fmt::format("{}{}{}: {}", text.empty() ? "" : ",", indent,
                        Quote(arguments.schema().fields[i].name), FieldText(arguments, i));
  }
  return text;
}

std::string ValuesText(const Resource& resource) {
  const uint32_t size = ElementSize(resource.data_type);
  const uint64_t count = resource.element_count();
  const uint8_t* bytes = resource.bytes.data();
  bool is_fill = count > 1;
  for (uint64_t i = 1; i < count && is_fill; ++i) {
    is_fill = std::memcmp(bytes, bytes + i * size, size) == 0;
  }
  if (is_fill) {
    return fmt::format("{{ \"valueCount\": {}, \"value\": {} }}", count,
                       NumberText(resource.data_type, bytes));
  }
  std::string text = "[";
  for (uint64_t i = 0; i < count; ++i) {
    text += i == 0 ? "" : ", ";
    text += NumberText(resource.data_type, bytes + i * size);
  }
  return text + "]";
}

std::string ResourceText(Resource resource) {
  if (resource.data_type == DataType::kUnknown) {  // a list of typed values: their bytes
    resource.data_type = DataType::kUint8;
    resource.value_bytes = resource.bytes.size();
  }
  std::string text = fmt::format("{{ \"initialValuesDataType\": \"{}\", \"initialValues\": {}",
                                 DataTypeName(resource.data_type), ValuesText(resource));
  if (resource.bytes.size() != (resource.value_bytes + 3) / 4 * 4) {
    text += fmt::format(", \"sizeInBytes\": {}", resource.bytes.size());
  }
  return text + " }";
}

class ModelWriter {
 public:
  explicit ModelWriter(const Model& model) : model_(model) {}

  std::string Write() const {
    std::vector<std::string> resources, dispatchables, commands;
    for (const Resource& resource : model_.resources) {
      resources.push_back(fmt::format("    {}: {}", Quote(resource.name), ResourceText(resource)));
    }
    for (const Dispatchable& dispatchable : model_.dispatchables) {
      dispatchables.push_back(DispatchableText(dispatchable));
    }
    for (const Command& command : model_.commands) {
      commands.push_back("    " + std::visit([&](const auto& c) { return Text(c); }, command));
    }
    return fmt::format(
        "{{\n  \"resources\": {{\n{}\n  }},\n  \"dispatchables\": {{\n{}\n  }},\n"
        "  \"commands\": [\n{}\n  ]\n}}\n",
        fmt::join(resources, ",\n"), fmt::join(dispatchables, ",\n"), fmt::join(commands, ",\n"));
  }

 private:
  std::string DispatchableText(const Dispatchable& dispatchable) const {
    std::string rest;
    if (dispatchable.execution_flags != 0) {
      constexpr std::string_view kFlags[] = {"ALLOW_HALF_PRECISION_COMPUTATION",
                                             "DISABLE_META_COMMANDS", "DESCRIPTORS_VOLATILE"};
      std::vector<std::string> names;
      for (size_t bit = 0; bit < std::size(kFlags); ++bit) {
        if ((dispatchable.execution_flags >> bit & 1) != 0) names.push_back(Quote(kFlags[bit]));
      }
      rest += fmt::format(",\n      \"executionFlags\": [{}]", fmt::join(names, ", "));
    }
    if (!dispatchable.initialization_bindings.empty()) {
      rest +=
          fmt::format(",\n      \"bindings\": {}",
                      BindingsText(dispatchable.arguments, dispatchable.initialization_bindings));
    }
    return fmt::format("    {}: {{\n      \"type\": {},\n      \"desc\": {{{}\n      }}{}\n    }}",
                       Quote(dispatchable.name),
                       Quote(schema::FirstOperatorName(dispatchable.arguments.schema().name)),
                       DescText(dispatchable.arguments, "\n        "), rest);
  }

  std::string SourceText(const BufferSource& source) const {
    std::string name = Quote(model_.resources[source.resource].name);
    if (source.element_offset == 0) return name;
    return fmt::format("{{ \"name\": {}, \"elementOffset\": {}, \"elementSizeInBytes\": {} }}",
                       name, source.element_offset, source.element_size_in_bytes);
  }

  // An array of tensors is bound by an array of buffers.
  std::string BindingsText(const Arguments& arguments, const std::vector<Binding>& bindings) const {
    std::map<size_t, std::map<size_t, std::string>> by_field;
    for (const Binding& binding : bindings) {
      by_field[arguments.FieldOf(binding.tensor)][binding.tensor] = SourceText(binding.source);
    }
    std::vector<std::string> texts;
    for (const auto& [field, sources] : by_field) {
      std::vector<std::string> entries;
      for (const auto& [number, text] : sources) entries.push_back(text);
      const std::string joined = fmt::format("{}", fmt::join(entries, ", "));
      const Field& described = arguments.schema().fields[field];
      texts.push_back(fmt::format("{}: {}", Quote(described.name),
                                  described.is_tensor_array() ? "[" + joined + "]" : joined));
    }
    return fmt::format("{{ {} }}", fmt::join(texts, ", "));
  }

  std::string Text(const Dispatch& dispatch) const {
    const Dispatchable& dispatchable = model_.dispatchables[dispatch.dispatchable];
    return fmt::format("{{ \"type\": \"dispatch\", \"dispatchable\": {}, \"bindings\": {} }}",
                       Quote(dispatchable.name),
                       BindingsText(dispatchable.arguments, dispatch.bindings));
  }
  std::string Text(const Print& print) const {
    return fmt::format("{{ \"type\": \"print\", \"resource\": {}{} }}",
                       Quote(model_.resources[print.resource].name),
                       print.verbose ? ", \"verbose\": true" : "");
  }
  std::string Text(const WriteFile& file) const {
    std::string dimensions;
    if (!file.dimensions.empty()) {
      dimensions = fmt::format(", \"dimensions\": [{}]", fmt::join(file.dimensions, ", "));
    }
    return fmt::format("{{ \"type\": \"writeFile\", \"resource\": {}, \"targetPath\": {}{} }}",
                       Quote(model_.resources[file.resource].name), Quote(file.target_path),
                       dimensions);
  }

  const Model& model_;
};

}  // namespace

std::string WriteModel(const Model& model) { return ModelWriter(model).Write(); }

}  // namespace anydml::model
