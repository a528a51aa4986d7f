// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The data that a program attaches to an object, by identifier. Thread-safe; AddRef and
// Release of an interface, which are the program's, are called without the lock. Throws
// bad_alloc, and what an AddRef throws.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "d3d12/com.h"

namespace anydml::d3d12 {

class PrivateData {
 public:
  // A null `data` asks for the size. An interface is handed out with a reference.
  HRESULT Get(REFGUID guid, UINT* size, void* data);
  // Null data and size 0 remove the entry.
  HRESULT Set(REFGUID guid, UINT size, const void* data);
  HRESULT SetInterface(REFGUID guid, const IUnknown* data);
  // The same as Set with WKPDID_D3DDebugObjectNameW; null removes the name.
  HRESULT SetName(const wchar_t* name);

  // What a failure of these means.
  static std::string_view Explain(HRESULT code);

 private:
  struct Entry {
    GUID guid;
    std::vector<std::byte> bytes;
    std::shared_ptr<IUnknown> object;  // with one reference
  };
  void Store(Entry entry);

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace anydml::d3d12
