// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Files in the IDX format of MNIST and Fashion-MNIST: unsigned bytes, any number of
// dimensions, unpacked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace anydml::train {

struct IdxFile {
  std::vector<uint32_t> sizes;  // the first one counts the samples
  std::vector<uint8_t> bytes;   // of the file
  std::span<const uint8_t> data() const { return std::span(bytes).subspan(4 + 4 * sizes.size()); }
};

// One sentence that begins with the path for whatever is wrong with the file.
Result<IdxFile> ReadIdx(const std::string& path);

}  // namespace anydml::train
