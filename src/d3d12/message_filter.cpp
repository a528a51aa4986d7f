// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/message_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace anydml::d3d12 {
namespace {

template <typename T>
void Append(std::vector<T>& list, const T* values, UINT count) {
  list.insert(list.end(), values, values + count);
}

// A number of values, and nothing to read them from.
Status CheckList(const void* values, UINT count, std::string_view pointer,
                 std::string_view number) {
  if (values != nullptr || count == 0) return {};
  return InvalidArgument(fmt::format("{} must not be null, since {} = {}", pointer, number, count));
}

Status Check(const D3D12_INFO_QUEUE_FILTER* filter) {
  if (filter == nullptr) return InvalidArgument("pFilter must not be null");
  const D3D12_INFO_QUEUE_FILTER_DESC &allow = filter->AllowList, &deny = filter->DenyList;
  const Status checks[] = {
      CheckList(allow.pCategoryList, allow.NumCategories, "AllowList.pCategoryList",
                "NumCategories"),
      CheckList(allow.pSeverityList, allow.NumSeverities, "AllowList.pSeverityList",
                "NumSeverities"),
      CheckList(allow.pIDList, allow.NumIDs, "AllowList.pIDList", "NumIDs"),
      CheckList(deny.pCategoryList, deny.NumCategories, "DenyList.pCategoryList", "NumCategories"),
      CheckList(deny.pSeverityList, deny.NumSeverities, "DenyList.pSeverityList", "NumSeverities"),
      CheckList(deny.pIDList, deny.NumIDs, "DenyList.pIDList", "NumIDs")};
  for (const Status& check : checks) {
    if (!check.ok()) return check;
  }
  return {};
}

template <typename T>
bool Holds(const std::vector<T>& list, T value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

template <typename T>
T* CopyTo(const std::vector<T>& list, std::byte*& position) {
  if (list.empty()) return nullptr;
  T* start = reinterpret_cast<T*>(position);
  std::memcpy(start, list.data(), list.size() * sizeof(T));
  position += list.size() * sizeof(T);
  return start;
}

SIZE_T BytesOf(const MessageList& list) {
  static_assert(sizeof(D3D12_MESSAGE_CATEGORY) == 4 && sizeof(D3D12_MESSAGE_ID) == 4);
  return 4 * (list.categories.size() + list.severities.size() + list.ids.size());
}

D3D12_INFO_QUEUE_FILTER_DESC Write(const MessageList& list, std::byte*& position) {
  D3D12_INFO_QUEUE_FILTER_DESC result = {};
  result.NumCategories = static_cast<UINT>(list.categories.size());
  result.pCategoryList = CopyTo(list.categories, position);
  result.NumSeverities = static_cast<UINT>(list.severities.size());
  result.pSeverityList = CopyTo(list.severities, position);
  result.NumIDs = static_cast<UINT>(list.ids.size());
  result.pIDList = CopyTo(list.ids, position);
  return result;
}

}  // namespace

void MessageList::Add(const D3D12_INFO_QUEUE_FILTER_DESC& list) {
  Append(categories, list.pCategoryList, list.NumCategories);
  Append(severities, list.pSeverityList, list.NumSeverities);
  Append(ids, list.pIDList, list.NumIDs);
}

bool MessageList::Contains(const MessageKey& key) const {
  return Holds(categories, key.category) || Holds(severities, key.severity) || Holds(ids, key.id);
}

bool MessageFilter::Passes(const MessageKey& key) const {
  return !deny.Contains(key) && (allow.empty() || allow.Contains(key));
}

Status MessageFilterStack::Add(const D3D12_INFO_QUEUE_FILTER* filter) {
  Status status = Check(filter);
  if (!status.ok()) return status;
  MessageFilter longer = stack_.empty() ? MessageFilter{} : stack_.back();
  longer.allow.Add(filter->AllowList);
  longer.deny.Add(filter->DenyList);
  if (stack_.empty()) stack_.emplace_back();
  std::swap(stack_.back(), longer);
  return {};
}

Status MessageFilterStack::Push(const D3D12_INFO_QUEUE_FILTER* filter) {
  MessageFilterStack pushed;
  Status status = pushed.Add(filter);
  if (status.ok()) stack_.push_back(std::move(pushed.stack_.back()));
  return status;
}

HRESULT MessageFilterStack::Get(D3D12_INFO_QUEUE_FILTER* filter, SIZE_T* bytes) const {
  if (bytes == nullptr) return E_INVALIDARG;
  const MessageFilter none;
  const MessageFilter& top = stack_.empty() ? none : stack_.back();
  const SIZE_T needed = sizeof *filter + BytesOf(top.allow) + BytesOf(top.deny);
  const SIZE_T room = *bytes;
  *bytes = needed;
  if (filter == nullptr) return S_FALSE;
  if (room < needed) return E_INVALIDARG;
  std::byte* position = reinterpret_cast<std::byte*>(filter + 1);
  filter->AllowList = Write(top.allow, position);
  filter->DenyList = Write(top.deny, position);
  return S_OK;
}

}  // namespace anydml::d3d12
