// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Files that models name. Models are data: no path of theirs may lead out of
// the folder that the user gave.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace anydml::model {

// The part that needs no file system: relative, not empty, and no way out by
// "..". An error's sentence has the path as its subject.
Status CheckRelative(std::string_view path);

// `path` under `folder`, after following every link on the way; also used for
// files that do not exist yet. Refused when it leads outside.
Result<std::filesystem::path> ResolveInside(const std::filesystem::path& folder,
                                            std::string_view path);

// All bytes of a regular file of at most `most` bytes.
Result<std::vector<uint8_t>> ReadFile(const std::filesystem::path& path, uint64_t most);

// The same for what ResolveInside gave: no link that was laid since is followed.
Result<std::vector<uint8_t>> ReadResolved(const std::filesystem::path& path, uint64_t most);

// All that is left of an open file, pipe or terminal, which stays open.
Result<std::vector<uint8_t>> ReadStream(int descriptor, uint64_t most);

// ".npy", in lower case.
std::string LowerExtension(std::string_view path);

}  // namespace anydml::model
