// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A program on a CUDA device that runs again and again with the same memory: from the third time
// on its launches are one CUDA graph.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "backends/cuda/runtime.h"

namespace anydml::graph {

// Of one program; any thread may use it.
class Replays {
 public:
  using Launches = std::function<Status(cuda::Stream)>;

  Replays() = default;
  Replays(const Replays&) {}  // a copy of a program may run other operators
  Replays& operator=(const Replays&) = delete;

  // `launches` puts the same work on any stream as long as `addresses` are the same. On a stream
  // that is being captured it does so, for the one who captures.
  Status Run(std::vector<const void*> addresses, cuda::Stream stream, const Launches& launches);

  // How many runs were one launch of a graph.
  uint64_t replayed() const { return replayed_; }

 private:
  struct Entry {
    std::vector<const void*> addresses;
    int runs = 0;
    cuda::Graph graph;
  };

  Entry& Find(std::vector<const void*> addresses);

  std::mutex mutex_;
  std::vector<Entry> entries_;  // what ran last is last
  std::atomic<uint64_t> replayed_ = 0;
};

}  // namespace anydml::graph
