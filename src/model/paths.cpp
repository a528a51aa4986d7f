// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace anydml::model {
namespace fs = std::filesystem;
namespace {

Error LeadsOutside() {
  return InvalidArgument("must stay inside the folder: models may not reach other files");
}

Error CannotBeRead(const std::string& reason) {
  return InvalidArgument("cannot be read: " + reason);
}

bool Contains(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

// A link whose target does not exist counts as missing for weakly_canonical,
// which keeps it as it is; a file opened there would be made at the target.
bool HasDanglingLink(const fs::path& path) {
  fs::path prefix;
  for (const fs::path& part : path) {
    prefix /= part;
    std::error_code ignored;
    if (fs::is_symlink(fs::symlink_status(prefix, ignored))) return true;
  }
  return false;
}

}  // namespace

Status CheckRelative(std::string_view path) {
  if (path.empty()) return InvalidArgument("must not be empty");
  if (path.find('\0') != path.npos) return InvalidArgument("must not contain a null character");
  const fs::path given(path);
  if (given.is_absolute()) {
    return InvalidArgument("must be relative: models may not reach other files");
  }
  const fs::path normal = given.lexically_normal();
  if (*normal.begin() == "..") return LeadsOutside();
  if (!normal.has_filename() || normal == ".") return InvalidArgument("must name a file");
  return {};
}

Result<fs::path> ResolveInside(const fs::path& folder, std::string_view path) {
  const Status status = CheckRelative(path);
  if (!status.ok()) return status.error();
  std::error_code error;
  fs::path root = fs::absolute(folder.empty() ? fs::path(".") : folder, error);
  if (!error) root = fs::weakly_canonical(root, error);
  if (!root.has_filename() && root.has_relative_path()) root = root.parent_path();
  fs::path resolved;
  if (!error) resolved = fs::weakly_canonical(root / path, error);
  if (error) return InvalidArgument(fmt::format("cannot be resolved: {}", error.message()));
  if (!Contains(root, resolved) || HasDanglingLink(resolved)) return LeadsOutside();
  return resolved;
}

Result<std::vector<uint8_t>> ReadFile(const fs::path& path, uint64_t most) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) return CannotBeRead(error.message());
  if (!fs::exists(status)) return InvalidArgument("does not exist");
  if (!fs::is_regular_file(status)) return InvalidArgument("is no regular file");
  const uint64_t size = fs::file_size(path, error);
  if (error) return CannotBeRead(error.message());
  if (size > most) {
    return InvalidArgument(fmt::format("has {} bytes and may have at most {}", size, most));
  }
  std::vector<uint8_t> bytes(size);
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return CannotBeRead(std::generic_category().message(errno));
  errno = 0;
  // Nothing may lie at no address.
  const size_t read = bytes.empty() ? 0 : std::fread(bytes.data(), 1, bytes.size(), file);
  const int failure = errno;
  std::fclose(file);
  if (read == size) return bytes;
  return CannotBeRead(failure != 0 ? std::generic_category().message(failure)
                                   : fmt::format("it ends after {} of {} bytes", read, size));
}

std::string LowerExtension(std::string_view path) {
  std::string extension = fs::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<uint8_t>(c)));
  });
  return extension;
}

}  // namespace anydml::model
