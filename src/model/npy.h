// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// NumPy's .npy files, as far as tensors need them: the eleven element types,
// little-endian, C order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tensor/data_type.h"

namespace anydml::model {

struct NpyArray {
  DataType data_type = DataType::kUnknown;
  std::vector<uint64_t> shape;    // empty for a single element
  std::span<const uint8_t> data;  // a part of the file
};

// Versions 1.0, 2.0 and 3.0. An error's sentence has the file as its subject:
// "is in Fortran order and must be in C order".
Result<NpyArray> ReadNpy(std::span<const uint8_t> file);

// Why a file that is read by another format is no such file: it begins as NumPy's do. Its
// sentence too has the file as its subject; empty for all other files.
std::string_view WhyMisnamed(std::span<const uint8_t> file);

// What the elements take; empty from 2^64 on. An array without elements has no bytes,
// however long its other axes.
std::optional<uint64_t> NpyBytes(DataType data_type, std::span<const uint64_t> shape);

// What precedes the data in a file of version 1.0, for up to 32 dimensions, as
// NumPy writes it.
std::string NpyHeader(DataType data_type, std::span<const uint64_t> shape);

}  // namespace anydml::model
