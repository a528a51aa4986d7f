// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Objects that the device must find and does not own. They enter in their
// constructor and leave in their destructor.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

namespace anydml::d3d12 {

template <typename T>
class Registry {
 public:
  void Add(T* object) {
    const std::lock_guard lock(mutex_);
    objects_.push_back(object);
  }
  void Drop(T* object) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find(objects_.begin(), objects_.end(), object);
    if (found != objects_.end()) {
      *found = objects_.back();
      objects_.pop_back();
    }
  }
  // With the lock held: no object dies meanwhile.
  template <typename Visit>
  void ForEach(Visit&& visit) {
    const std::lock_guard lock(mutex_);
    for (T* object : objects_) visit(*object);
  }

 private:
  std::mutex mutex_;
  std::vector<T*> objects_;
};

}  // namespace anydml::d3d12
