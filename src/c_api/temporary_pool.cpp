// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/temporary_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "base/aligned_memory.h"

namespace anydml::c_api {

void TemporaryPool::FreeAligned::operator()(void* memory) const { std::free(memory); }

void TemporaryPool::Expect(uint64_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard lock(mutex_);
  expected_.insert(bytes);
}

void TemporaryPool::Forget(uint64_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard lock(mutex_);
  expected_.erase(expected_.find(bytes));
  DropWhatNobodyNeeds();
}

namespace {

// The next quarter of a power of two, so that sizes that vary a little use the same blocks.
uint64_t SizeClass(uint64_t bytes) {
  const uint64_t quarter = std::bit_floor(std::max<uint64_t>(bytes, 4 * kTemporaryAlignment)) / 4;
  return CheckedRoundUp(bytes, quarter).value_or(bytes);
}

}  // namespace

Result<TemporaryPool::Block> TemporaryPool::Take(uint64_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::ranges::find_if(free_, [&](const Block& b) { return b.bytes >= bytes; });
    if (found != free_.end()) {
      Block block = std::move(*found);
      free_.erase(found);
      return block;
    }
    free_.clear();  // the new block takes their place
  }
  const uint64_t size = SizeClass(bytes);
  Block block = {size, {AllocateAligned(size, kTemporaryAlignment), {}}};
  if (block.memory == nullptr) {
    return OutOfMemory(fmt::format("not enough memory for {} temporary bytes", bytes));
  }
  return block;
}

void TemporaryPool::Return(Block block) {
  const std::lock_guard lock(mutex_);
  const auto place = std::ranges::upper_bound(free_, block.bytes, {}, &Block::bytes);
  free_.insert(place, std::move(block));
  DropWhatNobodyNeeds();
}

// Large blocks serve small needs too, so of too many the smallest goes.
void TemporaryPool::DropWhatNobodyNeeds() {
  const uint64_t most = expected_.empty() ? 0 : SizeClass(*expected_.rbegin());
  while (!free_.empty() && free_.back().bytes > most) free_.pop_back();
  if (free_.size() > kMaxKept) free_.erase(free_.begin());
}

uint64_t TemporaryPool::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  uint64_t bytes = 0;
  for (const Block& block : free_) bytes += block.bytes;
  return bytes;
}

}  // namespace anydml::c_api
