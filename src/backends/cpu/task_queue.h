// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Work done in order by a thread of its own, while the submitter goes on.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "base/result.h"

namespace anydml::cpu {

// Tasks must not throw and must not own the queue. The destructor waits for all
// that were submitted.
class TaskQueue {
 public:
  TaskQueue() = default;
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  // The thread is started by the first task; fails when there is no memory or
  // no thread for it, and then the task is not run.
  Status Submit(std::function<void()> task);

 private:
  void RunTasks();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace anydml::cpu
