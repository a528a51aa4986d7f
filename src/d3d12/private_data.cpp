// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/private_data.h"

#include <algorithm>
#include <cstring>
#include <cwchar>

namespace anydml::d3d12 {
namespace {

// WKPDID_D3DDebugObjectNameW; the header only declares it.
constexpr GUID kObjectName = {
    0x4cca5fd8, 0x921f, 0x42c8, {0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41}};

// Where a reference ends nobody can be told of an exception.
void ReleaseQuietly(IUnknown* object) noexcept {
  try {
    object->Release();
  } catch (...) {
  }
}

std::shared_ptr<IUnknown> Hold(IUnknown* object) {
  if (object == nullptr) return nullptr;
  object->AddRef();
  return std::shared_ptr<IUnknown>(object, ReleaseQuietly);
}

}  // namespace

HRESULT PrivateData::Get(REFGUID guid, UINT* size, void* data) {
  if (size == nullptr) return E_INVALIDARG;
  std::shared_ptr<IUnknown> object;  // released after the lock
  const UINT room = *size;
  *size = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.guid == guid; });
    if (entry == entries_.end()) return DXGI_ERROR_NOT_FOUND;
    object = entry->object;
    // The data of an interface is the pointer to it.
    *size = static_cast<UINT>(object != nullptr ? sizeof(IUnknown*) : entry->bytes.size());
    if (data == nullptr) return S_OK;
    if (room < *size) return DXGI_ERROR_MORE_DATA;
    if (object == nullptr) {
      std::memcpy(data, entry->bytes.data(), entry->bytes.size());
      return S_OK;
    }
  }
  IUnknown* const found = object.get();
  found->AddRef();
  std::memcpy(data, &found, sizeof(IUnknown*));  // NOLINT(bugprone-sizeof-expression)
  return S_OK;
}

HRESULT PrivateData::Set(REFGUID guid, UINT size, const void* data) {
  if (data == nullptr && size != 0) return E_INVALIDARG;
  const auto* bytes = static_cast<const std::byte*>(data);
  Store({guid, std::vector<std::byte>(bytes, bytes + size), nullptr});
  return S_OK;
}

HRESULT PrivateData::SetInterface(REFGUID guid, const IUnknown* data) {
  Store({guid, {}, Hold(const_cast<IUnknown*>(data))});
  return S_OK;
}

HRESULT PrivateData::SetName(const wchar_t* name) {
  const size_t bytes = name == nullptr ? 0 : (std::wcslen(name) + 1) * sizeof(wchar_t);
  if (bytes > UINT32_MAX) return E_INVALIDARG;
  return Set(kObjectName, static_cast<UINT>(bytes), name);
}

std::string_view PrivateData::Explain(HRESULT code) {
  switch (code) {
    case DXGI_ERROR_NOT_FOUND:
      return "there is no data of this identifier";
    case DXGI_ERROR_MORE_DATA:
      return "the data is larger than *pDataSize, which now says how large";
    default:
      return "the pointer to the size, or to data of some size, must not be null, and a name must "
             "be smaller than 4 GiB";
  }
}

void PrivateData::Store(Entry entry) {
  Entry replaced;  // destroyed after the lock: a program's Release may call back
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& old) { return old.guid == entry.guid; });
  const bool removes = entry.bytes.empty() && entry.object == nullptr;
  if (found != entries_.end()) {
    replaced = std::move(*found);
    if (removes) {
      entries_.erase(found);
    } else {
      *found = std::move(entry);
    }
  } else if (!removes) {
    entries_.push_back(std::move(entry));
  }
}

}  // namespace anydml::d3d12
