// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/task_queue.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <system_error>

#include "backends/cpu/forks.h"

namespace anydml::cpu {

struct TaskQueue::State {
  struct Task {
    std::function<void()> run;
    std::function<void()> tell;  // may be empty
  };

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Task> tasks;
  bool stopping = false;

  static void RunOne(Task task) {
    {
      const InsideLibrary inside;
      task.run();
      task.run = nullptr;
    }
    if (task.tell) task.tell();
  }

  void RunTasks() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return stopping || !tasks.empty(); });
      if (tasks.empty()) return;
      Task task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      RunOne(std::move(task));
      lock.lock();
    }
  }
};

TaskQueue::TaskQueue() : state_(std::make_shared<State>()), fork_depth_(ForkDepth()) {}

TaskQueue::~TaskQueue() {
  if (ForkDepth() != fork_depth_) {
    // The thread is the parent's and cannot be joined here; what it shares with
    // the queue may be locked. Both stay until the process ends; one that has not
    // even these few bytes ends here.
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new)
    static_cast<void>(new std::thread(std::move(thread_)));
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new)
    static_cast<void>(new std::shared_ptr<State>(std::move(state_)));
    return;
  }
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->changed.notify_one();
  if (!thread_.joinable()) return;
  if (thread_.get_id() == std::this_thread::get_id()) {
    // A task, or what it held, let go of the queue. A thread cannot wait for
    // itself, and what comes next must not start inside of this task: the thread
    // goes on by itself when it returns.
    thread_.detach();
  } else {
    thread_.join();
  }
}

Status TaskQueue::Submit(std::function<void()> task, std::function<void()> tell) {
  if (ForkDepth() != fork_depth_) {
    return Unsupported(
        "this queue was made before the process was forked, and its thread is the parent's; make "
        "one in the child (anydml_open_device, CreateCommandQueue)");
  }
  try {
    const std::lock_guard lock(state_->mutex);
    if (!thread_.joinable()) {
      thread_ = std::thread([state = state_] { state->RunTasks(); });
    }
    state_->tasks.push_back({std::move(task), std::move(tell)});
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow("not enough memory to queue an execution");
  } catch (const std::system_error& error) {
    return OutOfMemoryNow("no thread could be started: ", error.what());
  }
  state_->changed.notify_one();
  return {};
}

}  // namespace anydml::cpu
