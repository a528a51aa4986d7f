// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One row from memory to medians: fill, run, check, hold the contest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "bench/peer.h"
#include "bench/row.h"

namespace anydml::bench {

struct MeasureOptions {
  std::string device = "cpu";
  int threads = 2;
  std::string strategy;  // forced; empty: the one that the operator chooses
  double seconds = 1.5;  // per row
  bool warm = false;     // see contest.h
  uint64_t seed = 1;
  std::span<const Peer> peers = {};
};

struct PeerTime {
  std::string name;
  bool raced = true;
  double ms = 0;
};

struct RowResult {
  Row row;
  std::string device = "cpu";
  std::string strategy;
  int threads = 0;
  uint64_t bytes = 0;
  double ours_ms = 0;
  double one_thread_ms = 0;        // ours on one thread
  double floor_ms = 0;             // the copy that stores as operators of this size do
  double memcpy_ms = 0;            // the C library's copy; 0 on a card
  double fastest_copy_ms = 0;      // of all; 0 on a card
  double moved_ms = 0;             // the bytes alone, nothing computed; 0 on a card
  double machine_gain = 0;         // of as many threads over one, for arithmetic in registers
  std::vector<PeerTime> peers;     // that gave the right result
  std::vector<std::string> notes;  // peers that did not, and why

  double floors() const { return ours_ms / floor_ms; }
  // 0 when nobody was raced.
  double best_peer_ms() const;
};

// Of several passes over a row, the one in the middle by the ratio to the floor: all of
// its times are of the same minute.
RowResult MiddleOf(std::vector<RowResult> passes);

// Fails when our own result is wrong or a forced strategy refuses.
Result<RowResult> MeasureRow(const Row& row, const MeasureOptions& options);

}  // namespace anydml::bench
