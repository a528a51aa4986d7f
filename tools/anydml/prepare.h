// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A model made ready for a device: operators compiled, owned tensors copied,
// bindings turned into addresses. Runs nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "c_api/operator.h"
#include "model/model.h"
#include "schema/feature_level.h"
#include "staging.h"

namespace anydml::tool {

Result<std::shared_ptr<c_api::Device>> OpenDevice(const std::string& name, uint32_t threads,
                                                  FeatureLevel level);

// A dispatchable's operator, and the data that it owns.
struct Prepared {
  std::unique_ptr<c_api::BoundOperator> op;
  std::vector<std::vector<uint8_t>> owned;  // by field; empty where it owns nothing
};

// In the order of model.dispatchables. An error names the dispatchable.
Result<std::vector<Prepared>> PrepareAll(model::Model& model,
                                         const std::shared_ptr<c_api::Device>& device);

struct BoundDispatch {
  std::vector<uint8_t*> addresses;  // of every tensor, by field; null where absent
  Bindings bindings;                // the same, or their copies on the device
  std::optional<Staging> staging;   // on a CUDA device
};

Result<BoundDispatch> Bind(model::Model& model, const model::Dispatch& dispatch,
                           Prepared& prepared);

}  // namespace anydml::tool
