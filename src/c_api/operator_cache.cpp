// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/operator_cache.h"

#include "schema/interpreter.h"

namespace anydml::c_api {
namespace {

void Append(std::string& key, const void* data, size_t size) {
  key.append(static_cast<const char*>(data), size);
}

template <typename T>
void Append(std::string& key, T value) {
  Append(key, &value, sizeof value);
}

void AppendTensor(std::string& key, const TensorDesc& tensor) {
  Append(key, tensor.dimension_count);
  Append(key, tensor.data_type);
  Append(key, tensor.flags);
  Append(key, tensor.sizes.data(), tensor.dimension_count * sizeof(uint32_t));
  Append(key, tensor.strides.data(), tensor.dimension_count * sizeof(uint32_t));
  Append(key, tensor.total_bytes);
  Append(key, tensor.base_offset_alignment);
}

// Every value that a description holds. An array of tensors is told from its tensors'
// neighbours by its count, an operator that is fused by its type.
void AppendArguments(std::string& key, const schema::Arguments& arguments) {
  Append(key, arguments.schema().type);
  for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
    const schema::FieldValue& value = arguments.at(i);
    if (arguments.schema().fields[i].is_tensor()) {
      AppendTensor(key, value.tensor);
      continue;
    }
    Append(key, value.count);
    Append(key, value.words.data(), value.count * sizeof(uint32_t));
    for (const TensorDesc& tensor : value.tensors) AppendTensor(key, tensor);
    if (value.description != nullptr) AppendArguments(key, *value.description);
  }
}

// A description, and what the device adds to it. The feature level is left out: it
// decides whether a description is valid, and that was decided before.
std::string KeyOf(const schema::Arguments& arguments, const DeviceOptions& options,
                  CudaOrdinal cuda) {
  std::string key;
  key.reserve(512);
  Append(key, options.exchange_pixel_offsets);
  Append(key, options.threads);
  Append(key, cuda.value_or(-1));
  AppendArguments(key, arguments);
  return key;
}

}  // namespace

Result<std::shared_ptr<const DeviceProgram>> OperatorCache::Get(const Definition& definition,
                                                                schema::Arguments arguments,
                                                                const DeviceOptions& options,
                                                                CudaOrdinal cuda) {
  Status status = schema::Validate(arguments, options.feature_level);
  if (!status.ok()) return status.error();
  return GetValidated(definition, std::move(arguments), options, cuda);
}

Result<std::shared_ptr<const DeviceProgram>> OperatorCache::GetValidated(
    const Definition& definition, schema::Arguments arguments, const DeviceOptions& options,
    CudaOrdinal cuda) {
  std::string key = KeyOf(arguments, options, cuda);
  if (std::shared_ptr<const DeviceProgram> found = Find(key)) return found;
  Result<Operator> op = CreateValidated(definition, std::move(arguments), options);
  if (!op.ok()) return op.error();
  Result<DeviceProgram> compiled = DeviceProgram::Compile(op.value(), cuda);
  if (!compiled.ok()) return compiled.error();
  auto program = std::make_shared<const DeviceProgram>(std::move(compiled).value());
  Insert(std::move(key), program);
  return std::shared_ptr<const DeviceProgram>(program);
}

std::shared_ptr<const DeviceProgram> OperatorCache::Find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->program;
}

void OperatorCache::Insert(std::string key, std::shared_ptr<const DeviceProgram> program) {
  const std::lock_guard lock(mutex_);
  if (by_key_.contains(key)) return;  // another thread was faster; both are equal
  entries_.push_front({std::move(key), std::move(program)});
  try {
    by_key_.emplace(entries_.front().key, entries_.begin());
  } catch (...) {
    entries_.pop_front();  // an entry that cannot be found must not stay
    throw;
  }
  table_bytes_ += entries_.front().program->table_bytes();
  while (entries_.size() > max_entries_ || table_bytes_ > max_table_bytes_) DropLast();
}

void OperatorCache::DropLast() {
  table_bytes_ -= entries_.back().program->table_bytes();
  by_key_.erase(entries_.back().key);
  entries_.pop_back();
}

size_t OperatorCache::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

OperatorCache& OperatorCache::Shared() {
  // Never destroyed: threads may still create operators while the process exits.
  static OperatorCache& cache = *new OperatorCache(256, uint64_t{64} << 20);
  return cache;
}

}  // namespace anydml::c_api
