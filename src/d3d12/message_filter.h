// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A stack of D3D12_INFO_QUEUE_FILTER: the topmost decides which messages pass.
#pragma once

#include <vector>

#include "d3d12/internal.h"

namespace anydml::d3d12 {

struct MessageKey {
  D3D12_MESSAGE_CATEGORY category;
  D3D12_MESSAGE_SEVERITY severity;
  D3D12_MESSAGE_ID id;
};

// One of the two lists of a filter, with its own memory.
struct MessageList {
  std::vector<D3D12_MESSAGE_CATEGORY> categories;
  std::vector<D3D12_MESSAGE_SEVERITY> severities;
  std::vector<D3D12_MESSAGE_ID> ids;

  void Add(const D3D12_INFO_QUEUE_FILTER_DESC& list);
  bool empty() const { return categories.empty() && severities.empty() && ids.empty(); }
  bool Contains(const MessageKey& key) const;
};

struct MessageFilter {
  MessageList allow;
  MessageList deny;
  // What is denied does not pass; with an allow list, only what is on it does.
  bool Passes(const MessageKey& key) const;
};

class MessageFilterStack {
 public:
  bool Passes(const MessageKey& key) const { return stack_.empty() || stack_.back().Passes(key); }
  // Refuse a null filter, and a null list of some length. All that add something throw
  // bad_alloc, and leave the stack as it was then.
  Status Add(const D3D12_INFO_QUEUE_FILTER* filter);
  Status Push(const D3D12_INFO_QUEUE_FILTER* filter);
  void PushEmpty() { stack_.emplace_back(); }
  void PushCopy() { stack_.push_back(stack_.empty() ? MessageFilter{} : stack_.back()); }
  void Pop() {
    if (!stack_.empty()) stack_.pop_back();
  }
  UINT size() const { return static_cast<UINT>(stack_.size()); }
  // Writes the topmost filter and, behind it, its lists. A null filter asks for
  // the number of bytes.
  HRESULT Get(D3D12_INFO_QUEUE_FILTER* filter, SIZE_T* bytes) const;

 private:
  std::vector<MessageFilter> stack_;
};

}  // namespace anydml::d3d12
