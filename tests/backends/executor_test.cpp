// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Threads: every unit of work runs exactly once, however many threads and
// callers there are, and arithmetic does not depend on the floating-point
// settings of the application.
#include "backends/cpu/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "backends/cpu/rows.h"

namespace anydml::cpu {
namespace {

struct Piece {
  uint64_t begin;
  uint64_t end;
};

// The pieces in ascending order; empty ones do no harm and are dropped.
std::vector<Piece> PiecesOf(const Executor& executor, uint64_t count, uint64_t grain) {
  std::mutex mutex;
  std::vector<Piece> pieces;
  executor.ParallelFor(count, grain, [&](uint64_t begin, uint64_t end) {
    const std::lock_guard lock(mutex);
    if (begin != end) pieces.push_back({begin, end});
  });
  std::ranges::sort(pieces, {}, &Piece::begin);
  return pieces;
}

// Each piece begins where the one before ended.
bool Covers(const std::vector<Piece>& pieces, uint64_t count) {
  uint64_t next = 0;
  for (const Piece& piece : pieces) {
    if (piece.begin != next || piece.end <= piece.begin) return false;
    next = piece.end;
  }
  return next == count;
}

class ExecutorThreads : public testing::TestWithParam<int> {};

TEST_P(ExecutorThreads, CoverEveryUnitExactlyOnce) {
  const Executor executor(GetParam());
  EXPECT_EQ(executor.threads(), GetParam());
  for (uint64_t count : {0u, 1u, 2u, 3u, 7u, 9u, 31u, 64u, 65u, 1000u, 4097u, 100003u}) {
    for (uint64_t grain : {0u, 1u, 2u, 3u, 16u, 1000u, 200000u}) {
      EXPECT_TRUE(Covers(PiecesOf(executor, count, grain), count)) << count << " by " << grain;
    }
  }
}

// Indices are never multiplied beyond the count.
TEST_P(ExecutorThreads, CoverRangesOfManyBits) {
  const Executor executor(GetParam());
  for (uint64_t count : {uint64_t{1} << 32, (uint64_t{1} << 40) + 1, uint64_t{1} << 62}) {
    for (uint64_t grain : {uint64_t{1}, uint64_t{1} << 31, uint64_t{1} << 63}) {
      EXPECT_TRUE(Covers(PiecesOf(executor, count, grain), count)) << count << " by " << grain;
    }
  }
}

TEST_P(ExecutorThreads, GetPiecesOfAtLeastTheGrainButForTheLast) {
  const Executor executor(GetParam());
  for (uint64_t count : {10u, 64u, 1000u, 4097u}) {
    for (uint64_t grain : {1u, 3u, 16u, 500u}) {
      const std::vector<Piece> pieces = PiecesOf(executor, count, grain);
      for (size_t i = 0; i + 1 < pieces.size(); ++i) {
        EXPECT_GE(pieces[i].end - pieces[i].begin, grain) << count;
      }
    }
  }
}

TEST_P(ExecutorThreads, CoverEveryUnitOfNestedCalls) {
  const Executor executor(GetParam());
  std::vector<std::atomic<int>> visits(40 * 50);
  executor.ParallelFor(40, 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t row = begin; row < end; ++row) {
      executor.ParallelFor(50, 1, [&](uint64_t first, uint64_t last) {
        for (uint64_t i = first; i < last; ++i) ++visits[row * 50 + i];
      });
    }
  });
  EXPECT_TRUE(std::ranges::all_of(visits, [](const auto& v) { return v.load() == 1; }));
}

TEST_P(ExecutorThreads, ServeSeveralThreadsOfTheApplicationAtOnce) {
  const Executor executor(GetParam());
  constexpr size_t kCallers = 6, kRounds = 50, kUnits = 1000;
  std::vector<std::vector<std::atomic<int>>> visits(kCallers);
  std::vector<std::thread> callers;
  for (auto& own : visits) {
    own = std::vector<std::atomic<int>>(kUnits);
    callers.emplace_back([&executor, &own] {
      for (size_t round = 0; round < kRounds; ++round) {
        executor.ParallelFor(kUnits, 7, [&](uint64_t begin, uint64_t end) {
          for (uint64_t i = begin; i < end; ++i) ++own[i];
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const auto& own : visits) {
    EXPECT_TRUE(std::ranges::all_of(own, [](const auto& v) { return v.load() == kRounds; }));
  }
}

// Rows shorter and longer than a unit; every element of every row once.
TEST_P(ExecutorThreads, CoverEveryElementOfARowLoop) {
  const Executor executor(GetParam());
  for (uint64_t length : {1u, 3u, 16384u, 16385u, 40000u, 50001u}) {
    for (uint64_t rows : {1u, 2u, 7u}) {
      StridedLoop<1> loop;
      loop.rank = 2;
      loop.sizes = {rows, length};
      loop.strides[0] = {static_cast<int64_t>(length) + 2, 1};
      std::vector<std::atomic<uint8_t>> visits(rows * (length + 2));
      ForEachRowPiece(loop, executor, [&](const auto& at, uint64_t count) {
        for (uint64_t i = 0; i < count; ++i) ++visits[static_cast<uint64_t>(at[0]) + i];
      });
      for (uint64_t i = 0; i < visits.size(); ++i) {
        ASSERT_EQ(visits[i].load(), i % (length + 2) < length ? 1 : 0) << rows << " x " << length;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Count, ExecutorThreads, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());

TEST(Executor, ZeroMeansOneThreadPerCore) { EXPECT_GE(Executor(0).threads(), 1); }

// What the conformance test relies on: no boundary between units is left uncut, and
// more than one thread takes part.
TEST(Executor, CutsEverywhereForTests) {
  const Executor executor(3, Cut::kEverywhere);
  for (uint64_t count : {2u, 3u, 64u}) {
    const std::vector<Piece> pieces = PiecesOf(executor, count, 1000);
    EXPECT_TRUE(Covers(pieces, count));
    EXPECT_EQ(pieces.size(), Executor(0).threads() == 1 ? 1 : count);
  }
  EXPECT_TRUE(Covers(PiecesOf(executor, 100003, 1), 100003));
}

TEST(Executor, RunsOneThreadOnTheCaller) {
  const Executor executor(1);
  const std::thread::id caller = std::this_thread::get_id();
  executor.ParallelFor(100, 1,
                       [&](uint64_t, uint64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

void UseInParallel(const Executor& executor) {
  EXPECT_TRUE(Covers(PiecesOf(executor, 1000, 1), 1000));
}

// TBB keeps what an arena took: who opens and closes devices must not make ever more.
TEST(Executor, UsesArenasOfExecutorsThatAreGone) {
  UseInParallel(Executor(2));
  UseInParallel(Executor(0));
  const size_t before = Arena::MadeSoFar();
  for (int i = 0; i < 500; ++i) {
    UseInParallel(Executor(2));
    UseInParallel(Executor(0));
  }
  EXPECT_EQ(Arena::MadeSoFar(), before);
}

TEST(Executor, MakesNoMoreArenasThanAreUsedAtOnce) {
  const size_t before = Arena::MadeSoFar();
  for (int i = 0; i < 100; ++i) {
    const Executor first(2), second(2), third(2);
    UseInParallel(first);
    UseInParallel(second);
    UseInParallel(third);
  }
  EXPECT_LE(Arena::MadeSoFar(), before + 3);
}

TEST(Executor, TakesNoArenaBeforeItsFirstParallelWork) {
  const size_t before = Arena::MadeSoFar();
  std::vector<std::unique_ptr<Executor>> idle;
  for (int i = 0; i < 100; ++i) {
    idle.push_back(std::make_unique<Executor>(2));
    idle.back()->ParallelFor(1, 1, [](uint64_t, uint64_t) {});
  }
  EXPECT_EQ(Arena::MadeSoFar(), before);
}

// Devices of several thread counts, opened, used and closed by several threads.
TEST(Executor, SharesArenasAmongThreads) {
  std::atomic<uint64_t> units{0};
  std::vector<std::thread> users;
  const size_t before = Arena::MadeSoFar();
  for (int user = 0; user < 4; ++user) {
    users.emplace_back([&units, user] {
      for (int i = 0; i < 100; ++i) {
        const Executor executor((user + i) % 3 + 1);
        executor.ParallelFor(1000, 1, [&](uint64_t begin, uint64_t end) { units += end - begin; });
      }
    });
  }
  for (std::thread& user : users) user.join();
  EXPECT_EQ(units.load(), 4u * 100 * 1000);
  EXPECT_LE(Arena::MadeSoFar(), before + 4 * 2);
}

}  // namespace
}  // namespace anydml::cpu
