// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "targets.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <variant>

#include "base/whole_file.h"
#include "model/paths.h"
#include "model/place.h"
#include "output_file.h"

namespace anydml::tool {
namespace {

namespace fs = std::filesystem;

// `path` is resolved, so a link does not hide what it leads to.
bool IsHidden(const fs::path& path) {
  std::error_code failure;
  const fs::path below = fs::relative(path, ".", failure);
  for (const fs::path& part : below) {
    if (part.string().starts_with(".")) return true;
  }
  return failure || below.empty();
}

bool IsExecutable(const fs::path& path) {
  std::error_code not_there;
  const fs::file_status status = fs::status(path, not_there);
  constexpr fs::perms kAny = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  return fs::is_regular_file(status) && (status.permissions() & kAny) != fs::perms::none;
}

// Replacing a file takes the right to write its folder alone; that to write the file
// is asked for as if it were written in place. To root the system says yes always.
bool IsWriteProtected(const fs::path& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const bool nobody_may = (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
  return nobody_may || faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0;
}

// What nobody has made for models to write.
Status CheckUnnamedFolder(const fs::path& path) {
  if (IsHidden(path)) {
    return InvalidArgument(
        "has a name that begins with a dot: such files are written only into a folder that "
        "--output-path names");
  }
  if (IsExecutable(path)) {
    return InvalidArgument(
        "is there and executable: such files are replaced only in a folder that --output-path "
        "names");
  }
  return {};
}

Status CheckTarget(const fs::path& path, bool folder_is_named) {
  if (IsSpecialFile(path)) {
    return InvalidArgument("is there and no file: a model writes files alone");
  }
  Status status = folder_is_named ? Status() : CheckUnnamedFolder(path);
  if (!status.ok()) return status;
  std::error_code not_there;
  if (!fs::is_directory(path.parent_path(), not_there)) {
    return InvalidArgument("must lie in a folder that is there: a model makes none");
  }
  if (fs::is_directory(path, not_there)) {
    return InvalidArgument("is a folder: a model writes files alone");
  }
  if (IsWriteProtected(path)) {
    return InvalidArgument("is there and write-protected: make it writable or remove it first");
  }
  return {};
}

Error InTarget(const model::WriteFile& write, const Error& error) {
  return {error.code,
          fmt::format("targetPath = {} {}", model::Quoted(write.target_path), error.message)};
}

}  // namespace

Result<fs::path> ResolveTarget(const std::string& output_path, const model::WriteFile& write) {
  Result<fs::path> path = model::ResolveInside(output_path, write.target_path);
  Status status;
  if (!path.ok()) {
    status = path.error();
  } else {
    status = CheckTarget(path.value(), !output_path.empty());
  }
  if (status.ok()) return path;
  return InTarget(write, status.error());
}

std::vector<Error> FindTargetProblems(const LoadedModel& loaded, const std::string& output_path) {
  std::vector<Error> problems;
  for (size_t i = 0; i < loaded.model.commands.size(); ++i) {
    const auto* write = std::get_if<model::WriteFile>(&loaded.model.commands[i]);
    if (write == nullptr) continue;
    const auto target = ResolveTarget(output_path, *write);
    if (!target.ok()) {
      problems.push_back(InCommand(i, target.error()));
      continue;
    }
    // The model itself. Data that it reads, such as weights, it may write anew.
    const Status status = CheckReplacesNone(target.value(), std::span(loaded.inputs).last(1));
    if (!status.ok()) problems.push_back(InCommand(i, InTarget(*write, status.error())));
  }
  return problems;
}

}  // namespace anydml::tool
