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
  Result<std::shared_ptr<const DeviceProgram>> program = c_api::OperatorCache::Shared().Get(
      *definition, dispatchable.arguments, device->options, device->cuda);
  if (!program.ok()) return program.error();
  Prepared prepared;
  prepared.op = std::make_unique<c_api::BoundOperator>(device, std::move(program).value());
  prepared.owned.resize(dispatchable.arguments.tensor_numbers());
  for (const model::Binding& binding : dispatchable.initialization_bindings) {
    const uint8_t* data = Address(model, binding.source);
    const uint64_t bytes = dispatchable.arguments.tensor(binding.tensor).total_bytes;
    prepared.owned[binding.tensor].assign(data, data + bytes);
  }
  return prepared;
}

// Finds the addresses of a dispatch's tensors, on the host and on the device.
class Binder {
 public:
  Binder(BoundDispatch& bound, size_t fields) : bound_(bound), device_(fields, nullptr) {
    bound.addresses.resize(fields, nullptr);
  }

  template <typename Bytes>
  void Put(size_t field, Bytes& bytes, uint64_t offset) {
    bound_.addresses[field] = bytes.data() + offset;
    device_[field] = bound_.addresses[field];
    if (!bound_.staging || !status_.ok()) return;
    Result<uint8_t*> copy = bound_.staging->Send(bytes.data(), bytes.size());
    if (!copy.ok()) {
      status_ = copy.error();
      return;
    }
    device_[field] = copy.value() + offset;
  }

  const Status& status() const { return status_; }
  uint8_t* at(size_t field) const { return device_[field]; }

 private:
  BoundDispatch& bound_;
  std::vector<uint8_t*> device_;
  Status status_;
};

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
  if (prepared.op->device->cuda) bound.staging.emplace(*prepared.op->device->cuda);
  Binder binder(bound, prepared.owned.size());
  for (size_t i = 0; i < prepared.owned.size(); ++i) {
    if (!prepared.owned[i].empty()) binder.Put(i, prepared.owned[i], 0);
  }
  for (const model::Binding& binding : dispatch.bindings) {
    binder.Put(binding.tensor, model.resources[binding.source.resource].bytes,
               binding.source.offset_in_bytes());
  }
  if (!binder.status().ok()) return binder.status().error();
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  for (size_t field : prepared.op->inputs) inputs.push_back(binder.at(field));
  for (size_t field : prepared.op->outputs) outputs.push_back(binder.at(field));
  Result<Bindings> bindings = c_api::CheckPointers(*prepared.op, inputs.data(), outputs.data());
  if (!bindings.ok()) return bindings.error();
  bound.bindings = bindings.value();
  return bound;
}

}  // namespace anydml::tool
