// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/paths.h"

#include <gtest/gtest.h>

#include "model/reading.h"

namespace anydml::model {
namespace fs = std::filesystem;
namespace {

std::string Refusal(const fs::path& folder, std::string_view path) {
  const Result<fs::path> resolved = ResolveInside(folder, path);
  return resolved.ok() ? "" : resolved.error().message;
}

constexpr std::string_view kOutside =
    "must stay inside the folder: models may not reach other files";

TEST(Paths, ResolvesInsideTheFolder) {
  const test::TemporaryFolder folder;
  const fs::path root = fs::canonical(folder.path());
  EXPECT_EQ(ResolveInside(folder.path(), "a.npy").value(), root / "a.npy");
  EXPECT_EQ(ResolveInside(folder.path(), "new/folder/../a.npy").value(), root / "new/a.npy");
  EXPECT_EQ(ResolveInside(folder.path() / "", "./a.npy").value(), root / "a.npy");
  EXPECT_EQ(ResolveInside("/", "a.npy").value(), "/a.npy");
  EXPECT_EQ(ResolveInside("", "a.npy").value(), fs::current_path() / "a.npy");
  EXPECT_EQ(Refusal(folder.path(), "..a.npy"), "");
}

TEST(Paths, RefusesPathsThatLeaveTheFolder) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(Refusal(folder.path(), "../a.npy"), kOutside);
  EXPECT_EQ(Refusal(folder.path(), "a/../../a.npy"), kOutside);
  EXPECT_EQ(Refusal(folder.path(), ".."), kOutside);
  EXPECT_EQ(Refusal(folder.path(), (folder.path() / "a.npy").string()),
            "must be relative: models may not reach other files");
  EXPECT_EQ(Refusal(folder.path(), ""), "must not be empty");
  EXPECT_EQ(Refusal(folder.path(), "."), "must name a file");
  EXPECT_EQ(Refusal(folder.path(), "a/.."), "must name a file");
  EXPECT_EQ(Refusal(folder.path(), "a/"), "must name a file");
  EXPECT_EQ(Refusal(folder.path(), std::string_view("a\0b", 3)),
            "must not contain a null character");
  EXPECT_EQ(Refusal(folder.path(), std::string(5000, 'a')),
            "cannot be resolved: File name too long");
}

TEST(Paths, FollowsLinks) {
  const test::TemporaryFolder folder;
  const test::TemporaryFolder other;
  other.Write("a.dat", "x");
  fs::create_directory(folder.path() / "inner");
  fs::create_symlink(folder.path() / "inner", folder.path() / "to_inner");
  fs::create_symlink(other.path(), folder.path() / "to_other");
  fs::create_symlink(other.path() / "a.dat", folder.path() / "file.dat");
  fs::create_symlink(other.path() / "absent.dat", folder.path() / "dangling.dat");
  fs::create_symlink(folder.path() / "loop", folder.path() / "loop");
  EXPECT_EQ(ResolveInside(folder.path(), "to_inner/a.dat").value(),
            fs::canonical(folder.path()) / "inner/a.dat");
  EXPECT_EQ(Refusal(folder.path(), "to_other/a.dat"), kOutside);
  EXPECT_EQ(Refusal(folder.path(), "to_other/new.dat"), kOutside);
  EXPECT_EQ(Refusal(folder.path(), "file.dat"), kOutside);
  EXPECT_EQ(Refusal(folder.path(), "dangling.dat"), kOutside);
  EXPECT_EQ(Refusal(folder.path(), "loop"),
            "cannot be resolved: Too many levels of symbolic links");
  // The folder itself may be reached by a link.
  EXPECT_EQ(Refusal(folder.path() / "to_other", "a.dat"), "");
}

}  // namespace
}  // namespace anydml::model
