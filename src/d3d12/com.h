// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The base of every COM object: reference counts, QueryInterface over a list of
// interfaces, and the border that no exception crosses and no failure without a
// sentence, and where a process that was lost in a fork is stopped. Knows no Direct3D.
#pragma once

#include <wsl/winadapter.h>
// winadapter.h first: client.h needs its types.
#include <wrl/client.h>

#include <atomic>
#include <new>
#include <string_view>
#include <utility>

#include "backends/cpu/forks.h"
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
    case ErrorCode::kDeviceLost:
      return DXGI_ERROR_DEVICE_REMOVED;
    case ErrorCode::kInternal:
      break;
  }
  return DXGI_ERROR_DRIVER_INTERNAL_ERROR;
}

// "method: reason" as the thread's last error; returns `code`. For what has no
// device to tell.
inline HRESULT SetError(HRESULT code, std::string_view method, std::string_view reason) noexcept {
  SetLastError({method, ": ", reason});
  return code;
}

// In a process that was lost in a fork every device counts as removed.
inline HRESULT SetLostInFork(std::string_view method) noexcept {
  return SetError(DXGI_ERROR_DEVICE_REMOVED, method, cpu::kLostInFork);
}

inline constexpr std::string_view kNoInterface = "riid is no interface of the object";
inline constexpr std::string_view kNullResult = "the result pointer must not be null";

// How the library knows its own objects from foreign ones: an identifier that
// only the class with this number answers to.
constexpr GUID ClassId(uint8_t number) {
  return {0x0b6c1d3a, 0x7f21, 0x4c55, {0x8a, 0x10, 0x61, 0x5e, 0x0d, 0x3b, 0x24, number}};
}
inline bool IsClassId(REFIID riid) { return riid == ClassId(riid.Data4[7]); }

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
    const HRESULT result = Provide(riid, object);
    if (SUCCEEDED(result) || IsClassId(riid)) return result;
    return Complain(result, "QueryInterface", object == nullptr ? kNullResult : kNoInterface);
  }

  bool Has(REFIID riid) { return Find(riid) != nullptr; }

  // The same before there is an object, for the interfaces of the lists.
  static bool CanProvide(REFIID riid) {
    return riid == __uuidof(IUnknown) || First::Contains(riid) || (Others::Contains(riid) || ...);
  }

  // QueryInterface without a word, for methods that complain in their own name.
  HRESULT Provide(REFIID riid, void** object) {
    if (object == nullptr) return E_POINTER;
    *object = Find(riid);
    if (*object == nullptr) return E_NOINTERFACE;
    AddRef();
    return S_OK;
  }

  // The same in the name of `method`.
  HRESULT Provide(std::string_view method, REFIID riid, void** object) {
    const HRESULT result = Provide(riid, object);
    if (SUCCEEDED(result)) return result;
    return Complain(result, method, object == nullptr ? kNullResult : kNoInterface);
  }

  ULONG STDMETHODCALLTYPE AddRef() final {
    return references_.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  ULONG STDMETHODCALLTYPE Release() final {
    const ULONG left = references_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    // A process that was lost in a fork keeps it: its destructor may meet locks that
    // nobody opens.
    if (left == 0 && !cpu::IsLostInFork()) {
      const cpu::InsideLibrary inside;
      delete this;
    }
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

  // Tells the caller in a sentence, "method: reason", why a method returns `code`.
  HRESULT Complain(HRESULT code, std::string_view method, std::string_view reason) noexcept {
    SetError(code, method, reason);
    ReportComplaint(code, LastErrorOfThread());
    return code;
  }

  // Runs the body of a method: what it throws becomes an HRESULT.
  template <typename Body>
  HRESULT Call(std::string_view method, Body&& body) noexcept {
    if (cpu::IsLostInFork()) return SetLostInFork(method);
    const cpu::InsideLibrary inside;
    try {
      return body();
    } catch (const std::bad_alloc&) {
      return Complain(E_OUTOFMEMORY, method, "not enough memory");
    } catch (...) {
      return Complain(E_FAIL, method, "an unexpected exception");
    }
  }

  // Sends a complaint to the debug output, where there is one.
  virtual void ReportComplaint(HRESULT, std::string_view) noexcept {}

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

// Runs the body of a function: what it throws becomes an HRESULT.
template <typename Body>
HRESULT Guard(std::string_view function, Body&& body) noexcept {
  if (cpu::IsLostInFork()) return SetLostInFork(function);
  const cpu::InsideLibrary inside;
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return SetError(E_OUTOFMEMORY, function, "not enough memory");
  } catch (...) {
    return SetError(E_FAIL, function, "an unexpected exception");
  }
}

// The same for one that returns something else, and throws nothing: `otherwise` in a
// process that was lost in a fork.
template <typename T, typename Body>
T Inside(T otherwise, Body&& body) noexcept {
  if (cpu::IsLostInFork()) return otherwise;
  const cpu::InsideLibrary inside;
  return body();
}

// The answer to a null result pointer: whether a T would have the interface.
template <typename T>
HRESULT CouldProvide(REFIID riid) {
  return T::CanProvide(riid) ? S_FALSE : E_NOINTERFACE;
}

// Makes a T and hands out its interface `riid`. A null `result` asks only
// whether the object could be made: S_FALSE, as Direct3D 12 answers. Throws
// bad_alloc; its caller has the words for a wrong `riid`.
template <typename T, typename... Arguments>
HRESULT CreateObject(REFIID riid, void** result, Arguments&&... arguments) {
  if (result != nullptr) *result = nullptr;
  ComPtr<T> object;
  object.Attach(new T(std::forward<Arguments>(arguments)...));
  if (result == nullptr) return object->Has(riid) ? S_FALSE : E_NOINTERFACE;
  return object->Provide(riid, result);
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
