// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/task_queue.h"

#include <algorithm>
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

  static void* RunThread(void* argument) {
    const std::unique_ptr<std::shared_ptr<State>> state(
        static_cast<std::shared_ptr<State>*>(argument));
    (*state)->RunTasks();
    return nullptr;
  }

  // With a stack that is large enough for every kernel, also where the shell allows less
  // (ulimit -s). Throws bad_alloc and system_error.
  static pthread_t StartThread(const std::shared_ptr<State>& state) {
    constexpr size_t kStack = size_t{1} << 20;
    auto argument = std::make_unique<std::shared_ptr<State>>(state);
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error != 0) throw std::system_error(error, std::generic_category());
    size_t stack = 0;
    pthread_attr_getstacksize(&attributes, &stack);
    pthread_attr_setstacksize(&attributes, std::max(stack, kStack));
    pthread_t thread = {};
    error = pthread_create(&thread, &attributes, RunThread, argument.get());
    pthread_attr_destroy(&attributes);
    if (error != 0) throw std::system_error(error, std::generic_category());
    static_cast<void>(argument.release());  // the thread's now
    return thread;
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
    // the queue may be locked, and stays until the process ends; one that has not
    // even these few bytes ends here.
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new)
    static_cast<void>(new std::shared_ptr<State>(std::move(state_)));
    return;
  }
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->changed.notify_one();
  if (!thread_) return;
  if (pthread_equal(*thread_, pthread_self()) != 0) {
    // A task, or what it held, let go of the queue. A thread cannot wait for
    // itself, and what comes next must not start inside of this task: the thread
    // goes on by itself when it returns.
    pthread_detach(*thread_);
  } else {
    pthread_join(*thread_, nullptr);
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
    if (!thread_) thread_ = State::StartThread(state_);
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
