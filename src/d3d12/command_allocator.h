// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12CommandAllocator. Recorded work owns itself here, so an allocator only
// keeps Direct3D 12's rule: one list records at a time.
#pragma once

#include <atomic>

#include "d3d12/object.h"

namespace anydml::d3d12 {

class CommandAllocator final
    : public DeviceChild<CommandAllocator,
                         Serves<ID3D12CommandAllocator, ID3D12Object, ID3D12DeviceChild,
                                ID3D12Pageable, ID3D12CommandAllocator>> {
 public:
  static constexpr GUID kClassId = ClassId(0x06);

  CommandAllocator(Device& device, D3D12_COMMAND_LIST_TYPE type)
      : DeviceChild(device), type_(type) {}

  // Fails while a list records. Submitted work needs no allocator.
  HRESULT STDMETHODCALLTYPE Reset() override;

  D3D12_COMMAND_LIST_TYPE type() const { return type_; }
  // False when another list records.
  bool BeginRecording() { return !recording_.exchange(true); }
  void EndRecording() { recording_ = false; }

 private:
  ~CommandAllocator() override = default;

  const D3D12_COMMAND_LIST_TYPE type_;
  std::atomic<bool> recording_{false};
};

}  // namespace anydml::d3d12
