// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "prepare.h"

#include <fmt/format.h>

#include "c_api/operator_cache.h"
#include "operators/registry.h"

namespace anydml::tool {
namespace {

uint8_t* Address(model::Model& model, const model::BufferSource& source) {
  return model.resources[source.resource].bytes.data() + source.offset_in_bytes();
}

Result<Prepared> Prepare(model::Model& model, const model::Dispatchable& dispatchable,
                         const std::shared_ptr<c_api::Device>& device) {
  const Definition* definition = FindOperator(dispatchable.arguments.schema().name);
  Result<std::shared_ptr<const CpuProgram>> program =
      c_api::OperatorCache::Shared().Get(*definition, dispatchable.arguments, device->options);
  if (!program.ok()) return program.error();
  Prepared prepared;
  prepared.op = std::make_unique<c_api::BoundOperator>(device, std::move(program).value());
  prepared.owned.resize(dispatchable.arguments.schema().fields.size());
  for (const model::Binding& binding : dispatchable.initialization_bindings) {
    const uint8_t* data = Address(model, binding.source);
    const uint64_t bytes = dispatchable.arguments.tensor(binding.field).total_bytes;
    prepared.owned[binding.field].assign(data, data + bytes);
  }
  return prepared;
}

}  // namespace

Result<std::shared_ptr<c_api::Device>> OpenDevice(const std::string& name, uint32_t threads,
                                                  FeatureLevel level) {
  anydml_device_options options = {};
  options.struct_size = sizeof options;
  options.threads = threads;
  options.feature_level = static_cast<uint32_t>(level);
  options.exchange_pixel_offsets = -1;
  return c_api::OpenDevice(name, &options);
}

Result<std::vector<Prepared>> PrepareAll(model::Model& model,
                                         const std::shared_ptr<c_api::Device>& device) {
  std::vector<Prepared> all;
  for (const model::Dispatchable& dispatchable : model.dispatchables) {
    Result<Prepared> prepared = Prepare(model, dispatchable, device);
    if (!prepared.ok()) {
      return Error{prepared.error().code, fmt::format("dispatchables.{}: {}", dispatchable.name,
                                                      prepared.error().message)};
    }
    all.push_back(std::move(prepared).value());
  }
  return all;
}

Result<BoundDispatch> Bind(model::Model& model, const model::Dispatch& dispatch,
                           Prepared& prepared) {
  BoundDispatch bound;
  bound.addresses.resize(prepared.owned.size(), nullptr);
  for (size_t i = 0; i < bound.addresses.size(); ++i) {
    if (!prepared.owned[i].empty()) bound.addresses[i] = prepared.owned[i].data();
  }
  for (const model::Binding& binding : dispatch.bindings) {
    bound.addresses[binding.field] = Address(model, binding.source);
  }
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  for (size_t field : prepared.op->inputs) inputs.push_back(bound.addresses[field]);
  for (size_t field : prepared.op->outputs) outputs.push_back(bound.addresses[field]);
  Result<Bindings> bindings = c_api::CheckPointers(*prepared.op, inputs.data(), outputs.data());
  if (!bindings.ok()) return bindings.error();
  bound.bindings = bindings.value();
  return bound;
}

}  // namespace anydml::tool
