// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// IDMLCommandRecorder: stateless, hence usable from any thread.
#pragma once

#include "directml/device.h"

namespace anydml::directml {

class CommandRecorder final
    : public DeviceChild<CommandRecorder, Serves<IDMLCommandRecorder, IDMLObject, IDMLDeviceChild,
                                                 IDMLCommandRecorder>> {
 public:
  static constexpr GUID kClassId = {
      0x94c5f1a0, 0x6e2b, 0x4d13, {0x87, 0xf8, 0x2c, 0x60, 0xb9, 0x0d, 0x41, 0xe5}};

  explicit CommandRecorder(Device& device) : DeviceChild(device) {}

  void STDMETHODCALLTYPE RecordDispatch(ID3D12CommandList* list, IDMLDispatchable* dispatchable,
                                        IDMLBindingTable* bindings) override;
};

}  // namespace anydml::directml
