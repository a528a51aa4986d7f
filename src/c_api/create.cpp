// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The functions of anydml.h that create operators and tell about them.
#include <directml.h>
#include <fmt/format.h>

#include "c_api/last_error.h"
#include "c_api/operator.h"
#include "c_api/operator_cache.h"
#include "c_api/sized_struct.h"
#include "c_api/tensor_info.h"
#include "model/description.h"
#include "operators/registry.h"
#include "schema/interpreter.h"
#include "schema/output_tensors.h"
#include "schema/tensor_bytes.h"

namespace anydml::c_api {
namespace {

Status CheckHandles(const anydml_device* device, anydml_operator** op) {
  if (op == nullptr) return InvalidArgument("the result pointer must not be null");
  *op = nullptr;
  if (device == nullptr) return InvalidArgument("the device must not be null");
  return device->device->CheckFork();
}

Status CreateFrom(const anydml_device& device, Result<std::shared_ptr<const DeviceProgram>> program,
                  anydml_operator** op) {
  if (!program.ok()) return program.error();
  *op = new anydml_operator{BoundOperator(device.device, std::move(program).value())};
  return {};
}

// Reads, which also validates.
Status CreateFrom(const anydml_device& device, const DML_OPERATOR_DESC* desc,
                  anydml_operator** op) {
  const FeatureLevel level = device.device->options.feature_level;
  Result<const Definition*> definition = FindDefinition(desc);
  if (!definition.ok()) return definition.error();
  Result<schema::Arguments> arguments = schema::ReadDescription(
      *definition.value()->schema, desc->Desc, level, schema::AbsentOutputs::kInferred);
  if (!arguments.ok()) return arguments.error();
  return CreateFrom(
      device,
      OperatorCache::Shared().GetValidated(*definition.value(), std::move(arguments).value(),
                                           device.device->options, device.device->cuda),
      op);
}

Result<schema::Arguments> ReadJson(const char* json) {
  if (json == nullptr) return InvalidArgument("the JSON text must not be null");
  model::Problems problems;
  std::optional<schema::Arguments> arguments =
      model::ReadDescription(std::string_view(json), FindSchema, problems);
  if (!problems.empty()) return problems.front();
  return *std::move(arguments);
}

Status CreateFromJson(const anydml_device& device, const char* json, anydml_operator** op) {
  Result<schema::Arguments> arguments = ReadJson(json);
  if (!arguments.ok()) return arguments.error();
  const Definition* definition = FindOperator(arguments.value().schema().name);
  return CreateFrom(device,
                    OperatorCache::Shared().Get(*definition, std::move(arguments).value(),
                                                device.device->options, device.device->cuda),
                    op);
}

// `numbers` are those of the inputs or of the outputs.
Status FillTensorInfo(const schema::Arguments& arguments, const std::vector<size_t>& numbers,
                      uint32_t index, anydml_tensor_info* info) {
  if (index >= numbers.size()) {
    return InvalidArgument(fmt::format("tensor {} of {} does not exist", index, numbers.size()));
  }
  const TensorDesc& tensor = arguments.tensor(numbers[index]);
  const size_t field = arguments.FieldOf(numbers[index]);
  return CopyOut(InfoOf(tensor, arguments.schema().fields[field].name.data(),
                        anydml::MayBeOverwritten(arguments, numbers[index])),
                 "anydml_tensor_info", info);
}

// The same of a graph.
Status FillTensorInfo(const std::vector<GraphTensor>& tensors, uint32_t index,
                      anydml_tensor_info* info) {
  if (index >= tensors.size()) {
    return InvalidArgument(fmt::format("tensor {} of {} does not exist", index, tensors.size()));
  }
  const GraphTensor& tensor = tensors[index];
  anydml_tensor_info filled = InfoOf(tensor.tensor, tensor.name.c_str(), tensor.may_be_overwritten);
  filled.is_present = tensor.is_used ? 1 : 0;
  return CopyOut(filled, "anydml_tensor_info", info);
}

anydml_operator_info InfoOf(const BoundOperator& op) {
  anydml_operator_info filled = {};
  filled.temporary_bytes = op.temporary_bytes();
  if (op.graph != nullptr) {
    filled.name = "graph";
    filled.input_count = static_cast<uint32_t>(op.graph->inputs.size());
    filled.output_count = static_cast<uint32_t>(op.graph->outputs.size());
    filled.strategy = op.graph->strategy.c_str();
    filled.table_bytes = op.graph->table_bytes;
    return filled;
  }
  filled.name = op.program->op().definition->schema->name.data();
  filled.type = op.program->op().definition->schema->type;
  filled.input_count = static_cast<uint32_t>(op.inputs.size());
  filled.output_count = static_cast<uint32_t>(op.outputs.size());
  filled.strategy = op.program->strategy().data();
  filled.table_bytes = op.program->table_bytes();
  return filled;
}

// Absent optional outputs as they would be: that is what a caller wants to know.
Status DescribeOutput(const char* json, uint32_t index, anydml_tensor_info* info) {
  Result<schema::Arguments> read = ReadJson(json);
  if (!read.ok()) return read.error();
  schema::Arguments& arguments = read.value();
  schema::Problems problems = schema::FindTensorProblems(arguments, kNewestFeatureLevel);
  if (problems.empty()) problems = schema::FindTableProblems(arguments);
  if (!problems.empty()) return problems.front();
  Result<std::vector<TensorDesc>> inferred = schema::OutputTensors(arguments);
  if (!inferred.ok()) return inferred.error();
  const std::vector<size_t> outputs = arguments.outputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    TensorDesc& tensor = arguments.tensor(outputs[i]);
    if (!tensor.present()) tensor = inferred.value()[i];
  }
  return FillTensorInfo(arguments, outputs, index, info);
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

anydml_status anydml_describe_output(const char* json, uint32_t index, anydml_tensor_info* info) {
  return Guard([&] { return DescribeOutput(json, index, info); });
}

void anydml_release_operator(anydml_operator* op) {
  GuardRelease([op] { delete op; });
}

anydml_status anydml_get_operator_info(const anydml_operator* op, anydml_operator_info* info) {
  return Guard([&]() -> Status {
    if (op == nullptr) return InvalidArgument("the operator must not be null");
    return CopyOut(InfoOf(op->op), "anydml_operator_info", info);
  });
}

anydml_status anydml_get_input_info(const anydml_operator* op, uint32_t index,
                                    anydml_tensor_info* info) {
  return Guard([&]() -> Status {
    if (op == nullptr) return InvalidArgument("the operator must not be null");
    if (op->op.graph != nullptr) return FillTensorInfo(op->op.graph->inputs, index, info);
    return FillTensorInfo(op->op.program->arguments(), op->op.inputs, index, info);
  });
}

anydml_status anydml_get_output_info(const anydml_operator* op, uint32_t index,
                                     anydml_tensor_info* info) {
  return Guard([&]() -> Status {
    if (op == nullptr) return InvalidArgument("the operator must not be null");
    if (op->op.graph != nullptr) return FillTensorInfo(op->op.graph->outputs, index, info);
    return FillTensorInfo(op->op.program->arguments(), op->op.outputs, index, info);
  });
}
