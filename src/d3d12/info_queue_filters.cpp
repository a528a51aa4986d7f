// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The filter methods of ID3D12InfoQueue: the same eight for the two stacks.
#include "d3d12/info_queue.h"

namespace anydml::d3d12 {
namespace {

// Runs the body of a method, with words for what a stack of filters refuses.
template <typename Body>
HRESULT Filter(std::string_view method, const Body& body) noexcept {
  return Guard(method, [&] {
    const HRESULT result = body();
    if (SUCCEEDED(result)) return result;
    return SetError(result, method, "a pointer is null, or the buffer too small for the filter");
  });
}

// The same for what is told in words already.
template <typename Body>
HRESULT Extend(std::string_view method, const Body& body) noexcept {
  return Guard(method, [&] {
    const Status status = body();
    if (status.ok()) return S_OK;
    return SetError(ToHresult(status.error().code), method, status.error().message);
  });
}

}  // namespace

HRESULT InfoQueue::AddStorageFilterEntries(D3D12_INFO_QUEUE_FILTER* filter) {
  const std::lock_guard lock(mutex_);
  return Extend("AddStorageFilterEntries", [&] { return storage_.Add(filter); });
}

HRESULT InfoQueue::GetStorageFilter(D3D12_INFO_QUEUE_FILTER* filter, SIZE_T* bytes) {
  const std::lock_guard lock(mutex_);
  return Filter("GetStorageFilter", [&] { return storage_.Get(filter, bytes); });
}

void InfoQueue::ClearStorageFilter() {
  const std::lock_guard lock(mutex_);
  storage_.Pop();
}

HRESULT InfoQueue::PushEmptyStorageFilter() {
  const std::lock_guard lock(mutex_);
  return Filter("PushEmptyStorageFilter", [&] { return storage_.PushEmpty(), S_OK; });
}

HRESULT InfoQueue::PushCopyOfStorageFilter() {
  const std::lock_guard lock(mutex_);
  return Filter("PushCopyOfStorageFilter", [&] { return storage_.PushCopy(), S_OK; });
}

HRESULT InfoQueue::PushStorageFilter(D3D12_INFO_QUEUE_FILTER* filter) {
  const std::lock_guard lock(mutex_);
  return Extend("PushStorageFilter", [&] { return storage_.Push(filter); });
}

void InfoQueue::PopStorageFilter() {
  const std::lock_guard lock(mutex_);
  storage_.Pop();
}

UINT InfoQueue::GetStorageFilterStackSize() {
  const std::lock_guard lock(mutex_);
  return storage_.size();
}

HRESULT InfoQueue::AddRetrievalFilterEntries(D3D12_INFO_QUEUE_FILTER* filter) {
  const std::lock_guard lock(mutex_);
  return Extend("AddRetrievalFilterEntries", [&] { return retrieval_.Add(filter); });
}

HRESULT InfoQueue::GetRetrievalFilter(D3D12_INFO_QUEUE_FILTER* filter, SIZE_T* bytes) {
  const std::lock_guard lock(mutex_);
  return Filter("GetRetrievalFilter", [&] { return retrieval_.Get(filter, bytes); });
}

void InfoQueue::ClearRetrievalFilter() {
  const std::lock_guard lock(mutex_);
  retrieval_.Pop();
}

HRESULT InfoQueue::PushEmptyRetrievalFilter() {
  const std::lock_guard lock(mutex_);
  return Filter("PushEmptyRetrievalFilter", [&] { return retrieval_.PushEmpty(), S_OK; });
}

HRESULT InfoQueue::PushCopyOfRetrievalFilter() {
  const std::lock_guard lock(mutex_);
  return Filter("PushCopyOfRetrievalFilter", [&] { return retrieval_.PushCopy(), S_OK; });
}

HRESULT InfoQueue::PushRetrievalFilter(D3D12_INFO_QUEUE_FILTER* filter) {
  const std::lock_guard lock(mutex_);
  return Extend("PushRetrievalFilter", [&] { return retrieval_.Push(filter); });
}

void InfoQueue::PopRetrievalFilter() {
  const std::lock_guard lock(mutex_);
  retrieval_.Pop();
}

UINT InfoQueue::GetRetrievalFilterStackSize() {
  const std::lock_guard lock(mutex_);
  return retrieval_.size();
}

}  // namespace anydml::d3d12
