// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/info_queue.h"

#include <algorithm>
#include <cstring>

namespace anydml::d3d12 {
namespace {

enum BreakKind { kCategory, kSeverity, kId };

// Whether the thread is inside of a callback, of whichever device: two that misuse each
// other's would call each other without end.
thread_local constinit bool is_calling_back = false;

}  // namespace

HRESULT InfoQueue::Add(const MessageKey& key, const char* text) noexcept {
  if (text == nullptr) return SetError(E_INVALIDARG, "AddMessage", "the text must not be null");
  return Guard("AddMessage", [&] {
    std::vector<Callback> callbacks;
    std::list<RunningCall> calls;
    bool passes = false;
    {
      const std::lock_guard lock(mutex_);
      // What may fail for lack of memory comes first: a message is stored, counted and
      // told, or nothing of it.
      if (!is_calling_back) callbacks = callbacks_;
      calls.resize(callbacks.size());
      passes = storage_.Passes(key);
      if (passes) Store(key, text);
      ++(passes ? allowed_ : denied_);
    }
    // Without the lock: a callback may use this object, and let go of it.
    const ComPtr<IUnknown> alive(callbacks.empty() ? nullptr : &owner_);
    for (const Callback& callback : callbacks) {
      const bool ignores_filters = (callback.flags & D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS) != 0;
      if (!passes && !ignores_filters) continue;
      CallBack(callback, calls, key, text);
    }
    return S_OK;
  });
}

void InfoQueue::CallBack(const Callback& callback, std::list<RunningCall>& calls,
                         const MessageKey& key, const char* text) {
  const auto running = calls.begin();
  {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(callbacks_, callback.cookie, &Callback::cookie) == callbacks_.end()) {
      return;
    }
    *running = {callback.cookie, std::this_thread::get_id()};
    running_.splice(running_.end(), calls, running);
  }
  is_calling_back = true;
  try {
    callback.function(key.category, key.severity, key.id, text, callback.context);
  } catch (...) {  // the message is stored, and others hear of it
  }
  is_calling_back = false;
  const std::lock_guard lock(mutex_);
  running_.erase(running);
  call_ended_.notify_all();
}

void InfoQueue::Store(const MessageKey& key, const char* text) {
  messages_.push_back({key, text});
  while (messages_.size() > limit_) {
    messages_.pop_front();
    ++discarded_;
  }
}

bool InfoQueue::muted() { return GetMuteDebugOutput() != FALSE; }

HRESULT InfoQueue::SetMessageCountLimit(UINT64 limit) {
  return Guard("SetMessageCountLimit", [&] {
    const std::lock_guard lock(mutex_);
    limit_ = limit;  // UINT64_MAX: no limit
    while (messages_.size() > limit_) {
      messages_.pop_front();
      ++discarded_;
    }
    return S_OK;
  });
}

void InfoQueue::ClearStoredMessages() {
  Locked(0, [&] { return messages_.clear(), 0; });
}

const InfoQueue::Message* InfoQueue::FindRetrieved(UINT64 index) const {
  if (retrieval_.size() == 0) return index < messages_.size() ? &messages_[index] : nullptr;
  for (const Message& message : messages_) {
    if (retrieval_.Passes(message.key) && index-- == 0) return &message;
  }
  return nullptr;
}

HRESULT InfoQueue::GetMessage(UINT64 index, D3D12_MESSAGE* message, SIZE_T* bytes) {
  return Guard("GetMessage", [&] { return CopyMessage(index, message, bytes); });
}

HRESULT InfoQueue::CopyMessage(UINT64 index, D3D12_MESSAGE* message, SIZE_T* bytes) {
  const std::lock_guard lock(mutex_);
  const Message* found = FindRetrieved(index);
  if (bytes == nullptr || found == nullptr) {
    return SetError(E_INVALIDARG, "GetMessage",
                    "there must be such a message, and the pointer to its size must not be null");
  }
  const Message& stored = *found;
  const SIZE_T length = stored.text.size() + 1;
  const SIZE_T room = *bytes;
  *bytes = sizeof *message + length;
  if (message == nullptr) return S_FALSE;
  if (room < *bytes) {
    return SetError(E_INVALIDARG, "GetMessage", "the message is larger than its buffer");
  }
  char* text = reinterpret_cast<char*>(message + 1);
  std::memcpy(text, stored.text.c_str(), length);
  *message = {stored.key.category, stored.key.severity, stored.key.id, text, length};
  return S_OK;
}

UINT64 InfoQueue::GetNumMessagesAllowedByStorageFilter() {
  return Locked(UINT64{0}, [&] { return allowed_; });
}

UINT64 InfoQueue::GetNumMessagesDeniedByStorageFilter() {
  return Locked(UINT64{0}, [&] { return denied_; });
}

UINT64 InfoQueue::GetNumStoredMessages() {
  return Locked(UINT64{0}, [&] { return UINT64{messages_.size()}; });
}

UINT64 InfoQueue::GetNumStoredMessagesAllowedByRetrievalFilter() {
  const auto passes = [this](const Message& message) { return retrieval_.Passes(message.key); };
  return Locked(UINT64{0},
                [&] { return static_cast<UINT64>(std::ranges::count_if(messages_, passes)); });
}

UINT64 InfoQueue::GetNumMessagesDiscardedByMessageCountLimit() {
  return Locked(UINT64{0}, [&] { return discarded_; });
}

UINT64 InfoQueue::GetMessageCountLimit() {
  return Locked(UINT64{0}, [&] { return limit_; });
}

HRESULT InfoQueue::AddMessage(D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                              D3D12_MESSAGE_ID id, LPCSTR description) {
  return Add({category, severity, id}, description);
}

HRESULT InfoQueue::AddApplicationMessage(D3D12_MESSAGE_SEVERITY severity, LPCSTR description) {
  return Add({D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED, severity,
              D3D12_MESSAGE_ID_STRING_FROM_APPLICATION},
             description);
}

HRESULT InfoQueue::Break(int kind, int value, BOOL enable) {
  return Guard("SetBreakOn", [&] {
    const std::lock_guard lock(mutex_);
    breaks_[{kind, value}] = enable;
    return S_OK;
  });
}

BOOL InfoQueue::Breaks(int kind, int value) {
  return Locked(BOOL{FALSE}, [&]() -> BOOL {
    const auto found = breaks_.find({kind, value});
    return found == breaks_.end() ? FALSE : found->second;
  });
}

HRESULT InfoQueue::SetBreakOnCategory(D3D12_MESSAGE_CATEGORY category, BOOL enable) {
  return Break(kCategory, category, enable);
}
HRESULT InfoQueue::SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY severity, BOOL enable) {
  return Break(kSeverity, severity, enable);
}
HRESULT InfoQueue::SetBreakOnID(D3D12_MESSAGE_ID id, BOOL enable) { return Break(kId, id, enable); }
BOOL InfoQueue::GetBreakOnCategory(D3D12_MESSAGE_CATEGORY category) {
  return Breaks(kCategory, category);
}
BOOL InfoQueue::GetBreakOnSeverity(D3D12_MESSAGE_SEVERITY severity) {
  return Breaks(kSeverity, severity);
}
BOOL InfoQueue::GetBreakOnID(D3D12_MESSAGE_ID id) { return Breaks(kId, id); }

void InfoQueue::SetMuteDebugOutput(BOOL mute) {
  Locked(false, [&] { return muted_ = mute != FALSE; });
}

BOOL InfoQueue::GetMuteDebugOutput() {
  return Locked(false, [&] { return muted_; }) ? TRUE : FALSE;
}

HRESULT InfoQueue::RegisterMessageCallback(D3D12MessageFunc function,
                                           D3D12_MESSAGE_CALLBACK_FLAGS flags, void* context,
                                           DWORD* cookie) {
  constexpr std::string_view kMethod = "RegisterMessageCallback";
  if (function == nullptr || cookie == nullptr) {
    return SetError(E_INVALIDARG, kMethod, "the callback and the cookie must not be null");
  }
  return Guard(kMethod, [&] {
    const std::lock_guard lock(mutex_);
    callbacks_.push_back({last_cookie_ + 1, function, flags, context});
    *cookie = ++last_cookie_;
    return S_OK;
  });
}

HRESULT InfoQueue::UnregisterMessageCallback(DWORD cookie) {
  constexpr std::string_view kMethod = "UnregisterMessageCallback";
  return Guard(kMethod, [&] {
    std::unique_lock lock(mutex_);
    const size_t removed = std::erase_if(
        callbacks_, [cookie](const Callback& callback) { return callback.cookie == cookie; });
    if (removed != 1) return SetError(E_INVALIDARG, kMethod, "the cookie is no registered one");
    // Two callbacks that unregister each other must not wait for each other.
    const auto self = std::this_thread::get_id();
    if (std::ranges::find(running_, self, &RunningCall::thread) != running_.end()) return S_OK;
    call_ended_.wait(lock, [&] {
      return std::ranges::find(running_, cookie, &RunningCall::cookie) == running_.end();
    });
    return S_OK;
  });
}

}  // namespace anydml::d3d12
