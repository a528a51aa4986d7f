// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the benchmark says of its results. The times are made up.
#include "bench/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace anydml::bench {
namespace {

RowResult Made(std::string filter, double ours_ms, double floor_ms) {
  RowResult result;
  result.row = SelectRows({.core = false, .filter = std::move(filter), .type = ""}).at(0);
  result.strategy = "packed_rows";
  result.threads = 2;
  result.bytes = BytesOf(result.row).moved();
  result.ours_ms = ours_ms;
  result.floor_ms = result.moved_ms = floor_ms;
  return result;
}

using Words = std::vector<std::string>;

TEST(BenchJson, IsAnArrayOfRowsWithTheFieldsThatReadersExpect) {
  RowResult result = Made("MAX_POOLING_GRAD,2x2_stride_2_8,FLOAT32,NHWC", 1.5, 1);
  result.one_thread_ms = 2.7;
  result.machine_gain = 2;
  result.memcpy_ms = 1.5;
  result.fastest_copy_ms = 0.9;
  result.peers = {{"torch forward + backward", true, 9}, {"torch backward only", false, 1}};
  result.notes = {"oneDNN refuses: why"};
  const auto json = nlohmann::json::parse(ToJson(std::vector{result}));
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0], nlohmann::json::parse(R"({
      "operator": "MAX_POOLING_GRAD", "case": "window_2x2_stride_2_8x64x112x112",
      "type": "FLOAT32", "layout": "NHWC", "device": "cpu", "batch": 1,
      "tensors": {"InputTensor": [8, 64, 112, 112], "InputGradientTensor": [8, 64, 56, 56],
                  "OutputGradientTensor": [8, 64, 112, 112]},
      "settings": {"WindowSize": [2.0, 2.0], "Strides": [2.0, 2.0]},
      "threads": 2, "strategy": "packed_rows",
      "ours_ms": 1.5, "one_thread_ms": 2.7, "floor_ms": 1.0,
      "memcpy_ms": 1.5, "fastest_copy_ms": 0.9, "moved_ms": 1.0, "machine_gain": 2.0,
      "peers": {"torch forward + backward": 9.0, "torch backward only": 1.0},
      "raced": ["torch forward + backward"], "bytes": 57802752,
      "targets": ["floor 1.5x", "peer 2x", "threads 90%"], "missed": [],
      "notes": ["oneDNN refuses: why"]})"));
  EXPECT_EQ(nlohmann::json::parse(ToJson({})), nlohmann::json::array());
}

TEST(BenchVerdict, HoldsOursAgainstTheFloorOfItsType) {
  const RowResult fast = Made("MAX_POOLING_GRAD,3x3_stride_1,FLOAT32,NCHW", 2.0, 1);
  const RowResult slow = Made("MAX_POOLING_GRAD,3x3_stride_1,FLOAT32,NCHW", 2.1, 1);
  const RowResult half = Made("MAX_POOLING_GRAD,3x3_stride_1,FLOAT16,NCHW", 4.4, 1);
  EXPECT_EQ(Judge(fast, {}).targets, Words{"floor 2x"});
  EXPECT_EQ(Judge(fast, {}).missed, Words{});
  EXPECT_EQ(Judge(slow, {}).missed, Words{"floor 2x"});
  EXPECT_EQ(Judge(half, {}).targets, Words{"floor 4.5x"});
  EXPECT_EQ(Judge(half, {}).missed, Words{});
}

TEST(BenchVerdict, RacesTheBestPeerThatDoesTheSameWork) {
  RowResult result = Made("RELU_GRAD,2_to_the_26,FLOAT32", 1, 1);
  result.peers = {{"slow", true, 5}, {"best", true, 1.2}, {"shown only", false, 0.1}};
  EXPECT_EQ(result.best_peer_ms(), 1.2);
  EXPECT_EQ(Judge(result, {}).missed, Words{"peer 1.3x"});
  result.peers[1].ms = 1.31;
  EXPECT_EQ(Judge(result, {}).missed, Words{});
}

TEST(BenchVerdict, HoldsOtherLayoutsAgainstThePackedOne) {
  const std::vector<RowResult> all = {Made("RELU_GRAD,image,FLOAT32,NCHW", 1, 1),
                                      Made("RELU_GRAD,eight,FLOAT32,packed", 1, 1)};
  EXPECT_EQ(Judge(Made("RELU_GRAD,image,FLOAT32,padded", 1.4, 1), all).missed,
            Words{"packed 1.3x"});
  // A slower moment of the machine shows in the floor too.
  EXPECT_EQ(Judge(Made("RELU_GRAD,image,FLOAT32,padded", 2.4, 2), all).missed, Words{});
  EXPECT_EQ(Judge(Made("RELU_GRAD,eight,FLOAT32,permuted", 3.9, 1), all).missed, Words{});
  EXPECT_EQ(Judge(Made("RELU_GRAD,eight,FLOAT32,permuted", 4.1, 1), all).missed,
            Words{"packed 4x"});
  EXPECT_EQ(Judge(Made("RELU_GRAD,image,FLOAT16,padded", 9, 1), all).targets, Words{});
}

TEST(BenchVerdict, AsksTheSecondThreadToHelpWhereTheMemoryCanGiveMore) {
  RowResult result = Made("MAX_POOLING_GRAD,3x3_stride_2_8,FLOAT16,NCHW", 2, 1);
  result.machine_gain = 2;
  result.one_thread_ms = 3.5;
  EXPECT_EQ(Judge(result, {}).missed, Words{"threads 90%"});
  result.one_thread_ms = 3.7;
  EXPECT_EQ(Judge(result, {}).missed, Words{});
  EXPECT_EQ(Judge(result, {}).targets, Words{"threads 90%"});
  // Where the copy is slower than the bytes alone, or these than the copy, the faster counts.
  result.moved_ms = 1.8;
  EXPECT_EQ(Judge(result, {}).targets, Words{"threads 90%"});
  result.floor_ms = 1.8;
  EXPECT_EQ(Judge(result, {}).targets, Words{});
  result.moved_ms = result.floor_ms = 1;
  result.ours_ms = result.one_thread_ms = 1.1;
  EXPECT_EQ(Judge(result, {}).targets, Words{});
  result.ours_ms = result.one_thread_ms = 9;
  result.threads = 1;
  EXPECT_EQ(Judge(result, {}).targets, Words{});
}

TEST(BenchVerdict, AsksOfThreadsWhatTheMachineGivesToArithmetic) {
  RowResult result = Made("MAX_POOLING_GRAD,3x3_stride_2_8,FLOAT16,NCHW", 2, 1);
  result.one_thread_ms = 3;
  result.machine_gain = 1.7;
  EXPECT_EQ(Judge(result, {}).missed, Words{"threads 90%"});
  result.machine_gain = 1.6;
  EXPECT_EQ(Judge(result, {}).missed, Words{});
  // A disturbed moment of the one thread is no reason to ask for more than two cores.
  result.machine_gain = 3;
  result.one_thread_ms = 3.7;
  EXPECT_EQ(Judge(result, {}).missed, Words{});
}

TEST(BenchVerdict, AsksForMicrosecondsOfSmallTensors) {
  EXPECT_EQ(Judge(Made("RELU_GRAD,2_to_the_10,FLOAT32", 0.0019, 1), {}).missed, Words{});
  EXPECT_EQ(Judge(Made("RELU_GRAD,2_to_the_10,FLOAT32", 0.0021, 1), {}).missed, Words{"2 us"});
}

TEST(BenchTable, EndsWithACountOfWhatWasReached) {
  const std::vector<RowResult> all = {
      Made("RELU_GRAD,2_to_the_26,FLOAT32", 1.1, 1), Made("RELU_GRAD,2_to_the_24,FLOAT32", 1.1, 1),
      Made("RELU_GRAD,2_to_the_24,INT8", 1.2, 1), Made("RELU_GRAD,2_to_the_15,FLOAT32", 9, 1)};
  EXPECT_EQ(Summary(all), "4 rows: 2 meet their targets, 1 miss one, 1 have none\n");
}

TEST(BenchTable, SaysWhatWasMissedAndWhoWasNotTimed) {
  RowResult result = Made("RELU_GRAD,2_to_the_26,FLOAT32", 2, 1);
  result.peers = {{"torch", true, 3}};
  result.notes = {"oneDNN is not timed: why"};
  const std::string line = TableLine(result, {});
  for (const char* part :
       {"ACTIVATION_RELU_GRAD", "elements_2_to_the_26", "FLOAT32", "packed_rows", "2.000", "1.50",
        "MISSED: floor 1.15x", "torch 3.000", "oneDNN is not timed: why"}) {
    EXPECT_NE(line.find(part), std::string::npos) << part << " in " << line;
  }
}

}  // namespace
}  // namespace anydml::bench
