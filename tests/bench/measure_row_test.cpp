// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A row is measured only where the results are right. No time is looked at.
#include "bench/measure_row.h"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

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
  EXPECT_TRUE(result.value().peers.empty());
  EXPECT_EQ(result.value().best_peer_ms(), 0);
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
  EXPECT_TRUE(unknown.error().message.starts_with("relu_grad has no strategy 'fast'; these are: "))
      << unknown.error().message;
}

}  // namespace
}  // namespace anydml::bench
