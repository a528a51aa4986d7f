// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The functions of anydml.h that create operators and tell about them.
#include <directml.h>
#include <fmt/format.h>

#include <algorithm>

#include "c_api/last_error.h"
#include "c_api/operator.h"
#include "c_api/operator_cache.h"
#include "c_api/sized_struct.h"
#include "model/description.h"
#include "operators/registry.h"
#include "schema/interpreter.h"
#include "schema/tensor_bytes.h"

namespace anydml::c_api {
namespace {

Status CheckHandles(const anydml_device* device, anydml_operator** op) {
  if (op == nullptr) return InvalidArgument("the result pointer must not be null");
  *op = nullptr;
  if (device == nullptr) return InvalidArgument("the device must not be null");
  return device->device->CheckFork();
}

Status CreateFrom(const anydml_device& device, const Definition& definition,
                  schema::Arguments arguments, anydml_operator** op) {
  Result<std::shared_ptr<const DeviceProgram>> program = OperatorCache::Shared().Get(
      definition, std::move(arguments), device.device->options, device.device->cuda);
  if (!program.ok()) return program.error();
  *op = new anydml_operator{BoundOperator(device.device, std::move(program).value())};
  return {};
}

// Reads, which also validates; the cache validates once more for those who come
// from text.
Status CreateFrom(const anydml_device& device, const DML_OPERATOR_DESC* desc,
                  anydml_operator** op) {
  const FeatureLevel level = device.device->options.feature_level;
  Result<const Definition*> definition = FindDefinition(desc);
  if (!definition.ok()) return definition.error();
  Result<schema::Arguments> arguments =
      schema::ReadDescription(*definition.value()->schema, desc->Desc, level);
  if (!arguments.ok()) return arguments.error();
  return CreateFrom(device, *definition.value(), std::move(arguments).value(), op);
}

Status CreateFromJson(const anydml_device& device, const char* json, anydml_operator** op) {
  if (json == nullptr) return InvalidArgument("the JSON text must not be null");
  model::Problems problems;
  std::optional<schema::Arguments> arguments =
      model::ReadDescription(std::string_view(json), FindSchema, problems);
  if (!problems.empty()) return problems.front();
  const Definition* definition = FindOperator(arguments->schema().name);
  return CreateFrom(device, *definition, std::move(*arguments), op);
}

Status FillTensorInfo(const anydml_operator* op, const std::vector<size_t>& fields, uint32_t index,
                      anydml_tensor_info* info) {
  if (index >= fields.size()) {
    return InvalidArgument(fmt::format("tensor {} of {} does not exist", index, fields.size()));
  }
  const schema::Arguments& arguments = op->op.program->arguments();
  const TensorDesc& tensor = arguments.tensor(fields[index]);
  anydml_tensor_info filled = {};
  filled.name = arguments.schema().fields[fields[index]].name.data();
  filled.is_present = tensor.present() ? 1 : 0;
  filled.data_type = static_cast<uint32_t>(tensor.data_type);
  filled.dimension_count = tensor.dimension_count;
  std::copy_n(tensor.sizes.begin(), tensor.dimension_count, filled.sizes);
  std::copy_n(tensor.strides.begin(), tensor.dimension_count, filled.strides);
  filled.total_bytes = tensor.total_bytes;
  filled.may_be_overwritten = arguments.schema().in_place.Contains(fields[index]) ? 1 : 0;
  return CopyOut(filled, "anydml_tensor_info", info);
}

}  // namespace
}  // namespace anydml::c_api

using anydml::InvalidArgument;
using anydml::Status;
using namespace anydml::c_api;  // NOLINT: this file implements its public face

const char* anydml_version(void) { return ANYDML_VERSION; }

anydml_status anydml_tensor_bytes(uint32_t data_type, uint32_t dimension_count,
                                  const uint32_t* sizes, const uint32_t* strides, uint64_t* bytes) {
  return Guard([&]() -> Status {
    if (sizes == nullptr || bytes == nullptr) {
      return InvalidArgument("sizes and bytes must not be null");
    }
    return anydml::TensorBytes(static_cast<anydml::DataType>(data_type), dimension_count, sizes,
                               strides, *bytes);
  });
}

anydml_status anydml_create_operator(anydml_device* device, const DML_OPERATOR_DESC* desc,
                                     anydml_operator** op) {
  return Guard([&]() -> Status {
    Status status = CheckHandles(device, op);
    return status.ok() ? CreateFrom(*device, desc, op) : status;
  });
}

anydml_status anydml_create_operator_from_json(anydml_device* device, const char* json,
                                               anydml_operator** op) {
  return Guard([&]() -> Status {
    Status status = CheckHandles(device, op);
    return status.ok() ? CreateFromJson(*device, json, op) : status;
  });
}

void anydml_release_operator(anydml_operator* op) {
  GuardRelease([op] { delete op; });
}

anydml_status anydml_get_operator_info(const anydml_operator* op, anydml_operator_info* info) {
  return Guard([&]() -> Status {
    if (op == nullptr) return InvalidArgument("the operator must not be null");
    const anydml::DeviceProgram& program = *op->op.program;
    anydml_operator_info filled = {};
    filled.name = program.op().definition->schema->name.data();
    filled.type = program.op().definition->schema->type;
    filled.input_count = static_cast<uint32_t>(op->op.inputs.size());
    filled.output_count = static_cast<uint32_t>(op->op.outputs.size());
    filled.temporary_bytes = program.temporary_bytes();
    filled.strategy = program.strategy().data();
    filled.table_bytes = program.table_bytes();
    return CopyOut(filled, "anydml_operator_info", info);
  });
}

anydml_status anydml_get_input_info(const anydml_operator* op, uint32_t index,
                                    anydml_tensor_info* info) {
  return Guard([&]() -> Status {
    if (op == nullptr) return InvalidArgument("the operator must not be null");
    return FillTensorInfo(op, op->op.inputs, index, info);
  });
}

anydml_status anydml_get_output_info(const anydml_operator* op, uint32_t index,
                                     anydml_tensor_info* info) {
  return Guard([&]() -> Status {
    if (op == nullptr) return InvalidArgument("the operator must not be null");
    return FillTensorInfo(op, op->op.outputs, index, info);
  });
}
