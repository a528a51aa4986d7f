// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/idx.h"

#include <fmt/format.h>

#include "base/checked_math.h"
#include "base/escaped.h"
#include "model/npy.h"
#include "model/paths.h"

namespace anydml::train {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 32;
constexpr uint8_t kUnsignedBytes = 8;
constexpr uint32_t kMostDimensions = 8;

uint32_t BigEndian(const uint8_t* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

// What is wrong with the file; empty if nothing is.
std::string ReadSizes(IdxFile& file) {
  const std::vector<uint8_t>& bytes = file.bytes;
  const std::string_view misnamed = model::WhyMisnamed(bytes);
  if (!misnamed.empty()) return std::string(misnamed);
  if (bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) {
    return "is packed; unpack it with gunzip";
  }
  if (bytes.size() < 4) return fmt::format("has {} bytes, which is no IDX file", bytes.size());
  if (bytes[0] != 0 || bytes[1] != 0) return "is no IDX file: it does not begin with two zeros";
  if (bytes[2] != kUnsignedBytes) {
    return fmt::format("has elements of type {:#04x}; they must be unsigned bytes, 0x08", bytes[2]);
  }
  const uint32_t count = bytes[3];
  if (count == 0 || count > kMostDimensions) {
    return fmt::format("has {} dimensions; they must be 1 to {}", count, kMostDimensions);
  }
  const uint64_t header = 4 + 4 * uint64_t{count};
  if (bytes.size() < header) return "ends within its sizes";
  std::optional<uint64_t> elements = 1;
  for (uint32_t i = 0; i < count; ++i) {
    file.sizes.push_back(BigEndian(&bytes[4 + 4 * i]));
    if (elements) elements = CheckedMultiply(*elements, uint64_t{file.sizes.back()});
  }
  if (elements != bytes.size() - header) {
    return fmt::format("has {} bytes after its sizes {}, which need {}", bytes.size() - header,
                       fmt::join(file.sizes, " x "),
                       elements ? fmt::to_string(*elements) : "2^64 or more");
  }
  return {};
}

}  // namespace

Result<IdxFile> ReadIdx(const std::string& path) {
  Result<std::vector<uint8_t>> bytes = model::ReadFile(path, kMostBytes);
  if (!bytes.ok()) {
    return Error{bytes.error().code, fmt::format("{} {}", Escaped(path), bytes.error().message)};
  }
  IdxFile file;
  file.bytes = std::move(bytes).value();
  const std::string problem = ReadSizes(file);
  if (!problem.empty()) return InvalidArgument(fmt::format("{} {}", Escaped(path), problem));
  return file;
}

}  // namespace anydml::train
