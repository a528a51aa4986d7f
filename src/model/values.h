// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The initial values of a resource: a list, a fill, a sequence or a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "model/json_text.h"
#include "model/place.h"
#include "tensor/data_type.h"

namespace anydml::model {

// What all resources of one model share.
struct ValueOptions {
  std::filesystem::path input_path;               // where sourcePath is looked for
  uint64_t bytes_left = 0;                        // that resources may still take
  std::vector<std::filesystem::path> files = {};  // that were read
};

struct Values {
  DataType data_type = DataType::kUnknown;  // UNKNOWN: a list of typed values
  std::vector<uint8_t> bytes;
};

// From a resource's `initialValues` and `initialValuesDataType`; never empty
// bytes. Takes them from `options.bytes_left`.
std::optional<Values> ReadInitialValues(const Json& resource, ValueOptions& options,
                                        const Place& place);

// Grows `bytes` to `size`, or tells that the model asks for too much.
bool Allocate(uint64_t size, ValueOptions& options, const Place& place,
              std::vector<uint8_t>& bytes);

}  // namespace anydml::model
