// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A buffer of a model with its first contents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/json_text.h"
#include "model/place.h"
#include "model/values.h"

namespace anydml::model {

struct Resource {
  std::string name;
  DataType data_type = DataType::kUnknown;  // UNKNOWN for a list of typed values
  std::vector<uint8_t> bytes;               // sizeInBytes of them, zero after the values
  uint64_t value_bytes = 0;                 // of the initial values: what is printed

  uint64_t element_count() const {
    const uint32_t size = ElementSize(data_type);
    return size == 0 ? 0 : value_bytes / size;
  }
};

// The values stand at offset 0 whatever initialValuesOffsetInBytes says: it is
// checked and otherwise ignored, as in DxDispatch.
std::optional<Resource> ReadResource(std::string_view name, const Json& value,
                                     ValueOptions& options, const Place& place);

}  // namespace anydml::model
