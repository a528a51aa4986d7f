// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The base of every COM object: reference counts, QueryInterface over a list of
// interfaces, and the border that no exception crosses. Knows no Direct3D.
#pragma once

#include <wsl/winadapter.h>
// winadapter.h first: client.h needs its types.
#include <wrl/client.h>

#include <atomic>
#include <new>
#include <utility>

#include "base/last_error.h"
#include "base/result.h"

namespace anydml::d3d12 {

using Microsoft::WRL::ComPtr;

inline HRESULT ToHresult(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return E_INVALIDARG;
    case ErrorCode::kUnsupported:
      return DXGI_ERROR_UNSUPPORTED;
    case ErrorCode::kOutOfMemory:
      return E_OUTOFMEMORY;
    case ErrorCode::kInternal:
      break;
  }
  return DXGI_ERROR_DRIVER_INTERNAL_ERROR;
}

// A base class of an object, and the interfaces that a pointer to it serves: the
// chain from IUnknown's first heir to the newest.
template <typename Base, typename... Interfaces>
struct Serves {
  using Class = Base;
  static bool Contains(REFIID riid) { return ((riid == __uuidof(Interfaces)) || ...); }
};

// Starts with one reference, which belongs to the creator.
template <typename First, typename... Others>
class ComObject : public First::Class, public Others::Class... {
 public:
  ComObject(const ComObject&) = delete;
  ComObject& operator=(const ComObject&) = delete;

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) final {
    if (object == nullptr) return E_POINTER;
    *object = Find(riid);
    if (*object == nullptr) return E_NOINTERFACE;
    AddRef();
    return S_OK;
  }

  ULONG STDMETHODCALLTYPE AddRef() final {
    return references_.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  ULONG STDMETHODCALLTYPE Release() final {
    const ULONG left = references_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (left == 0) delete this;
    return left;
  }

  // For those who know of an object without owning it: false when it is dying.
  bool TryAddRef() {
    ULONG count = references_.load(std::memory_order_relaxed);
    while (count != 0) {
      if (references_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

 protected:
  ComObject() = default;
  virtual ~ComObject() = default;

  // Interfaces beyond the lists: class identifiers, parts with a vtable of their own.
  virtual void* FindOther(REFIID) { return nullptr; }

 private:
  void* Find(REFIID riid) {
    if (riid == __uuidof(IUnknown) || First::Contains(riid)) {
      return static_cast<typename First::Class*>(this);
    }
    void* found = nullptr;
    static_cast<void>(
        ((Others::Contains(riid) && (found = static_cast<typename Others::Class*>(this))) || ...));
    return found != nullptr ? found : FindOther(riid);
  }

  std::atomic<ULONG> references_{1};
};

// Runs the body of a method: what it throws becomes an HRESULT.
template <typename Body>
HRESULT Guard(Body&& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    SetLastError("not enough memory");
    return E_OUTOFMEMORY;
  } catch (...) {
    SetLastError("an unexpected exception");
    return E_FAIL;
  }
}

// Makes a T and hands out its interface `riid`. A null `result` asks only
// whether the object could be made: S_FALSE, as Direct3D 12 answers. Throws
// bad_alloc.
template <typename T, typename... Arguments>
HRESULT CreateObject(REFIID riid, void** result, Arguments&&... arguments) {
  if (result != nullptr) *result = nullptr;
  ComPtr<T> object;
  object.Attach(new T(std::forward<Arguments>(arguments)...));
  void* found = nullptr;
  const HRESULT supported = object->QueryInterface(riid, &found);
  if (FAILED(supported)) return supported;
  if (result == nullptr) {
    object->Release();
    return S_FALSE;
  }
  *result = found;
  return S_OK;
}

// The T behind an interface pointer; null when the object is null or not ours.
// T::kClassId is an identifier that only T's FindOther knows.
template <typename T>
ComPtr<T> As(IUnknown* object) {
  ComPtr<T> ours;
  void* found = nullptr;
  if (object != nullptr && SUCCEEDED(object->QueryInterface(T::kClassId, &found))) {
    ours.Attach(static_cast<T*>(found));
  }
  return ours;
}

}  // namespace anydml::d3d12
