// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12InfoQueue1: the debug layer's messages, stored and handed to callbacks.
// A part of the device: it shares the device's identity and reference count.
// Thread-safe.
#pragma once

#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "d3d12/com.h"
#include "d3d12/message_filter.h"

namespace anydml::d3d12 {

class InfoQueue final : public ID3D12InfoQueue1 {
 public:
  explicit InfoQueue(IUnknown& owner) : owner_(owner) {}
  virtual ~InfoQueue() = default;

  // Stores the message and calls the callbacks, on the calling thread; one that arises
  // within a callback is stored alone. The text ends with a zero.
  HRESULT Add(const MessageKey& key, const char* text) noexcept;
  bool muted();

  // IUnknown
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) override {
    return owner_.QueryInterface(riid, object);
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return owner_.AddRef(); }
  ULONG STDMETHODCALLTYPE Release() override { return owner_.Release(); }

  // Stored messages
  HRESULT STDMETHODCALLTYPE SetMessageCountLimit(UINT64 limit) override;
  void STDMETHODCALLTYPE ClearStoredMessages() override;
  // Counts what passes the retrieval filter. A null message asks for the number of
  // bytes that it and its text need.
  HRESULT STDMETHODCALLTYPE GetMessage(UINT64 index, D3D12_MESSAGE* message,
                                       SIZE_T* bytes) override;
  UINT64 STDMETHODCALLTYPE GetNumMessagesAllowedByStorageFilter() override;
  UINT64 STDMETHODCALLTYPE GetNumMessagesDeniedByStorageFilter() override;
  UINT64 STDMETHODCALLTYPE GetNumStoredMessages() override;
  UINT64 STDMETHODCALLTYPE GetNumStoredMessagesAllowedByRetrievalFilter() override;
  UINT64 STDMETHODCALLTYPE GetNumMessagesDiscardedByMessageCountLimit() override;
  UINT64 STDMETHODCALLTYPE GetMessageCountLimit() override;

  // Filters. Clear removes the topmost one, as its page says, and so does Pop.
  HRESULT STDMETHODCALLTYPE AddStorageFilterEntries(D3D12_INFO_QUEUE_FILTER* filter) override;
  HRESULT STDMETHODCALLTYPE GetStorageFilter(D3D12_INFO_QUEUE_FILTER* filter,
                                             SIZE_T* bytes) override;
  void STDMETHODCALLTYPE ClearStorageFilter() override;
  HRESULT STDMETHODCALLTYPE PushEmptyStorageFilter() override;
  HRESULT STDMETHODCALLTYPE PushCopyOfStorageFilter() override;
  HRESULT STDMETHODCALLTYPE PushStorageFilter(D3D12_INFO_QUEUE_FILTER* filter) override;
  void STDMETHODCALLTYPE PopStorageFilter() override;
  UINT STDMETHODCALLTYPE GetStorageFilterStackSize() override;
  HRESULT STDMETHODCALLTYPE AddRetrievalFilterEntries(D3D12_INFO_QUEUE_FILTER* filter) override;
  HRESULT STDMETHODCALLTYPE GetRetrievalFilter(D3D12_INFO_QUEUE_FILTER* filter,
                                               SIZE_T* bytes) override;
  void STDMETHODCALLTYPE ClearRetrievalFilter() override;
  HRESULT STDMETHODCALLTYPE PushEmptyRetrievalFilter() override;
  HRESULT STDMETHODCALLTYPE PushCopyOfRetrievalFilter() override;
  HRESULT STDMETHODCALLTYPE PushRetrievalFilter(D3D12_INFO_QUEUE_FILTER* filter) override;
  void STDMETHODCALLTYPE PopRetrievalFilter() override;
  UINT STDMETHODCALLTYPE GetRetrievalFilterStackSize() override;

  // Messages of the program
  HRESULT STDMETHODCALLTYPE AddMessage(D3D12_MESSAGE_CATEGORY category,
                                       D3D12_MESSAGE_SEVERITY severity, D3D12_MESSAGE_ID id,
                                       LPCSTR description) override;
  HRESULT STDMETHODCALLTYPE AddApplicationMessage(D3D12_MESSAGE_SEVERITY severity,
                                                  LPCSTR description) override;

  // Remembered only: the library never stops a program.
  HRESULT STDMETHODCALLTYPE SetBreakOnCategory(D3D12_MESSAGE_CATEGORY category,
                                               BOOL enable) override;
  HRESULT STDMETHODCALLTYPE SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY severity,
                                               BOOL enable) override;
  HRESULT STDMETHODCALLTYPE SetBreakOnID(D3D12_MESSAGE_ID id, BOOL enable) override;
  BOOL STDMETHODCALLTYPE GetBreakOnCategory(D3D12_MESSAGE_CATEGORY category) override;
  BOOL STDMETHODCALLTYPE GetBreakOnSeverity(D3D12_MESSAGE_SEVERITY severity) override;
  BOOL STDMETHODCALLTYPE GetBreakOnID(D3D12_MESSAGE_ID id) override;
  // Concerns standard error only.
  void STDMETHODCALLTYPE SetMuteDebugOutput(BOOL mute) override;
  BOOL STDMETHODCALLTYPE GetMuteDebugOutput() override;

  // Callbacks. When Unregister returns the callback runs nowhere and will not; from
  // within a callback it does not wait for those of other threads. Microsoft's pages say
  // nothing of messages that arise within a callback, nor of exceptions: the former are
  // told to no callback, or one that misuses Direct3D would call itself without end; the
  // latter end where the callback does.
  HRESULT STDMETHODCALLTYPE RegisterMessageCallback(D3D12MessageFunc function,
                                                    D3D12_MESSAGE_CALLBACK_FLAGS flags,
                                                    void* context, DWORD* cookie) override;
  HRESULT STDMETHODCALLTYPE UnregisterMessageCallback(DWORD cookie) override;

 private:
  struct Message {
    MessageKey key;
    std::string text;
  };
  struct Callback {
    DWORD cookie;
    D3D12MessageFunc function;
    D3D12_MESSAGE_CALLBACK_FLAGS flags;
    void* context;
  };
  // A callback at work.
  struct RunningCall {
    DWORD cookie;
    std::thread::id thread;
  };
  // Calls it without the lock, unless it was unregistered meanwhile. Takes one of the
  // calls, so that it needs no memory.
  void CallBack(const Callback& callback, std::list<RunningCall>& calls, const MessageKey& key,
                const char* text);
  void Store(const MessageKey& key, const char* text);
  // Null when fewer messages pass the retrieval filter. The mutex is held.
  const Message* FindRetrieved(UINT64 index) const;
  HRESULT CopyMessage(UINT64 index, D3D12_MESSAGE* message, SIZE_T* bytes);
  // What the body finds with the mutex held; in a process that was lost in a fork,
  // where nobody may open it, `otherwise`.
  template <typename T, typename Body>
  T Locked(T otherwise, const Body& body) {
    return Inside(otherwise, [&] {
      const std::lock_guard lock(mutex_);
      return body();
    });
  }
  HRESULT Break(int kind, int value, BOOL enable);
  BOOL Breaks(int kind, int value);

  IUnknown& owner_;
  std::mutex mutex_;
  std::deque<Message> messages_;
  UINT64 limit_ = 1024;  // as Direct3D 12's default
  UINT64 allowed_ = 0;
  UINT64 denied_ = 0;
  UINT64 discarded_ = 0;
  MessageFilterStack storage_;
  MessageFilterStack retrieval_;
  std::map<std::pair<int, int>, BOOL> breaks_;
  bool muted_ = false;
  std::vector<Callback> callbacks_;
  std::list<RunningCall> running_;
  std::condition_variable call_ended_;
  DWORD last_cookie_ = 0;
};

}  // namespace anydml::d3d12
