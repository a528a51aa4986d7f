// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Work done in order by a thread of its own, while the submitter goes on.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/result.h"

namespace anydml::cpu {

// Tasks must not throw. When the destructor returns, all that were submitted are
// done; but where a task itself lets go of the queue, that task and those after it
// are done later, in order, so they must hold what they use.
class TaskQueue {
 public:
  TaskQueue();
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  // The thread is started by the first task; fails when there is no memory or
  // no thread for it, or in a forked child of the queue's process, and then the
  // task is not run. `tell` follows the task, when the thread has left the library
  // (forks.h): whoever is told may fork at once.
  Status Submit(std::function<void()> task, std::function<void()> tell = nullptr);

 private:
  struct State;
  std::shared_ptr<State> state_;     // shared with the thread
  std::optional<pthread_t> thread_;  // std::thread takes the stack that the shell allows
  const uint32_t fork_depth_;
};

}  // namespace anydml::cpu
