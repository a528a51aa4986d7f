// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Compiled operators by their whole description: creating an equal operator
// again costs a validation and a look-up. Bounded in entries and in the bytes of
// their tables; the least recently used entry leaves first.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "operators/device_program.h"

namespace anydml::c_api {

class OperatorCache {
 public:
  OperatorCache(size_t max_entries, uint64_t max_table_bytes)
      : max_entries_(max_entries), max_table_bytes_(max_table_bytes) {}

  // Validates for the device, once, then finds or compiles.
  Result<std::shared_ptr<const DeviceProgram>> Get(const Definition& definition,
                                                   schema::Arguments arguments,
                                                   const DeviceOptions& options,
                                                   CudaOrdinal cuda = {});
  // The same of arguments that were validated for the device.
  Result<std::shared_ptr<const DeviceProgram>> GetValidated(const Definition& definition,
                                                            schema::Arguments arguments,
                                                            const DeviceOptions& options,
                                                            CudaOrdinal cuda = {});

  size_t size() const;

  // The process's own.
  static OperatorCache& Shared();

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const DeviceProgram> program;
  };

  std::shared_ptr<const DeviceProgram> Find(const std::string& key);
  void Insert(std::string key, std::shared_ptr<const DeviceProgram> program);
  void DropLast();

  const size_t max_entries_;
  const uint64_t max_table_bytes_;
  mutable std::mutex mutex_;
  uint64_t table_bytes_ = 0;  // of all entries
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_key_;
};

}  // namespace anydml::c_api
