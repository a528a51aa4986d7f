// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The filter methods of ID3D12InfoQueue: the same eight for the two stacks.
#include "d3d12/info_queue.h"

namespace anydml::d3d12 {
namespace {

// Runs the body of a method, with words for what a stack of filters refuses.
template <typename Body>
HRESULT Filter(std::string_view method, std::mutex& mutex, const Body& body) noexcept {
  return Guard(method, [&] {
    const std::lock_guard lock(mutex);
    const HRESULT result = body();
    if (SUCCEEDED(result)) return result;
    return SetError(result, method, "a pointer is null, or the buffer too small for the filter");
  });
}

// The same for what is told in words already.
template <typename Body>
HRESULT Extend(std::string_view method, std::mutex& mutex, const Body& body) noexcept {
  return Guard(method, [&] {
    const std::lock_guard lock(mutex);
    const Status status = body();
    if (status.ok()) return S_OK;
    return SetError(ToHresult(status.error().code), method, status.error().message);
  });
}

}  // namespace

HRESULT InfoQueue::AddStorageFilterEntries(D3D12_INFO_QUEUE_FILTER* filter) {
  return Extend("AddStorageFilterEntries", mutex_, [&] { return storage_.Add(filter); });
}

HRESULT InfoQueue::GetStorageFilter(D3D12_INFO_QUEUE_FILTER* filter, SIZE_T* bytes) {
  return Filter("GetStorageFilter", mutex_, [&] { return storage_.Get(filter, bytes); });
}

void InfoQueue::ClearStorageFilter() {
  Locked(0, [&] { return storage_.Pop(), 0; });
}

HRESULT InfoQueue::PushEmptyStorageFilter() {
  return Filter("PushEmptyStorageFilter", mutex_, [&] { return storage_.PushEmpty(), S_OK; });
}

HRESULT InfoQueue::PushCopyOfStorageFilter() {
  return Filter("PushCopyOfStorageFilter", mutex_, [&] { return storage_.PushCopy(), S_OK; });
}

HRESULT InfoQueue::PushStorageFilter(D3D12_INFO_QUEUE_FILTER* filter) {
  return Extend("PushStorageFilter", mutex_, [&] { return storage_.Push(filter); });
}

void InfoQueue::PopStorageFilter() {
  Locked(0, [&] { return storage_.Pop(), 0; });
}

UINT InfoQueue::GetStorageFilterStackSize() {
  return Locked(UINT{0}, [&] { return storage_.size(); });
}

HRESULT InfoQueue::AddRetrievalFilterEntries(D3D12_INFO_QUEUE_FILTER* filter) {
  return Extend("AddRetrievalFilterEntries", mutex_, [&] { return retrieval_.Add(filter); });
}

HRESULT InfoQueue::GetRetrievalFilter(D3D12_INFO_QUEUE_FILTER* filter, SIZE_T* bytes) {
  return Filter("GetRetrievalFilter", mutex_, [&] { return retrieval_.Get(filter, bytes); });
}

void InfoQueue::ClearRetrievalFilter() {
  Locked(0, [&] { return retrieval_.Pop(), 0; });
}

HRESULT InfoQueue::PushEmptyRetrievalFilter() {
  return Filter("PushEmptyRetrievalFilter", mutex_, [&] { return retrieval_.PushEmpty(), S_OK; });
}

HRESULT InfoQueue::PushCopyOfRetrievalFilter() {
  return Filter("PushCopyOfRetrievalFilter", mutex_, [&] { return retrieval_.PushCopy(), S_OK; });
}

HRESULT InfoQueue::PushRetrievalFilter(D3D12_INFO_QUEUE_FILTER* filter) {
  return Extend("PushRetrievalFilter", mutex_, [&] { return retrieval_.Push(filter); });
}

void InfoQueue::PopRetrievalFilter() {
  Locked(0, [&] { return retrieval_.Pop(), 0; });
}

UINT InfoQueue::GetRetrievalFilterStackSize() {
  return Locked(UINT{0}, [&] { return retrieval_.size(); });
}

}  // namespace anydml::d3d12
