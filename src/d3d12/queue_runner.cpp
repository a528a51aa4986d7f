// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/queue_runner.h"

#include "d3d12/device.h"

namespace anydml::d3d12 {
namespace {

// How long a queue that the program has released waits for a fence. Windows gives
// up on a device that hangs after the same time.
constexpr std::chrono::milliseconds kPatience{2000};
constexpr std::chrono::milliseconds kGlance{100};

}  // namespace

void QueueRunner::Run(const Batch& batch) {
  const HRESULT result = Guard("ExecuteCommandLists", [&] {
    for (const auto& works : batch) {
      const Status status = RunWorks(works);
      if (!status.ok()) device_.Remove(ToHresult(status.error().code), status.error().message);
    }
    return S_OK;
  });
  if (FAILED(result)) device_.Remove(result, "an exception left a work of a command list");
}

Status QueueRunner::RunWorks(const std::shared_ptr<const WorkList>& works) {
  const std::optional<int> cuda = device_.CudaOrdinal();
  const RunContext context = {device_.Executor(), cuda, stream_.get()};
  if (device_.removed()) return {};
  if (cuda) {
    const cuda::ScopedDevice scope(*cuda);
    return replay_.Run(works, context);
  }
  for (const std::shared_ptr<const Work>& work : *works) {
    if (device_.removed()) return {};
    Status status = work->Run(context);
    if (!status.ok()) return status;
  }
  return {};
}

void QueueRunner::Finish() {
  const std::optional<int> cuda = device_.CudaOrdinal();
  if (!cuda) return;
  const HRESULT result = Guard("Signal", [&] {
    const cuda::ScopedDevice scope(*cuda);
    const Status status = cuda::Synchronize(stream_.get());
    if (!status.ok()) device_.Remove(ToHresult(status.error().code), status.error().message);
    return S_OK;
  });
  if (FAILED(result)) device_.Remove(result, "Signal: not enough memory");
}

void QueueRunner::Block(Fence& fence, UINT64 value) {
  const HRESULT result = Guard("Wait", [&] {
    if (fence.GetCompletedValue() >= value) return S_OK;
    const auto completion = std::make_shared<Completion>(1, std::nullopt);
    fence.Notify(value, completion);
    std::chrono::milliseconds patience = kPatience;
    const auto is_over = [&] {
      const cpu::OutsideLibrary outside;  // others may fork meanwhile
      return completion->WaitFor(kGlance);
    };
    while (!is_over()) {
      if (released_) patience -= kGlance;
      if (patience > kGlance) continue;
      device_.Remove(DXGI_ERROR_DEVICE_HUNG,
                     fmt::format("a queue was released while it waits for a fence to reach {}, "
                                 "and nobody raises it",
                                 value));
      break;
    }
    return S_OK;
  });
  if (FAILED(result)) device_.Remove(result, "Wait: not enough memory");
}

}  // namespace anydml::d3d12
