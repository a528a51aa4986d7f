// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// For builds with ThreadSanitizer. It does not see into TBB, which Debian builds
// without instrumentation: it would miss the order that TBB gives to the pieces, and
// to leave out what it reports of TBB's threads would leave out every kernel that runs
// on them. Here the sanitizer sees all: each work starts its threads and joins them.
#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "backends/cpu/arena.h"
#include "base/checked_math.h"

namespace anydml::cpu {

struct Arena::State {
  const int threads;
};

Arena::Arena(int threads) : state_(std::make_unique<State>(State{threads})) {}
Arena::~Arena() = default;

bool Arena::HasThreads() { return true; }

void Arena::ForEachPiece(uint64_t count, uint64_t length, RangeBody body) {
  const uint64_t pieces = CeilDivide(count, length);
  std::atomic<uint64_t> next{0};
  // Relaxed: the counter gives pieces away and orders nothing, so that two pieces that
  // touch the same element are a race on every run.
  const auto take_pieces = [&] {
    for (uint64_t piece; (piece = next.fetch_add(1, std::memory_order_relaxed)) < pieces;) {
      const uint64_t begin = piece * length;
      body(begin, std::min(begin + length, count));
    }
  };
  std::vector<std::thread> others;
  try {
    for (int i = 1; i < state_->threads; ++i) others.emplace_back(take_pieces);
  } catch (const std::exception&) {
    // With fewer threads the same work is done.
  }
  take_pieces();
  for (std::thread& other : others) other.join();
}

}  // namespace anydml::cpu
