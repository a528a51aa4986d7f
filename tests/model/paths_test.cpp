// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/paths.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>

#include "base/open_folder.h"
#include "base/whole_file.h"
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

// A folder and a file that become links to others after they were resolved.
TEST(Paths, FollowsNoLinkThatIsLaidLater) {
  const test::TemporaryFolder folder, other;
  other.Write("a.dat", "theirs");
  folder.Write("b.dat", "mine");
  fs::create_directory(folder.path() / "real");
  folder.Write("real/a.dat", "mine");
  const fs::path a = ResolveInside(folder.path(), "real/a.dat").value();
  const fs::path b = ResolveInside(folder.path(), "b.dat").value();
  EXPECT_TRUE(ReadResolved(a, 100).ok());
  EXPECT_TRUE(ReadResolved(b, 100).ok());
  EXPECT_TRUE(OpenFolder::Resolved(a.parent_path()).is_open());
  fs::rename(folder.path() / "real", folder.path() / "moved");
  fs::create_directory_symlink(other.path(), folder.path() / "real");
  fs::rename(folder.path() / "b.dat", folder.path() / "c.dat");
  fs::create_symlink(other.path() / "a.dat", folder.path() / "b.dat");
  ASSERT_TRUE(ReadFile(a, 100).ok());  // by way of the link
  ASSERT_FALSE(ReadResolved(a, 100).ok());
  EXPECT_EQ(ReadResolved(a, 100).error().message, "does not exist");
  ASSERT_FALSE(ReadResolved(b, 100).ok());
  EXPECT_EQ(ReadResolved(b, 100).error().message, "is no regular file");
  const OpenFolder real = OpenFolder::Resolved(a.parent_path());
  EXPECT_FALSE(real.is_open());
  EXPECT_EQ(real.error(), ENOTDIR);
}

TEST(Paths, AFolderThatIsHeldOpenIsTheSameUnderEveryName) {
  const test::TemporaryFolder folder, other;
  fs::create_directory(folder.path() / "real");
  const OpenFolder real = OpenFolder::Resolved(fs::canonical(folder.path()) / "real");
  fs::rename(folder.path() / "real", folder.path() / "moved");
  fs::create_directory_symlink(other.path(), folder.path() / "real");
  EXPECT_FALSE(WriteWholeFile(real, "a.dat", {}));
  EXPECT_TRUE(fs::exists(folder.path() / "moved/a.dat"));
  EXPECT_TRUE(fs::is_empty(other.path()));
}

std::string ReadRefusal(const fs::path& path) {
  const auto bytes = ReadFile(path, 100);
  return bytes.ok() ? "" : bytes.error().message;
}

// As somebody who may not read everything, which root may; empty where root cannot be such.
std::optional<std::string> ReadRefusalOfNobody(const fs::path& path) {
  const bool is_root = geteuid() == 0;
  if (is_root && seteuid(65534) != 0) return std::nullopt;
  std::string refusal = ReadRefusal(path);
  if (is_root && seteuid(0) != 0) return std::nullopt;
  return refusal;
}

// Where one may not look, a file may well be; and there is more than one reason.
TEST(Paths, SaysWhyAFileCannotBeRead) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "a.dat", circle = folder.path() / "circle";
  fs::create_symlink("circle", circle);
  EXPECT_EQ(ReadRefusal(circle), "cannot be read: Too many levels of symbolic links");
  folder.Write("a.dat", "1234");
  EXPECT_EQ(ReadRefusal(file), "");
  EXPECT_EQ(ReadRefusal(file / "b"), "does not exist");
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(file, fs::perms::none);
  const auto of_file = ReadRefusalOfNobody(file);
  fs::permissions(folder.path(), fs::perms::none);
  const auto of_folder = ReadRefusalOfNobody(file);
  fs::permissions(folder.path(), fs::perms::all);
  if (!of_file || !of_folder) GTEST_SKIP() << "root cannot be another user here";
  EXPECT_EQ(*of_file, "cannot be read: Permission denied");
  EXPECT_EQ(*of_folder, "cannot be read: Permission denied");
}

}  // namespace
}  // namespace anydml::model
