// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/task_queue.h"

#include <new>
#include <system_error>

namespace anydml::cpu {

TaskQueue::~TaskQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

Status TaskQueue::Submit(std::function<void()> task) {
  try {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { RunTasks(); });
    tasks_.push_back(std::move(task));
  } catch (const std::bad_alloc&) {
    return OutOfMemory("not enough memory to queue an execution");
  } catch (const std::system_error& error) {
    return OutOfMemory(std::string("no thread could be started: ") + error.what());
  }
  changed_.notify_one();
  return {};
}

void TaskQueue::RunTasks() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
}

}  // namespace anydml::cpu
