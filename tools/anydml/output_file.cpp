// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "output_file.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/whole_file.h"
#include "model/npy.h"
#include "model/paths.h"
#include "model/place.h"

namespace anydml::tool {
namespace {

namespace fs = std::filesystem;

using Bytes = std::span<const std::byte>;

Status StatusOf(const std::optional<WriteFailure>& failure, const fs::path& path) {
  if (!failure) return {};
  return InvalidArgument(fmt::format("'{}' could not be {}: {}", model::Escaped(path.string()),
                                     failure->action, std::strerror(failure->error)));
}

}  // namespace

Status WriteResource(const model::Resource& resource, const std::vector<uint64_t>& dimensions,
                     const fs::path& path) {
  const Bytes all = std::as_bytes(std::span(resource.bytes));
  const OpenFolder folder = OpenFolder::Resolved(path.parent_path());
  const std::string name = path.filename().string();
  if (model::LowerExtension(path.string()) != ".npy") {
    return StatusOf(WriteWholeFile(folder, name, {all}), path);
  }
  // Inside the resource: ReadCommand checked.
  const uint64_t bytes = model::NpyBytes(resource.data_type, dimensions).value_or(0);
  const std::string header = model::NpyHeader(resource.data_type, dimensions);
  const Bytes head = std::as_bytes(std::span(header));
  return StatusOf(WriteWholeFile(folder, name, {head, all.first(bytes)}), path);
}

Status CheckReplacesNone(const fs::path& output, std::span<const fs::path> inputs) {
  std::error_code not_there;
  if (!fs::is_regular_file(output, not_there)) return {};
  for (const fs::path& input : inputs) {
    if (!fs::equivalent(output, input, not_there)) continue;
    return InvalidArgument(fmt::format("would replace '{}', which is read: name another file",
                                       model::Escaped(input.string())));
  }
  return {};
}

Status WriteText(std::string_view text, const fs::path& path) {
  const Bytes bytes = std::as_bytes(std::span(text));
  // The person who names a device means it.
  if (IsSpecialFile(path)) {
    return StatusOf(WriteAndClose(std::fopen(path.c_str(), "wb"), {bytes}), path);
  }
  return StatusOf(WriteWholeFile(BehindLinks(path), {bytes}), path);
}

Status AppendText(std::string_view text, const fs::path& path) {
  return StatusOf(WriteAndClose(std::fopen(path.c_str(), "ab"), {std::as_bytes(std::span(text))}),
                  path);
}

}  // namespace anydml::tool
