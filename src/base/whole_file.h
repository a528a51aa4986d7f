// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Files of programs that appear whole or not at all: written under another name
// in the same folder, then renamed. The library itself writes none.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "base/kept_access.h"
#include "base/open_folder.h"
#include "base/partial_file.h"
#include "base/whole_characters.h"

namespace anydml {

// Why a file is not as it should be: it could not be "created" or "written".
struct WriteFailure {
  const char* action;
  int error;  // errno
};

// What is there and neither a file nor a folder, nor a link to one: a device, a
// pipe. A file renamed over it would replace it.
inline bool IsSpecialFile(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// To the disk, so that a loss of power finds a whole file under its name. What is no
// file has no disk, and some file systems do not tell.
inline int ErrorOfSync(std::FILE* file) {
  if (std::fflush(file) == 0 && fsync(fileno(file)) == 0) return 0;
  return errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

// The parts one after the other; closes the file, which may be null where it
// could not be created.
inline std::optional<WriteFailure> WriteAndClose(
    std::FILE* file, std::initializer_list<std::span<const std::byte>> parts) {
  if (file == nullptr) return WriteFailure{"created", errno};
  int error = 0;
  for (const std::span<const std::byte> part : parts) {
    // Nothing may lie at no address, which fwrite does not take.
    if (error != 0 || part.empty()) continue;
    if (std::fwrite(part.data(), 1, part.size(), file) != part.size()) error = errno;
  }
  if (error == 0) error = ErrorOfSync(file);
  if (std::fclose(file) != 0 && error == 0) error = errno;
  if (error != 0) return WriteFailure{"written", error};
  return std::nullopt;
}

// Where a name that a person gave leads to, if it leads to anything: whoever lays a
// link means the file behind it.
inline std::filesystem::path BehindLinks(std::filesystem::path path) {
  namespace fs = std::filesystem;
  constexpr int kMaxLinks = 40;  // as the system has it; more are a circle
  std::error_code failure;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(path, failure); ++i) {
    // An absolute path takes the place of the folder.
    path = path.parent_path() / fs::read_symlink(path, failure);
  }
  return path;
}

// The name of a file until it is whole: one that no other process has, in other
// containers neither, and that nobody can guess. A folder takes names of 255 bytes (some
// of 143), and the final one may have all of them: only its beginning stays, in whole
// characters of UTF-8, because some file systems take no others.
inline std::string UnfinishedName(const std::string& name) {
  constexpr size_t kMax = 100;
  const size_t kept = WholeCharacters(name, kMax);
  uint64_t random = static_cast<uint64_t>(getpid());  // stays where the system has nothing
  [[maybe_unused]] const int failed = getentropy(&random, sizeof random);
  return name.substr(0, kept) + "." + std::to_string(random) + ".part";
}

// Null where it cannot be made. What replaces a file is for this process alone until it
// has the access of the old one, which is before its first byte.
inline std::FILE* CreatePart(const PartialFile& part, int folder, const std::string& name) {
  struct stat old = {};
  const bool replaces =
      fstatat(folder, name.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(old.st_mode);
  std::FILE* file = part.Create(replaces ? 0600 : 0666);
  if (file == nullptr || !replaces || KeepAccess(fileno(file), folder, name, old)) return file;
  const int error = errno;
  std::fclose(file);
  errno = error;
  return nullptr;
}

// Replaces what has that name in the folder, a link too. It is no special file.
inline std::optional<WriteFailure> WriteWholeFile(
    const OpenFolder& folder, const std::string& name,
    std::initializer_list<std::span<const std::byte>> parts) {
  if (!folder.is_open()) return WriteFailure{"created", folder.error()};
  const int at = folder.descriptor();
  PartialFile part(at, UnfinishedName(name));
  if (const auto failure = WriteAndClose(CreatePart(part, at, name), parts)) return failure;
  if (renameat(at, part.name().c_str(), at, name.c_str()) != 0) {
    return WriteFailure{"created", errno};
  }
  part.Keep();
  return std::nullopt;
}

// The same for a name that a person gave.
inline std::optional<WriteFailure> WriteWholeFile(
    const std::filesystem::path& path, std::initializer_list<std::span<const std::byte>> parts) {
  const OpenFolder folder = OpenFolder::Named(path.parent_path());
  if (folder.is_open() && !path.has_filename()) return WriteFailure{"created", EISDIR};
  return WriteWholeFile(folder, path.filename().string(), parts);
}

// Whether WriteWholeFile would find a folder that takes files and no other folder of
// that name; what has it stays.
inline std::optional<WriteFailure> TryWholeFile(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return WriteFailure{"created", EISDIR};
  const OpenFolder folder = OpenFolder::Named(path.parent_path());
  if (!folder.is_open()) return WriteFailure{"created", folder.error()};
  const PartialFile part(folder.descriptor(), UnfinishedName(path.filename().string()));
  return WriteAndClose(part.Create(0600), {});
}

}  // namespace anydml
