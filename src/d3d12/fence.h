// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12Fence: a counter that queues and the program raise and wait for.
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <mutex>

#include "d3d12/completion.h"
#include "d3d12/object.h"

namespace anydml::d3d12 {

class Fence final : public DeviceChild<Fence, Serves<ID3D12Fence1, ID3D12Object, ID3D12DeviceChild,
                                                     ID3D12Pageable, ID3D12Fence, ID3D12Fence1>> {
 public:
  static constexpr GUID kClassId = ClassId(0x01);

  Fence(Device& device, UINT64 initial_value, D3D12_FENCE_FLAGS flags);

  // UINT64_MAX once the device is removed.
  UINT64 STDMETHODCALLTYPE GetCompletedValue() override;
  // A null event blocks the caller.
  HRESULT STDMETHODCALLTYPE SetEventOnCompletion(UINT64 value, HANDLE event) override;
  HRESULT STDMETHODCALLTYPE Signal(UINT64 value) override;
  D3D12_FENCE_FLAGS STDMETHODCALLTYPE GetCreationFlags() override { return flags_; }

  // Whether it is a fence of the process that was forked, and has not reached `value`:
  // who would signal it is not here. Then nobody may wait for it.
  bool IsLeftToParent(UINT64 value) {
    return cpu::ForkDepth() != fork_depth_ && GetCompletedValue() < value;
  }
  // CountDown is called once the fence reaches `value`, at once if it has. What
  // has happened by then, because another fence was first, is forgotten.
  void Notify(UINT64 value, std::shared_ptr<Completion> completion);
  void Raise(UINT64 value);
  // Nobody waits for a removed device.
  void WakeAll();

 private:
  struct Waiter {
    UINT64 value;
    std::shared_ptr<Completion> completion;
  };

  ~Fence() override;
  // Takes out the waiters whose value is reached. The mutex is held.
  std::list<Waiter> TakeReached();

  const D3D12_FENCE_FLAGS flags_;
  const uint32_t fork_depth_ = cpu::ForkDepth();
  std::atomic<UINT64> value_;
  // Queues take it without being inside of the library (forks.h): in a child it may be
  // locked for ever, and those who wait are the parent's.
  std::mutex mutex_;
  // A list: those that are reached must come out without any memory.
  std::list<Waiter> waiters_;
  size_t many_waiters_ = 16;  // when to look for those that need not wait any longer
};

inline constexpr std::string_view kLeftToParent =
    "the fence was made before the process was forked, and what would signal it is the parent's; "
    "make a fence and a queue in the child";

// ID3D12Device1::SetEventOnMultipleFenceCompletion, in the name of `method`; flags of
// the program's as the number that they are.
HRESULT SetEventOnFences(Device& device, const char* method, ID3D12Fence* const* fences,
                         const UINT64* values, UINT count, UINT flags, HANDLE event);

}  // namespace anydml::d3d12
