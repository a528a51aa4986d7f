// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/fence.h"

#include <vector>

#include "d3d12/device.h"

namespace anydml::d3d12 {

Fence::Fence(Device& device, UINT64 initial_value, D3D12_FENCE_FLAGS flags)
    : DeviceChild(device), flags_(flags), value_(initial_value) {
  device.fences().Add(this);
}

Fence::~Fence() { device().fences().Drop(this); }

UINT64 Fence::GetCompletedValue() { return device().removed() ? UINT64_MAX : value_.load(); }

HRESULT Fence::SetEventOnCompletion(UINT64 value, HANDLE handle) {
  return Call("SetEventOnCompletion", [&] {
    ID3D12Fence* self = this;
    return SetEventOnFences(device(), "SetEventOnCompletion", &self, &value, 1,
                            D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, handle);
  });
}

HRESULT Fence::Signal(UINT64 value) {
  return CallAlive("Signal", [&] {
    Raise(value);
    return S_OK;
  });
}

void Fence::Notify(UINT64 value, std::shared_ptr<Completion> completion) {
  if (cpu::ForkDepth() == fork_depth_) {
    const std::lock_guard lock(mutex_);
    if (GetCompletedValue() < value) {
      if (waiters_.size() >= many_waiters_) {
        std::erase_if(waiters_, [](const Waiter& old) { return old.completion->has_happened(); });
        many_waiters_ = 2 * waiters_.size() + 16;
      }
      waiters_.push_back({value, std::move(completion)});
      return;
    }
  }
  completion->CountDown();
}

void Fence::Raise(UINT64 value) {
  if (cpu::ForkDepth() != fork_depth_) {
    value_ = value;
    return;
  }
  std::list<Waiter> reached;
  {
    const std::lock_guard lock(mutex_);
    value_ = value;  // a signal may also lower it
    reached = TakeReached();
  }
  for (const Waiter& waiter : reached) waiter.completion->CountDown();
}

void Fence::WakeAll() {
  if (cpu::ForkDepth() != fork_depth_) return;
  std::list<Waiter> all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(waiters_);
  }
  for (const Waiter& waiter : all) waiter.completion->CountDown();
}

std::list<Fence::Waiter> Fence::TakeReached() {
  std::list<Waiter> reached;
  const UINT64 value = value_;
  for (auto next = waiters_.begin(); next != waiters_.end();) {
    const auto waiter = next++;
    if (waiter->value <= value) reached.splice(reached.end(), waiters_, waiter);
  }
  return reached;
}

namespace {

// Of several that one may end, those after it need not remember the wait. A wait
// that some of them could not remember is no wait at all, unless it is over: a program
// that heard of a failure must not see its event signalled.
void NotifyAll(const std::vector<ComPtr<Fence>>& fences, const UINT64* values,
               const std::shared_ptr<Completion>& completion) {
  try {
    for (size_t i = 0; i < fences.size() && !completion->has_happened(); ++i) {
      fences[i]->Notify(values[i], completion);
    }
  } catch (...) {
    if (completion->Cancel()) throw;
  }
}

}  // namespace

HRESULT SetEventOnFences(Device& device, const char* method, ID3D12Fence* const* fences,
                         const UINT64* values, UINT count, UINT flags, HANDLE handle) {
  if (count == 0 || fences == nullptr || values == nullptr) {
    return device.Fail(method, InvalidArgument("fences are missing"));
  }
  if ((flags & ~UINT{D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY}) != 0) {
    return device.Fail(method,
                       InvalidArgument(fmt::format("Flags = {:#x} must be ALL or ANY", flags)));
  }
  std::vector<ComPtr<Fence>> ours;
  for (UINT i = 0; i < count; ++i) {
    ours.push_back(As<Fence>(fences[i]));
    if (ours.back() == nullptr) {
      return device.Fail(
          method, InvalidArgument(fmt::format("ppFences[{}] is no fence of this library", i)));
    }
    if (ours.back()->IsLeftToParent(values[i])) {
      return device.Fail(method, Unsupported(std::string(kLeftToParent)));
    }
  }
  std::optional<Event> event;
  if (handle != nullptr) {
    Result<Event> own = Event::From(handle);
    if (!own.ok()) {
      return device.Fail(CodeOfEvent(own.error()),
                         fmt::format("{}: {}", method, own.error().message));
    }
    event = std::move(own).value();
  }
  const bool any = (flags & D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY) != 0;
  const auto completion = std::make_shared<Completion>(any ? 1 : count, std::move(event));
  NotifyAll(ours, values, completion);
  if (handle == nullptr) {
    const cpu::OutsideLibrary outside;  // others may fork meanwhile
    completion->Wait();
  }
  return S_OK;
}

}  // namespace anydml::d3d12
