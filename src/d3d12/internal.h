// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What DirectML's objects need of Direct3D 12 beyond its public interfaces: a
// place in a command list for work of their own, and the device's threads,
// messages and removal. Both are reached by QueryInterface, so that a foreign
// ID3D12 object is recognised as such and refused.
#pragma once

#include <wsl/winadapter.h>
// winadapter.h first: d3d12.h needs its IUnknown. dxguids.h last: it attaches
// the identifiers of what was declared before it.
#include <d3d12.h>
#include <dxcore.h>
#include <dxguids/dxguids.h>

#include <memory>
#include <optional>
#include <string_view>

#include "backends/cpu/executor.h"
#include "backends/cuda/runtime.h"
#include "base/result.h"

namespace anydml::d3d12 {

// Where a queue's work runs: on the CPU's threads, or on a stream of a CUDA device,
// which is then the current one.
struct RunContext {
  const cpu::Executor& executor;
  std::optional<int> cuda;
  cuda::Stream stream = nullptr;
};

// One step of a command list. Immutable: a list may be submitted many times, and
// what was submitted outlives the list.
class Work {
 public:
  virtual ~Work() = default;

  // Called by ExecuteCommandLists on the submitting thread. Work that is bound
  // late returns a copy with its bindings fixed; null means: run this one.
  virtual Result<std::shared_ptr<const Work>> Submit() const {
    return std::shared_ptr<const Work>();
  }

  // Called in order on the queue's thread. An error removes the device. On a CUDA
  // device the work is put on the stream, and nobody waits for it here.
  virtual Status Run(const RunContext& context) const = 0;

  // Whether what Run put on a stream before would be the same now.
  virtual bool CanReplay() const { return true; }
};

}  // namespace anydml::d3d12

// The interfaces stand outside of namespaces because WINADAPTER_IID asks for it.

// On every ID3D12GraphicsCommandList of ours.
struct IAnydmlCommandList : public IUnknown {
  // Fails when the list is closed or there is no memory.
  virtual HRESULT STDMETHODCALLTYPE Append(std::shared_ptr<const anydml::d3d12::Work> work) = 0;
};

// On every ID3D12Device of ours.
struct IAnydmlDevice : public IUnknown {
  virtual const anydml::cpu::Executor& STDMETHODCALLTYPE Executor() = 0;
  // The number of a CUDA device; empty for the CPU.
  virtual std::optional<int> STDMETHODCALLTYPE CudaOrdinal() = 0;
  // To the info queue and its callbacks when the debug layer is on, and to
  // standard error when ANYDML_DEBUG=1 asks for it.
  virtual void STDMETHODCALLTYPE Report(D3D12_MESSAGE_SEVERITY severity,
                                        std::string_view sentence) = 0;
  // To standard error alone, when ANYDML_DEBUG=1 asks for it.
  virtual void STDMETHODCALLTYPE Print(std::string_view sentence) = 0;
  // Turns the info queue on for this device, as the debug layer does for all.
  virtual void STDMETHODCALLTYPE EnableMessages() = 0;
  // The first reason stays.
  virtual void STDMETHODCALLTYPE Remove(HRESULT reason, std::string_view sentence) = 0;
};

WINADAPTER_IID(IAnydmlCommandList, 0x6a2f3c51, 0x0d7e, 0x4b1c, 0x9a, 0x55, 0x1e, 0x07, 0x6b, 0x3d,
               0x92, 0xc4)
WINADAPTER_IID(IAnydmlDevice, 0x2b9d7f04, 0x51c8, 0x4e6a, 0x8f, 0x3b, 0xc0, 0x9a, 0x14, 0x7e, 0xd2,
               0x58)
