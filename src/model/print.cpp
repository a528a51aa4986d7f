// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/print.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <type_traits>

#include "model/numbers.h"
#include "model/place.h"

namespace anydml::model {
namespace {

template <typename T>
T Load(const uint8_t* element) {
  T value;
  std::memcpy(static_cast<void*>(&value), element, sizeof value);
  return value;
}

template <typename T>
void AppendValue(T value, std::string& text) {
  if constexpr (std::is_same_v<T, Float16>) {
    AppendValue(ToFloat(value), text);
  } else if constexpr (std::is_floating_point_v<T>) {
    fmt::format_to(std::back_inserter(text), "{:g}", value);
  } else {
    fmt::format_to(std::back_inserter(text), "{}", +value);
  }
}

template <typename T>
void AppendValues(std::span<const uint8_t> bytes, bool verbose, std::string& text) {
  const size_t count = bytes.size() / sizeof(T);
  const size_t index_width = fmt::formatted_size("{}", count);
  for (size_t i = 0; i < count; ++i) {
    const T value = Load<T>(bytes.data() + i * sizeof(T));
    if (!verbose) {
      text += i == 0 ? " " : ", ";
      AppendValue(value, text);
      continue;
    }
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    fmt::format_to(std::back_inserter(text), "\n[{:{}}] ", i, index_width);
    AppendValue(value, text);
    fmt::format_to(std::back_inserter(text), " (0x{:0{}X})", bits, 2 * sizeof(T));
  }
}

}  // namespace

std::string PrintResource(std::string_view name, DataType data_type,
                          std::span<const uint8_t> values, bool verbose) {
  std::string text = fmt::format("Resource '{}':", Escaped(name));
  DispatchType(ElementTypes(), data_type,
               [&]<typename T>() { AppendValues<T>(values, verbose, text); });
  return text;
}

std::string ElementText(DataType data_type, const uint8_t* element) {
  std::string text;
  DispatchType(ElementTypes(), data_type,
               [&]<typename T>() { AppendValue(Load<T>(element), text); });
  return text;
}

}  // namespace anydml::model
