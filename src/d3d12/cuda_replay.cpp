// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/cuda_replay.h"

#include <algorithm>

namespace anydml::d3d12 {
namespace {

// The first run loads kernels and finds most mistakes; the second shows that the
// list comes again.
constexpr int kRunsBeforeCapture = 2;

Status RunEach(const WorkList& works, const RunContext& context) {
  for (const std::shared_ptr<const Work>& work : works) {
    Status status = work->Run(context);
    if (!status.ok()) return status;
  }
  return {};
}

bool CanReplay(const WorkList& works) {
  return std::ranges::all_of(works, [](const auto& work) { return work->CanReplay(); });
}

}  // namespace

CudaReplay::Entry& CudaReplay::Find(const std::shared_ptr<const WorkList>& works) {
  std::erase_if(entries_, [](const Entry& entry) { return entry.works.expired(); });
  const auto known = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return entry.works.lock() == works; });
  if (known != entries_.end()) return *known;
  if (entries_.size() == kMaxEntries) entries_.erase(entries_.begin());
  entries_.push_back({works, 0, nullptr});
  return entries_.back();
}

Status CudaReplay::Run(const std::shared_ptr<const WorkList>& works, const RunContext& context) {
  Entry& entry = Find(works);
  if (++entry.runs <= kRunsBeforeCapture || !CanReplay(*works)) return RunEach(*works, context);
  if (entry.graph == nullptr && entry.runs == kRunsBeforeCapture + 1) {
    Result<cuda::Graph> graph =
        cuda::Capture(context.stream, [&] { return RunEach(*works, context); });
    if (graph.ok()) entry.graph = std::move(graph).value();
  }
  // What cannot be taken down is run each time.
  if (entry.graph == nullptr) return RunEach(*works, context);
  return cuda::Replay(entry.graph.get(), context.stream);
}

}  // namespace anydml::d3d12
