// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/temporary_pool.h"

#include <gtest/gtest.h>

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
  for (uint64_t bytes : {5000u, 4000u, 3000u}) pool.Expect(bytes);
  for (int i = 0; i < 10; ++i) {
    for (uint64_t bytes : {5000u, 4000u, 3000u}) Use(pool, bytes);
  }
  EXPECT_EQ(pool.kept_bytes(), 5000u);
}

// Sizes that grow from call to call, of operators that somebody keeps.
TEST(TemporaryPool, KeepsFewBlocksHoweverManyOperatorsLive) {
  TemporaryPool pool;
  for (uint64_t bytes = 1000; bytes < 1500; ++bytes) {
    pool.Expect(bytes);
    Use(pool, bytes);
  }
  EXPECT_LE(pool.kept_bytes(), 4 * 1499u);
  const Block large = Take(pool, 1499);
  EXPECT_LE(pool.kept_bytes(), 3 * 1499u);
}

TEST(TemporaryPool, KeepsNoBlockLargerThanAnOperatorNeeds) {
  TemporaryPool pool;
  pool.Expect(1000);
  pool.Expect(9000);
  Block small = Take(pool, 1000), large = Take(pool, 9000);
  pool.Return(std::move(small));
  pool.Forget(9000);
  pool.Return(std::move(large));  // of an execution that outlived its operator
  EXPECT_EQ(pool.kept_bytes(), 1000u);
  pool.Forget(1000);
  EXPECT_EQ(pool.kept_bytes(), 0u);
}

TEST(TemporaryPool, GivesTheSmallestBlockThatIsLargeEnough) {
  TemporaryPool pool;
  pool.Expect(9000);
  Block a = Take(pool, 9000), b = Take(pool, 2000), c = Take(pool, 500);
  for (Block* block : {&a, &b, &c}) pool.Return(std::move(*block));
  EXPECT_EQ(Take(pool, 1000).bytes, 2000u);
  EXPECT_EQ(Take(pool, 1000).bytes, 9000u);
  EXPECT_EQ(Take(pool, 1000).bytes, 1000u);
}

TEST(TemporaryPool, SaysWhatThereIsNoMemoryFor) {
  TemporaryPool pool;
  const Result<Block> block = pool.Take(uint64_t{1} << 62);
  ASSERT_FALSE(block.ok());
  EXPECT_EQ(block.error().message, "not enough memory for 4611686018427387904 temporary bytes");
}

}  // namespace
}  // namespace anydml::c_api
