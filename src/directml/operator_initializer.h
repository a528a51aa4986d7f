// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// IDMLOperatorInitializer: a list of compiled operators to be made ready.
#pragma once

#include <vector>

#include "directml/compiled_operator.h"

namespace anydml::directml {

using OperatorList = std::vector<ComPtr<CompiledOperator>>;

// A null array is an empty list.
Result<OperatorList> ReadOperators(const Device& device, UINT count,
                                   IDMLCompiledOperator* const* operators);

class OperatorInitializer final
    : public DeviceChild<OperatorInitializer,
                         Serves<IDMLOperatorInitializer, IDMLObject, IDMLDeviceChild, IDMLPageable,
                                IDMLDispatchable, IDMLOperatorInitializer>> {
 public:
  static constexpr GUID kClassId = d3d12::ClassId(0x15);

  OperatorInitializer(Device& device, OperatorList operators)
      : DeviceChild(device), operators_(std::move(operators)) {}

  DML_BINDING_PROPERTIES STDMETHODCALLTYPE GetBindingProperties() override { return {1, 0, 0}; }
  HRESULT STDMETHODCALLTYPE Reset(UINT count, IDMLCompiledOperator* const* operators) override;

  const OperatorList& operators() const { return operators_; }
  // How often it was reset: bindings made for other operators are recognised.
  uint64_t generation() const { return generation_; }

 private:
  OperatorList operators_;
  uint64_t generation_ = 0;
};

}  // namespace anydml::directml
