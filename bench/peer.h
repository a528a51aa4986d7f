// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What another library has to offer to stand in the table: one file per library
// implements this, and is compiled only where the library is installed.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/bindings.h"
#include "bench/row.h"

namespace anydml::bench {

// What a peer is asked to compute, on our own memory.
struct PeerTask {
  const Row& row;
  const schema::Arguments& arguments;
  const Bindings& bindings;
  int threads;
};

// One way in which a peer computes it.
struct PeerContestant {
  std::string name;   // "oneDNN", "oneDNN backward only"
  bool raced = true;  // it does the same work as we do, in the same layout
  std::function<void()> run;
  // Brings the result into output 0 where `run` does not write there; untimed.
  std::function<void()> publish = nullptr;
};

struct Peer {
  std::string_view name;
  // None for what the library does not have. May throw; then the row says so.
  std::vector<PeerContestant> (*enter)(const PeerTask& task);
};

}  // namespace anydml::bench
