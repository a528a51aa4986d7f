// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "limits/available_memory.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

namespace anydml::test {
namespace {

namespace fs = std::filesystem;

// A system of made files.
class AvailableMemory : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "available_memory_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    system_ = name;
    Write("proc/meminfo", "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable:    1000 kB\n");
  }
  void TearDown() override { fs::remove_all(system_); }

  void Write(const fs::path& path, const std::string& text) const {
    fs::create_directories((system_ / path).parent_path());
    std::ofstream(system_ / path) << text;
  }

  fs::path system_;
};

TEST_F(AvailableMemory, IsThatOfTheMachineWithoutGroups) {
  EXPECT_EQ(AvailableBytes(system_), 1024000u);
}

TEST_F(AvailableMemory, IsWhatTheGroupHasLeft) {
  Write("proc/self/cgroup", "0::/user/job\n");
  Write("sys/fs/cgroup/user/job/memory.max", "500000\n");
  Write("sys/fs/cgroup/user/job/memory.current", "120000\n");
  EXPECT_EQ(AvailableBytes(system_), 380000u);
  Write("sys/fs/cgroup/user/job/memory.stat", "anon 20000\ninactive_file 100000\n");
  EXPECT_EQ(AvailableBytes(system_), 480000u);
  Write("sys/fs/cgroup/user/job/memory.current", "700000\n");
  EXPECT_EQ(AvailableBytes(system_), 0u);
}

TEST_F(AvailableMemory, IsTheLeastOfAllGroupsAbove) {
  Write("proc/self/cgroup", "0::/user/job\n");
  Write("sys/fs/cgroup/user/job/memory.max", "max\n");
  EXPECT_EQ(AvailableBytes(system_), 1024000u);
  Write("sys/fs/cgroup/user/memory.max", "400000\n");
  EXPECT_EQ(AvailableBytes(system_), 400000u);
  Write("sys/fs/cgroup/memory.max", "300000\n");
  EXPECT_EQ(AvailableBytes(system_), 300000u);
}

TEST_F(AvailableMemory, IsNeverMoreThanThatOfTheMachine) {
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/memory.max", "2000000\n");
  EXPECT_EQ(AvailableBytes(system_), 1024000u);
}

TEST_F(AvailableMemory, KnowsTheOlderVersionOfGroups) {
  Write("proc/self/cgroup", "9:name=systemd:/\n4:memory:/docker/job\n0::/\n");
  Write("sys/fs/cgroup/memory/docker/job/memory.limit_in_bytes", "500000\n");
  Write("sys/fs/cgroup/memory/docker/job/memory.usage_in_bytes", "200000\n");
  Write("sys/fs/cgroup/memory/docker/job/memory.stat",
        "inactive_file 1\ntotal_inactive_file 50000\n");
  EXPECT_EQ(AvailableBytes(system_), 350000u);
}

// Its path leads through folders that only the system around it has.
TEST_F(AvailableMemory, IsThatOfAContainer) {
  Write("proc/self/cgroup", "4:memory:/docker/job\n");
  Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "500000\n");
  EXPECT_EQ(AvailableBytes(system_), 500000u);
}

}  // namespace
}  // namespace anydml::test
