// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// For builds with ThreadSanitizer. It does not see into TBB, which Debian builds
// without instrumentation: it would miss the order that TBB gives to the pieces, and
// to leave out what it reports of TBB's threads would leave out every kernel that runs
// on them. Here the sanitizer sees all: each work starts its threads and joins them.
#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#include "backends/cpu/arena.h"
#include "base/checked_math.h"

namespace anydml::cpu {

struct Arena::State {};

Arena::Arena(int threads) : threads_(threads) {}
Arena::~Arena() = default;

bool Arena::HasThreads() { return true; }

size_t Arena::MadeSoFar() { return 0; }

// Every thread has its share whether it is late or not: a race must not hide because
// the first thread had done everything before the second began.
void Arena::ForEachPiece(uint64_t count, uint64_t length, RangeBody body) {
  const uint64_t pieces = CeilDivide(count, length);
  const auto threads = static_cast<uint64_t>(threads_);
  const auto do_share = [&](uint64_t thread) {
    for (uint64_t piece = thread; piece < pieces; piece += threads) {
      const uint64_t begin = piece * length;
      body(begin, std::min(begin + length, count));
    }
  };
  std::vector<std::thread> others;
  uint64_t started = 1;
  try {
    for (; started < threads; ++started) others.emplace_back(do_share, started);
  } catch (const std::exception&) {
    // With fewer threads the same work is done.
  }
  do_share(0);
  for (; started < threads; ++started) do_share(started);
  for (std::thread& other : others) other.join();
}

}  // namespace anydml::cpu
