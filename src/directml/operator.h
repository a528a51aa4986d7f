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
  static constexpr GUID kClassId = {
      0x8d1f60b7, 0x3a52, 0x4c1e, {0x91, 0x0c, 0x5b, 0x77, 0x2e, 0x40, 0xa9, 0x13}};

  Operator(Device& device, anydml::Operator op) : DeviceChild(device), op_(std::move(op)) {}

  const anydml::Operator& op() const { return op_; }

 private:
  const anydml::Operator op_;
};

}  // namespace anydml::directml
