// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A row is measured only where the results are right. No time is looked at.
#include "bench/measure_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "backends/cpu/streaming.h"
#include "bench/copy.h"
#include "bench/movement.h"

namespace anydml::bench {
namespace {

Row SmallRow() {
  return SelectRows({.core = true, .filter = "RELU_GRAD,2_to_the_10,FLOAT32", .type = ""}).at(0);
}

MeasureOptions Quick(std::span<const Peer> peers = {}) {
  MeasureOptions options;
  options.threads = 1;
  options.seconds = 0;
  options.peers = peers;
  return options;
}

// Both know what ours has written before they came.
std::vector<PeerContestant> EnterHonest(const PeerTask& task) {
  float* const output = task.bindings.Output<float>(0);
  const std::vector<float> right(output, output + 1024);
  const auto run = [right, output] { std::memcpy(output, right.data(), 4096); };
  return {{"honest", true, run}, {"honest, elsewhere", false, [] {}, run}};
}
std::vector<PeerContestant> EnterWrong(const PeerTask&) {
  return {{"wrong", true, [] {}}};
}
std::vector<PeerContestant> EnterRefusing(const PeerTask&) {
  throw std::runtime_error("not for me\nlong story");
}
constexpr Peer kPeers[] = {
    {"honest", EnterHonest}, {"wrong", EnterWrong}, {"refusing", EnterRefusing}};

TEST(MeasureRow, GivesTimesOfOursAndOfTheCopy) {
  const Result<RowResult> result = MeasureRow(SmallRow(), Quick());
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result.value().strategy, "packed_rows");
  EXPECT_EQ(result.value().bytes, 3u * 4096);
  EXPECT_EQ(result.value().threads, 1);
  EXPECT_GT(result.value().ours_ms, 0);
  EXPECT_GT(result.value().one_thread_ms, 0);
  EXPECT_GT(result.value().floor_ms, 0);
  EXPECT_GT(result.value().moved_ms, 0);
  EXPECT_LE(result.value().fastest_copy_ms, result.value().floor_ms);
  EXPECT_LE(result.value().floor_ms, result.value().memcpy_ms);
  EXPECT_TRUE(result.value().peers.empty());
  EXPECT_EQ(result.value().best_peer_ms(), 0);
}

TEST(BenchFloor, GoesPastTheCachesWhereOperatorsDo) {
  const CopyTimes copies = {.library = 3, .plain = 2, .non_temporal = 1};
  EXPECT_EQ(copies.Fastest(), 1);
  EXPECT_EQ(copies.Floor(kFloorStreams), 1);
  EXPECT_EQ(copies.Floor(kFloorStreams - 1), 2);
}

// Also of pieces for which nothing is left to read, and with non-temporal stores.
TEST(BenchMovement, WritesEveryLine) {
  for (const uint64_t border : {uint64_t{0}, cpu::kStreamedBytes}) {
    const cpu::ScopedStreaming streaming(border);
    for (const RowBytes bytes : {RowBytes{64, 1 << 20}, RowBytes{1 << 20, 1000}}) {
      Movement movement(bytes);
      movement.Run(cpu::Executor(4));
      const std::span written(movement.written().data(), bytes.written);
      EXPECT_EQ(std::ranges::count(written, 1), 0);
    }
  }
}

TEST(MeasureRow, OfSeveralPassesTheMiddleOneCounts) {
  const auto pass = [](double ours_ms, double floor_ms, double peer_ms) {
    RowResult result;
    result.ours_ms = ours_ms;
    result.floor_ms = floor_ms;
    result.peers = {{"peer", true, peer_ms}};
    return result;
  };
  const RowResult middle = MiddleOf({pass(9, 3, 1), pass(2, 2, 2), pass(8, 4, 3)});
  EXPECT_EQ(middle.ours_ms, 8);
  EXPECT_EQ(middle.floor_ms, 4);
  EXPECT_EQ(middle.best_peer_ms(), 3);
  EXPECT_EQ(MiddleOf({pass(5, 1, 1)}).ours_ms, 5);
  EXPECT_EQ(MiddleOf({pass(5, 1, 1), pass(1, 1, 1)}).ours_ms, 1);
}

TEST(MeasureRow, TimesOnlyPeersThatAgree) {
  const Result<RowResult> result = MeasureRow(SmallRow(), Quick(kPeers));
  ASSERT_TRUE(result.ok()) << result.error().message;
  ASSERT_EQ(result.value().peers.size(), 2u);
  EXPECT_EQ(result.value().peers[0].name, "honest");
  EXPECT_TRUE(result.value().peers[0].raced);
  EXPECT_EQ(result.value().peers[1].name, "honest, elsewhere");
  EXPECT_FALSE(result.value().peers[1].raced);
  ASSERT_EQ(result.value().notes.size(), 2u);
  EXPECT_EQ(result.value().notes[0].substr(0, 20), "wrong is not timed: ");
  EXPECT_EQ(result.value().notes[1], "refusing refuses: not for me");
}

TEST(MeasureRow, RunsTheStrategyThatIsForced) {
  MeasureOptions options = Quick();
  options.strategy = "strided";
  EXPECT_EQ(MeasureRow(SmallRow(), options).value().strategy, "strided");
  options.strategy = "fast";
  const Result<RowResult> unknown = MeasureRow(SmallRow(), options);
  ASSERT_FALSE(unknown.ok());
  EXPECT_TRUE(unknown.error().message.starts_with("activation_relu_grad has no strategy 'fast'; these are: "))
      << unknown.error().message;
}

}  // namespace
}  // namespace anydml::bench
