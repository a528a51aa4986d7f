// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "settings_text.h"

#include <fmt/format.h>

namespace anydml::tool {

std::string SettingsText(const schema::Arguments& arguments) {
  std::string text;
  for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
    const schema::Field& field = arguments.schema().fields[i];
    if (field.is_input() || field.is_output()) continue;
    if (field.type == schema::FieldType::kDimensionCount ||
        field.type == schema::FieldType::kAxisCount ||
        field.type == schema::FieldType::kTensorCount) {
      continue;
    }
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field.name,
                        schema::ValueText(arguments, i));
  }
  return text;
}

}  // namespace anydml::tool
