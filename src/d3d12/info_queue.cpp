// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/info_queue.h"

#include <algorithm>
#include <cstring>

namespace anydml::d3d12 {
namespace {

enum BreakKind { kCategory, kSeverity, kId };

}  // namespace

HRESULT InfoQueue::Add(const MessageKey& key, const char* text) noexcept {
  if (text == nullptr) return E_INVALIDARG;
  return Guard([&] {
    std::vector<Callback> callbacks;
    bool passes = false;
    {
      const std::lock_guard lock(mutex_);
      passes = storage_.Passes(key);
      ++(passes ? allowed_ : denied_);
      if (passes) Store(key, text);
      callbacks = callbacks_;
    }
    // Without the lock: a callback may use this object.
    for (const Callback& callback : callbacks) {
      const bool ignores_filters = (callback.flags & D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS) != 0;
      if (!passes && !ignores_filters) continue;
      callback.function(key.category, key.severity, key.id, text, callback.context);
    }
    return S_OK;
  });
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
  const std::lock_guard lock(mutex_);
  limit_ = limit;  // UINT64_MAX: no limit
  while (messages_.size() > limit_) {
    messages_.pop_front();
    ++discarded_;
  }
  return S_OK;
}

void InfoQueue::ClearStoredMessages() {
  const std::lock_guard lock(mutex_);
  messages_.clear();
}

HRESULT InfoQueue::GetMessage(UINT64 index, D3D12_MESSAGE* message, SIZE_T* bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == nullptr || index >= messages_.size()) return E_INVALIDARG;
  const Message& stored = messages_[index];
  const SIZE_T length = stored.text.size() + 1;
  const SIZE_T room = *bytes;
  *bytes = sizeof *message + length;
  if (message == nullptr) return S_FALSE;
  if (room < *bytes) return E_INVALIDARG;
  char* text = reinterpret_cast<char*>(message + 1);
  std::memcpy(text, stored.text.c_str(), length);
  *message = {stored.key.category, stored.key.severity, stored.key.id, text, length};
  return S_OK;
}

UINT64 InfoQueue::GetNumMessagesAllowedByStorageFilter() {
  const std::lock_guard lock(mutex_);
  return allowed_;
}

UINT64 InfoQueue::GetNumMessagesDeniedByStorageFilter() {
  const std::lock_guard lock(mutex_);
  return denied_;
}

UINT64 InfoQueue::GetNumStoredMessages() {
  const std::lock_guard lock(mutex_);
  return messages_.size();
}

UINT64 InfoQueue::GetNumStoredMessagesAllowedByRetrievalFilter() {
  const std::lock_guard lock(mutex_);
  return static_cast<UINT64>(
      std::count_if(messages_.begin(), messages_.end(),
                    [this](const Message& message) { return retrieval_.Passes(message.key); }));
}

UINT64 InfoQueue::GetNumMessagesDiscardedByMessageCountLimit() {
  const std::lock_guard lock(mutex_);
  return discarded_;
}

UINT64 InfoQueue::GetMessageCountLimit() {
  const std::lock_guard lock(mutex_);
  return limit_;
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
  return Guard([&] {
    const std::lock_guard lock(mutex_);
    breaks_[{kind, value}] = enable;
    return S_OK;
  });
}

BOOL InfoQueue::Breaks(int kind, int value) {
  const std::lock_guard lock(mutex_);
  const auto found = breaks_.find({kind, value});
  return found == breaks_.end() ? FALSE : found->second;
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
  const std::lock_guard lock(mutex_);
  muted_ = mute != FALSE;
}

BOOL InfoQueue::GetMuteDebugOutput() {
  const std::lock_guard lock(mutex_);
  return muted_ ? TRUE : FALSE;
}

HRESULT InfoQueue::RegisterMessageCallback(D3D12MessageFunc function,
                                           D3D12_MESSAGE_CALLBACK_FLAGS flags, void* context,
                                           DWORD* cookie) {
  if (function == nullptr || cookie == nullptr) return E_INVALIDARG;
  return Guard([&] {
    const std::lock_guard lock(mutex_);
    callbacks_.push_back({last_cookie_ + 1, function, flags, context});
    *cookie = ++last_cookie_;
    return S_OK;
  });
}

HRESULT InfoQueue::UnregisterMessageCallback(DWORD cookie) {
  const std::lock_guard lock(mutex_);
  const size_t removed = std::erase_if(
      callbacks_, [cookie](const Callback& callback) { return callback.cookie == cookie; });
  return removed == 1 ? S_OK : E_INVALIDARG;
}

}  // namespace anydml::d3d12
