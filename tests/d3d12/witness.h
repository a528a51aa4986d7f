// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a program attaches to objects, to see who holds it.
#pragma once

#include "d3d12/fixture.h"

namespace anydml::d3d12 {

// A program's own object, which counts who holds it, the program included, and takes no
// memory; so whoever holds it too long is no crash.
class Witness final : public IUnknown {
 public:
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void** object) override {
    *object = nullptr;
    return E_NOINTERFACE;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return ++references; }
  ULONG STDMETHODCALLTYPE Release() override { return --references; }

  ULONG references = 1;
};

}  // namespace anydml::d3d12
