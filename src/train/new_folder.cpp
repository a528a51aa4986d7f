// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/new_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/escaped.h"
#include "base/whole_file.h"
#include "train/manifest.h"

namespace anydml::train {
namespace {

namespace fs = std::filesystem;

Error Failure(const std::string& path, std::string_view action, int error) {
  return InvalidArgument(
      fmt::format("{} cannot be {}: {}", Escaped(path), action, std::strerror(error)));
}

// Calls body(name, whether it is a file of a checkpoint) until that gives false. False if it
// does or if the names cannot be read. Throws nothing of its own. `descriptor` is closed.
template <typename Body>
bool ForEachName(int descriptor, const Body& body) {
  const auto closer = [](DIR* listing) { closedir(listing); };
  const std::unique_ptr<DIR, decltype(closer)> listing(fdopendir(descriptor), closer);
  if (!listing) {
    if (descriptor != -1) close(descriptor);
    return false;
  }
  while (const dirent* const entry = readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat status = {};
    const bool is_file = fstatat(descriptor, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                         S_ISREG(status.st_mode);
    const bool is_ours =
        is_file && (name == kManifestFile || name == kWeightsFile || name.ends_with(kTensorEnding));
    if (!body(entry->d_name, is_ours)) return false;
  }
  return true;
}

int OpenListing(const char* path) {
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Somebody's folder of other things is not replaced.
Status CheckReplaceable(const std::string& path) {
  constexpr std::string_view kNot = "so that it is not replaced; give another name";
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0) return {};  // mkdir says why
  const int descriptor = OpenListing(path.c_str());
  if (descriptor == -1) {
    return InvalidArgument(
        fmt::format("{} is there and is no checkpoint, {}", Escaped(path), kNot));
  }
  bool is_empty = true;
  std::string other;
  const bool is_listed = ForEachName(descriptor, [&](const char* name, bool is_ours) {
    is_empty = false;
    if (!is_ours) other = name;
    return is_ours;
  });
  if (!other.empty()) {
    return InvalidArgument(fmt::format("{} has '{}', which is no file of a checkpoint, {}",
                                       Escaped(path), Escaped(other), kNot));
  }
  if (is_listed && (is_empty || ReadManifest(path).ok())) return {};
  return InvalidArgument(fmt::format("{} is there and is no checkpoint, {}", Escaped(path), kNot));
}

// Only what a checkpoint has. A folder that has more by now stays.
void Remove(const char* path) noexcept {
  const int descriptor = OpenListing(path);
  ForEachName(descriptor, [descriptor](const char* name, bool is_ours) {
    if (is_ours) unlinkat(descriptor, name, 0);
    return true;
  });
  rmdir(path);
}

// What is there and what is new change places at once, where the file system can do that.
// Elsewhere the old one steps aside for a moment.
bool Exchange(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return false;
  const std::string aside = from + ".old";
  return rename(to.c_str(), aside.c_str()) == 0 && rename(from.c_str(), to.c_str()) == 0 &&
         rename(aside.c_str(), from.c_str()) == 0;
}

}  // namespace

Result<NewFolder> NewFolder::Create(const std::string& given) {
  std::string path = given;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (path.empty()) return InvalidArgument("the name of a checkpoint's folder must not be empty");
  // A link to a folder stays one.
  std::error_code ignored;
  if (fs::is_symlink(path, ignored) && fs::is_directory(path, ignored)) {
    path = fs::canonical(path, ignored).string();
  }
  Status status = CheckReplaceable(path);
  if (!status.ok()) return status.error();
  const fs::path whole(path);
  std::string part = (whole.parent_path() / UnfinishedName(whole.filename().string())).string();
  if (mkdir(part.c_str(), 0777) != 0) return Failure(path, "created", errno);
  NewFolder folder(std::move(path), part, OpenFolder::Named(part));
  if (!folder.folder_.is_open()) return Failure(part, "opened", folder.folder_.error());
  return folder;
}

NewFolder::NewFolder(NewFolder&& other) noexcept
    : path_(std::move(other.path_)),
      part_(std::exchange(other.part_, {})),
      folder_(std::move(other.folder_)) {}

NewFolder::~NewFolder() {
  if (!part_.empty()) Remove(part_.c_str());
}

Status NewFolder::Write(std::string_view name,
                        std::initializer_list<std::span<const std::byte>> parts) const {
  const std::string file(name);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  const int descriptor = openat(folder_.descriptor(), file.c_str(), kFlags, 0666);
  const auto failure = WriteAndClose(descriptor == -1 ? nullptr : fdopen(descriptor, "wb"), parts);
  if (!failure) return {};
  return Failure(path_ + "/" + file, failure->action, failure->error);
}

Status NewFolder::Finish() {
  std::error_code ignored;
  const bool replaces = fs::exists(path_, ignored);
  const bool done = replaces ? Exchange(part_, path_) : rename(part_.c_str(), path_.c_str()) == 0;
  if (!done) return Failure(path_, "written", errno);
  // Under the other name lies the old one now, if any, which the destructor removes.
  if (!replaces) part_.clear();
  return {};
}

}  // namespace anydml::train
