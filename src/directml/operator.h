// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// IDMLOperator: a validated description, and nothing of the caller's memory.
#pragma once

#include "directml/device.h"

namespace anydml::directml {

class Operator final
    : public DeviceChild<Operator,
                         Serves<IDMLOperator, IDMLObject, IDMLDeviceChild, IDMLOperator>> {
 public:
  static constexpr GUID kClassId = d3d12::ClassId(0x12);

  Operator(Device& device, anydml::Operator op) : DeviceChild(device), op_(std::move(op)) {}

  const anydml::Operator& op() const { return op_; }

 private:
  const anydml::Operator op_;
};

}  // namespace anydml::directml
