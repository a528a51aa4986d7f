// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What models and pictures become: files that appear whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/resource.h"

namespace anydml::tool {

// As .npy of these dimensions, which the resource must hold, when the name says
// so; otherwise the bytes as they are. The path is that of ResolveTarget.
Status WriteResource(const model::Resource& resource, const std::vector<uint64_t>& dimensions,
                     const std::filesystem::path& path);

// Refuses an output that is, by whatever links, one of the files that are read. A device or a
// pipe may be read and written at once. The sentence has the output as its subject.
Status CheckReplacesNone(const std::filesystem::path& output,
                         std::span<const std::filesystem::path> inputs);

// Into a device or a pipe where there is one of that name.
Status WriteText(std::string_view text, const std::filesystem::path& path);

// Behind what WriteText wrote.
Status AppendText(std::string_view text, const std::filesystem::path& path);

}  // namespace anydml::tool
