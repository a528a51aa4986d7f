// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// No memory for the debug layer: its messages, filters and callbacks. A call that fails
// changes nothing.
#include <string_view>

#include "faults/direct3d_program.h"

namespace anydml::faults {
namespace {

constexpr auto kInfo = D3D12_MESSAGE_SEVERITY_INFO;
constexpr auto kWarning = D3D12_MESSAGE_SEVERITY_WARNING;

// Both lists of all kinds; info passes, and nothing else.
struct FilterOfProgram {
  FilterOfProgram() {
    filter.AllowList.NumSeverities = 1;
    filter.AllowList.pSeverityList = &allowed;
    filter.DenyList.NumCategories = 1;
    filter.DenyList.pCategoryList = &category;
    filter.DenyList.NumIDs = 1;
    filter.DenyList.pIDList = &id;
  }
  D3D12_MESSAGE_SEVERITY allowed = kInfo;
  D3D12_MESSAGE_CATEGORY category = D3D12_MESSAGE_CATEGORY_CLEANUP;
  D3D12_MESSAGE_ID id = D3D12_MESSAGE_ID_UNKNOWN;
  D3D12_INFO_QUEUE_FILTER filter = {};
};

// What a program can see of a queue.
struct State {
  explicit State(ID3D12InfoQueue1* queue)
      : storage_filters(queue->GetStorageFilterStackSize()),
        retrieval_filters(queue->GetRetrievalFilterStackSize()),
        messages(queue->GetNumStoredMessages()),
        allowed(queue->GetNumMessagesAllowedByStorageFilter()),
        denied(queue->GetNumMessagesDeniedByStorageFilter()) {
    queue->GetStorageFilter(nullptr, &bytes_of_filter);
  }
  bool operator==(const State&) const = default;

  UINT storage_filters, retrieval_filters;
  UINT64 messages, allowed, denied;
  SIZE_T bytes_of_filter = 0;
};

#define RETURN_IF_FAILED_OR_CHANGED(queue, call)                               \
  do {                                                                         \
    const State before(queue);                                                 \
    const HRESULT result = (call);                                             \
    if (FAILED(result)) return before == State(queue) ? result : E_UNEXPECTED; \
  } while (false)

HRESULT UseFilters(ID3D12InfoQueue1* queue, D3D12_INFO_QUEUE_FILTER* filter) {
  RETURN_IF_FAILED_OR_CHANGED(queue, queue->AddStorageFilterEntries(filter));
  RETURN_IF_FAILED_OR_CHANGED(queue, queue->AddStorageFilterEntries(filter));
  RETURN_IF_FAILED_OR_CHANGED(queue, queue->PushStorageFilter(filter));
  RETURN_IF_FAILED_OR_CHANGED(queue, queue->PushCopyOfStorageFilter());
  RETURN_IF_FAILED_OR_CHANGED(queue, queue->PushEmptyStorageFilter());
  RETURN_IF_FAILED_OR_CHANGED(queue, queue->PushRetrievalFilter(filter));
  RETURN_IF_FAILED_OR_CHANGED(queue, queue->AddRetrievalFilterEntries(filter));
  RETURN_IF_FAILED_OR_CHANGED(queue, queue->PushCopyOfRetrievalFilter());
  RETURN_IF_FAILED_OR_CHANGED(queue, queue->PushEmptyRetrievalFilter());
  alignas(8) char read[256];
  SIZE_T bytes = sizeof read;
  queue->PopStorageFilter();
  RETURN_IF_FAILED(
      queue->GetStorageFilter(reinterpret_cast<D3D12_INFO_QUEUE_FILTER*>(read), &bytes));
  return queue->GetStorageFilterStackSize() == 3 ? S_OK : E_UNEXPECTED;
}

// The topmost filter is that of UseFilters: of the two messages one is stored.
HRESULT UseMessages(ID3D12InfoQueue1* queue) {
  UINT64 told = 0;
  const auto count = [](D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR,
                        void* context) { ++*static_cast<UINT64*>(context); };
  DWORD cookie = 0;
  RETURN_IF_FAILED(
      queue->RegisterMessageCallback(count, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &told, &cookie));
  const auto add = [&]() -> HRESULT {
    RETURN_IF_FAILED_OR_CHANGED(
        queue, queue->AddApplicationMessage(kInfo, "a message of some length, which takes memory"));
    RETURN_IF_FAILED_OR_CHANGED(queue, queue->AddApplicationMessage(kWarning, "denied"));
    return S_OK;
  };
  const HRESULT added = add();
  RETURN_IF_FAILED(queue->UnregisterMessageCallback(cookie));
  if (told != queue->GetNumStoredMessages()) return E_UNEXPECTED;
  RETURN_IF_FAILED(added);
  RETURN_IF_FAILED(queue->SetBreakOnID(D3D12_MESSAGE_ID_UNKNOWN, TRUE));
  if (told != 1 || queue->GetNumMessagesDeniedByStorageFilter() != 1) return E_UNEXPECTED;
  return queue->SetMessageCountLimit(0);
}

// A misuse is told to its caller in its own name, also where its message cannot be
// stored.
HRESULT Misuse(const Direct3D& d3d) {
  const HRESULT result = d3d.queue->Signal(nullptr, 1);
  const bool is_its_own = LastErrorOfThread().starts_with("Signal: ");
  if (!is_its_own || SUCCEEDED(result)) return E_UNEXPECTED;
  return result == E_INVALIDARG ? S_OK : result;
}

HRESULT RunInfoQueue() {
  ComPtr<ID3D12Debug> debug;
  RETURN_IF_FAILED(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)));
  debug->EnableDebugLayer();  // until the end of this process, which does nothing else
  Direct3D d3d;
  RETURN_IF_FAILED(d3d.Open());
  ComPtr<ID3D12InfoQueue1> queue;
  RETURN_IF_FAILED(d3d.device->QueryInterface(IID_PPV_ARGS(&queue)));
  RETURN_IF_FAILED(Misuse(d3d));
  queue->ClearStoredMessages();
  FilterOfProgram filter;
  RETURN_IF_FAILED(UseFilters(queue.Get(), &filter.filter));
  return UseMessages(queue.Get());
}

TEST(InfoQueueFaults, TellsThatThereIsNoMemoryAndStaysAsItWas) {
  FailEverywhere("the info queue", [] { return AnswerOf(RunInfoQueue()); });
}

}  // namespace
}  // namespace anydml::faults
