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
  static constexpr GUID kClassId = d3d12::ClassId(0x13);

  explicit CommandRecorder(Device& device) : DeviceChild(device) {}

  void STDMETHODCALLTYPE RecordDispatch(ID3D12CommandList* list, IDMLDispatchable* dispatchable,
                                        IDMLBindingTable* bindings) override;
};

}  // namespace anydml::directml
