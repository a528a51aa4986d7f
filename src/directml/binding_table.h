// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// IDMLBindingTable: what is bound to one dispatchable. Not thread-safe, as
// documented.
#pragma once

#include "directml/dispatch_work.h"

namespace anydml::directml {

// The dispatchable of a table's description; none for a null description.
Result<Dispatchable> ReadTarget(const Device& device, const DML_BINDING_TABLE_DESC* desc);

class BindingTable final
    : public DeviceChild<BindingTable,
                         Serves<IDMLBindingTable, IDMLObject, IDMLDeviceChild, IDMLBindingTable>> {
 public:
  static constexpr GUID kClassId = d3d12::ClassId(0x11);

  BindingTable(Device& device, Dispatchable target)
      : DeviceChild(device), target_(std::move(target)), bound_(std::make_shared<BoundRanges>()) {}

  void STDMETHODCALLTYPE BindInputs(UINT count, const DML_BINDING_DESC* bindings) override;
  void STDMETHODCALLTYPE BindOutputs(UINT count, const DML_BINDING_DESC* bindings) override;
  void STDMETHODCALLTYPE BindTemporaryResource(const DML_BINDING_DESC* binding) override;
  void STDMETHODCALLTYPE BindPersistentResource(const DML_BINDING_DESC* binding) override;
  HRESULT STDMETHODCALLTYPE Reset(const DML_BINDING_TABLE_DESC* desc) override;

  const Dispatchable& target() const { return target_; }
  // Work for the target as it is bound now, or will be bound at submission.
  Result<WorkPointer> MakeWork() const;

 private:
  Status CheckTarget() const;
  Status SetInputs(UINT count, const DML_BINDING_DESC* bindings);
  Status SetOutputs(UINT count, const DML_BINDING_DESC* bindings);

  Dispatchable target_;
  // Shared with work that is bound late; a reset table leaves it what it had
  // and starts with a new one (D11).
  std::shared_ptr<BoundRanges> bound_;
};

}  // namespace anydml::directml
