// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/temporary_pool.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace anydml::c_api {
namespace {

using Block = TemporaryPool::Block;

Block Take(TemporaryPool& pool, uint64_t bytes) {
  Result<Block> block = pool.Take(bytes);
  EXPECT_TRUE(block.ok());
  EXPECT_GE(block.value().bytes, bytes);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block.value().memory.get()) % kTemporaryAlignment, 0u);
  return std::move(block).value();
}

// As an operator of its own would.
void Use(TemporaryPool& pool, uint64_t bytes) { pool.Return(Take(pool, bytes)); }

TEST(TemporaryPool, KeepsOneBlockForOperatorsThatTakeTurns) {
  TemporaryPool pool;
  for (uint64_t bytes : {5120u, 4000u, 3000u}) pool.Expect(bytes);
  for (int i = 0; i < 10; ++i) {
    for (uint64_t bytes : {5120u, 4000u, 3000u}) Use(pool, bytes);
  }
  EXPECT_EQ(pool.kept_bytes(), 5120u);
}

// Sizes that grow from call to call, of operators that somebody keeps.
TEST(TemporaryPool, KeepsOneBlockHoweverManyOperatorsLive) {
  TemporaryPool pool;
  std::set<uint64_t> kept;
  for (uint64_t bytes = 10000; bytes < 20000; ++bytes) {
    pool.Expect(bytes);
    Use(pool, bytes);
    kept.insert(pool.kept_bytes());
    EXPECT_LE(pool.kept_bytes(), bytes + bytes / 4);
  }
  EXPECT_LE(kept.size(), 5u);  // 10240, 12288, 14336, 16384, 20480
}

// Of threads that execute at once.
TEST(TemporaryPool, KeepsAtMostFourBlocks) {
  TemporaryPool pool;
  pool.Expect(4096);
  std::vector<Block> blocks;
  for (int i = 0; i < 9; ++i) blocks.push_back(Take(pool, 4096));
  for (Block& block : blocks) pool.Return(std::move(block));
  EXPECT_EQ(pool.kept_bytes(), 4 * 4096u);
}

TEST(TemporaryPool, KeepsNoBlockLargerThanAnOperatorNeeds) {
  TemporaryPool pool;
  pool.Expect(1024);
  pool.Expect(9000);
  Block small = Take(pool, 1024), large = Take(pool, 9000);
  pool.Return(std::move(small));
  pool.Forget(9000);
  pool.Return(std::move(large));  // of an execution that outlived its operator
  EXPECT_EQ(pool.kept_bytes(), 1024u);
  pool.Forget(1024);
  EXPECT_EQ(pool.kept_bytes(), 0u);
}

TEST(TemporaryPool, GivesTheSmallestBlockThatIsLargeEnough) {
  TemporaryPool pool;
  pool.Expect(10240);
  Block a = Take(pool, 10240), b = Take(pool, 2048), c = Take(pool, 512);
  for (Block* block : {&a, &b, &c}) pool.Return(std::move(*block));
  EXPECT_EQ(Take(pool, 1024).bytes, 2048u);
  EXPECT_EQ(Take(pool, 1024).bytes, 10240u);
  EXPECT_EQ(Take(pool, 1024).bytes, 1024u);
}

TEST(TemporaryPool, SaysWhatThereIsNoMemoryFor) {
  TemporaryPool pool;
  const Result<Block> block = pool.Take(uint64_t{1} << 62);
  ASSERT_FALSE(block.ok());
  EXPECT_EQ(block.error().message, "not enough memory for 4611686018427387904 temporary bytes");
}

}  // namespace
}  // namespace anydml::c_api
