// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DXCore and Direct3D 12 as programs find them: loaded by name, symbol by symbol.
// Nothing of the library is linked.
#pragma once

#include <wsl/winadapter.h>
// winadapter.h first: the headers of Direct3D need its types.
#include <d3d12.h>
#include <d3dx12.h>
#include <dlfcn.h>
#include <dxcore.h>
#include <dxguids/dxguids.h>
#include <wrl/client.h>

namespace anydml::clients {

class LoadedLibrary {
 public:
  explicit LoadedLibrary(const char* name) : handle_(dlopen(name, RTLD_LAZY)) {}
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;
  ~LoadedLibrary() {
    if (handle_ != nullptr) dlclose(handle_);
  }

  bool loaded() const { return handle_ != nullptr; }
  template <typename Function>
  Function* Find(const char* symbol) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle_, symbol));
  }

 private:
  void* handle_;
};

using CreateFactory = HRESULT(REFIID, void**);
using CreateDevice = HRESULT(IUnknown*, D3D_FEATURE_LEVEL, REFIID, void**);
using GetDebugInterface = HRESULT(REFIID, void**);

}  // namespace anydml::clients
