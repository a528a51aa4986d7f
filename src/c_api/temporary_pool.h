// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Temporary memory of executions that bring none: kept and used again, by any operator
// of the device. No block is kept that is larger than an operator that lives needs, and none
// that is too small once a larger one was needed: a thread keeps one.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "base/result.h"

namespace anydml::c_api {

inline constexpr size_t kTemporaryAlignment = 256;  // DML_TEMPORARY_BUFFER_ALIGNMENT

class TemporaryPool {
 public:
  struct FreeAligned {
    void operator()(void* memory) const;
  };
  struct Block {
    uint64_t bytes = 0;
    std::unique_ptr<void, FreeAligned> memory;
  };

  // Room for all that is kept: returning a block must not fail.
  TemporaryPool() { free_.reserve(kMaxKept + 1); }

  // An operator that needs so many bytes comes, or goes.
  void Expect(uint64_t bytes);
  void Forget(uint64_t bytes);

  // At least so many.
  Result<Block> Take(uint64_t bytes);
  void Return(Block block);

  uint64_t kept_bytes() const;

 private:
  static constexpr size_t kMaxKept = 4;

  void DropWhatNobodyNeeds();

  mutable std::mutex mutex_;
  std::multiset<uint64_t> expected_;
  std::vector<Block> free_;  // the smallest first
};

}  // namespace anydml::c_api
