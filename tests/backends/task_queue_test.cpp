// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/task_queue.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace anydml::cpu {
namespace {

TEST(TaskQueue, DoesEverythingInOrderBeforeItGoesAway) {
  std::vector<int> done;
  {
    TaskQueue queue;
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(queue.Submit([&done, i] { done.push_back(i); }).ok());
    }
  }
  ASSERT_EQ(done.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(done[i], i);
}

TEST(TaskQueue, GoesAwayWhenNothingWasSubmitted) { const TaskQueue queue; }

// As under `ulimit -s 128`: kernels need more than that.
TEST(TaskQueue, HasAStackForEveryKernelWhereThreadsGetLess) {
  pthread_attr_t usual, small;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_attr_init(&small), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&small, 128 << 10), 0);
  ASSERT_EQ(pthread_setattr_default_np(&small), 0);
  size_t stack = 0;
  {
    TaskQueue queue;
    ASSERT_TRUE(queue
                    .Submit([&stack] {
                      pthread_attr_t own;
                      pthread_getattr_np(pthread_self(), &own);
                      pthread_attr_getstacksize(&own, &stack);
                      pthread_attr_destroy(&own);
                    })
                    .ok());
  }
  EXPECT_GE(stack, size_t{1} << 20);
  EXPECT_EQ(pthread_setattr_default_np(&usual), 0);
  pthread_attr_destroy(&small);
  pthread_attr_destroy(&usual);
}

// The task holds the last reference; what was submitted after it is still done.
TEST(TaskQueue, MayBeLetGoOfByItsOwnTask) {
  auto queue = std::make_shared<TaskQueue>();
  std::promise<void> gate, finished;
  TaskQueue* raw = queue.get();
  ASSERT_TRUE(
      raw->Submit([held = queue, opened = gate.get_future().share()] { opened.wait(); }).ok());
  ASSERT_TRUE(raw->Submit([&finished] { finished.set_value(); }).ok());
  queue.reset();
  gate.set_value();
  finished.get_future().wait();
}

TEST(TaskQueue, FinishesTheTaskThatLetsGoOfItBeforeTheNext) {
  auto queue = std::make_shared<TaskQueue>();
  std::promise<void> gate, finished;
  std::vector<int> done;
  ASSERT_TRUE(queue
                  ->Submit([&, opened = gate.get_future().share()] {
                    opened.wait();
                    queue.reset();
                    done.push_back(1);
                  })
                  .ok());
  ASSERT_TRUE(queue->Submit([&] { done.push_back(2); }).ok());
  ASSERT_TRUE(queue->Submit([&] { finished.set_value(); }).ok());
  gate.set_value();
  finished.get_future().wait();
  EXPECT_EQ(done, (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace anydml::cpu
