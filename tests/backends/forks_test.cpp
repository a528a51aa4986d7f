// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Who is inside of the library, at the end of a process. What a fork leaves is asked by
// the tests of Direct3D 12 and of the C interface.
#include "backends/cpu/forks.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>

namespace anydml::cpu {
namespace {

bool is_last_asked = false;

// Keys that somebody makes now have no value until their owner sets one.
void AskLast() {
  if (!is_last_asked) return;
  constexpr int kKeys = 8;
  pthread_key_t keys[kKeys];
  for (pthread_key_t& key : keys) {
    if (pthread_key_create(&key, nullptr) != 0) _exit(2);
  }
  const InsideLibrary inside;
  for (const pthread_key_t key : keys) {
    if (pthread_getspecific(key) != nullptr) _exit(1);
  }
}

// Before any other static object is made, so that it is called after the last is gone.
[[gnu::constructor(101)]] void RegisterAskLast() { std::atexit(AskLast); }

TEST(ForksDeathTest, AThreadInsideAfterStaticObjectsAreGoneTouchesNoKeyOfOthers) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto exit_at_once = [] {
    is_last_asked = true;
    std::exit(0);
  };
  EXPECT_EXIT(exit_at_once(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace anydml::cpu
