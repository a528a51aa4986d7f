// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How much memory a test may fill: what the machine has left, or what the control groups
// of the process (a container, a job) have left of their limits, whichever is less. Past
// such a limit the kernel ends the process, however much the machine has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace anydml::test {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

// The number that follows a word; empty where the file or the word is not there, or the
// word is followed by none, such as "max".
inline std::optional<uint64_t> NumberAfter(const std::filesystem::path& path,
                                           std::string_view word) {
  std::ifstream file(path);
  uint64_t number = 0;
  if (word.empty()) return file >> number ? std::optional(number) : std::nullopt;
  for (std::string found; file >> found;) {
    if (found == word) return file >> number ? std::optional(number) : std::nullopt;
  }
  return std::nullopt;
}

// The files of a version of control groups.
struct GroupFiles {
  std::string_view limit, usage, reclaimable;
};
constexpr GroupFiles kVersion1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                  "total_inactive_file"};
constexpr GroupFiles kVersion2 = {"memory.max", "memory.current", "inactive_file"};

// What one group has left. Pages of files that nobody uses are given up before the limit.
inline uint64_t BytesLeft(const std::filesystem::path& group, const GroupFiles& files) {
  const std::optional<uint64_t> limit = NumberAfter(group / files.limit, "");
  if (!limit) return kNoLimit;
  const uint64_t usage = NumberAfter(group / files.usage, "").value_or(0);
  const uint64_t reclaimable = NumberAfter(group / "memory.stat", files.reclaimable).value_or(0);
  const uint64_t used = usage - std::min(usage, reclaimable);
  return *limit - std::min(*limit, used);
}

// The least of a group and of those that it is in. A container may see a path that is not
// in its own tree, whose root is then the group.
inline uint64_t LeastBytesLeft(const std::filesystem::path& root, std::filesystem::path group,
                               const GroupFiles& files) {
  uint64_t least = kNoLimit;
  for (group = group.relative_path(); !group.empty(); group = group.parent_path()) {
    least = std::min(least, BytesLeft(root / group, files));
  }
  return std::min(least, BytesLeft(root, files));
}

// 0 where nothing can be learned. `system` is another root than "/" for the test of this.
inline uint64_t AvailableBytes(const std::filesystem::path& system = "/") {
  constexpr uint64_t kKibibyte = 1024;
  uint64_t least = NumberAfter(system / "proc/meminfo", "MemAvailable:").value_or(0) * kKibibyte;
  const std::filesystem::path groups = system / "sys/fs/cgroup";
  std::ifstream memberships(system / "proc/self/cgroup");  // number:controllers:path
  for (std::string line; std::getline(memberships, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::filesystem::path group = line.substr(second + 1);
    if (controllers.empty()) least = std::min(least, LeastBytesLeft(groups, group, kVersion2));
    if (controllers == "memory") {
      least = std::min(least, LeastBytesLeft(groups / "memory", group, kVersion1));
    }
  }
  return least;
}

}  // namespace anydml::test
