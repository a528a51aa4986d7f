// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Command lists on a CUDA device that are submitted again and again: from the
// third time on their works are one launch.
#pragma once

#include <memory>
#include <vector>

#include "d3d12/command_list.h"

namespace anydml::d3d12 {

// Of one queue; used on its thread alone.
class CudaReplay {
 public:
  // Puts a list's works on the stream.
  Status Run(const std::shared_ptr<const WorkList>& works, const RunContext& context);

 private:
  struct Entry {
    std::weak_ptr<const WorkList> works;
    int runs = 0;
    cuda::Graph graph;
  };

  static constexpr size_t kMaxEntries = 8;

  Entry& Find(const std::shared_ptr<const WorkList>& works);

  std::vector<Entry> entries_;  // the newest last
};

}  // namespace anydml::d3d12
