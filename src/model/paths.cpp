// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/paths.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "base/open_folder.h"

namespace anydml::model {
namespace fs = std::filesystem;
namespace {

Error LeadsOutside() {
  return InvalidArgument("must stay inside the folder: models may not reach other files");
}

Error CannotBeRead(int error) {
  if (error == ENOENT || error == ENOTDIR) return InvalidArgument("does not exist");
  return InvalidArgument("cannot be read: " + std::generic_category().message(error));
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

// `file` is open, and stays so.
Result<std::vector<uint8_t>> ReadOpen(std::FILE* file, uint64_t size) {
  std::vector<uint8_t> bytes(size);
  errno = 0;
  // Nothing may lie at no address.
  const size_t read = bytes.empty() ? 0 : std::fread(bytes.data(), 1, bytes.size(), file);
  if (read == size) return bytes;
  if (errno != 0) return CannotBeRead(errno);
  return InvalidArgument(fmt::format("cannot be read: it ends after {} of {} bytes", read, size));
}

// Looked at before it is opened: to open a pipe waits, and a device may act. What has
// the name after that is looked at again.
Result<std::vector<uint8_t>> ReadAt(int folder, const fs::path& name, bool follows_link,
                                    uint64_t most) {
  struct stat status = {};
  if (fstatat(folder, name.c_str(), &status, follows_link ? 0 : AT_SYMLINK_NOFOLLOW) != 0) {
    return CannotBeRead(errno);
  }
  if (!S_ISREG(status.st_mode)) return InvalidArgument("is no regular file");
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follows_link ? 0 : O_NOFOLLOW);
  const int descriptor = openat(folder, name.c_str(), flags);
  if (descriptor == -1) return CannotBeRead(errno);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(fdopen(descriptor, "rb"), std::fclose);
  if (file == nullptr) {
    close(descriptor);
    return CannotBeRead(ENOMEM);  // the only reason
  }
  if (fstat(descriptor, &status) != 0) return CannotBeRead(errno);
  if (!S_ISREG(status.st_mode)) return InvalidArgument("is no regular file");
  const uint64_t size = static_cast<uint64_t>(status.st_size);
  if (size > most) {
    return InvalidArgument(fmt::format("has {} bytes and may have at most {}", size, most));
  }
  return ReadOpen(file.get(), size);
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
  return ReadAt(AT_FDCWD, path, /*follows_link=*/true, most);
}

Result<std::vector<uint8_t>> ReadResolved(const fs::path& path, uint64_t most) {
  const OpenFolder folder = OpenFolder::Resolved(path.parent_path());
  if (!folder.is_open()) return CannotBeRead(folder.error());
  return ReadAt(folder.descriptor(), path.filename(), /*follows_link=*/false, most);
}

Result<std::vector<uint8_t>> ReadStream(int descriptor, uint64_t most) {
  constexpr size_t kPiece = size_t{1} << 16;
  std::vector<uint8_t> bytes;
  for (size_t size = 0; size <= most;) {
    bytes.resize(size + kPiece);
    const ssize_t count = read(descriptor, bytes.data() + size, kPiece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CannotBeRead(errno);
    size += static_cast<size_t>(count);
    bytes.resize(size);
    if (count == 0) return bytes;
  }
  return InvalidArgument(fmt::format("has more than {} bytes and may have at most those", most));
}

std::string LowerExtension(std::string_view path) {
  std::string extension = fs::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<uint8_t>(c)));
  });
  return extension;
}

}  // namespace anydml::model
