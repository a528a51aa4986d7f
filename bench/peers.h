// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The peers that this build knows, and what their files share.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bench/peer.h"

namespace anydml::bench {

std::span<const Peer> Peers();

// How a peer computes one operator.
struct PeerOperator {
  std::string_view name;
  std::vector<PeerContestant> (*enter)(const PeerTask& task);
};

// None when the peer's list lacks the operator.
inline std::vector<PeerContestant> EnterByName(std::span<const PeerOperator> operators,
                                               const PeerTask& task) {
  for (const PeerOperator& op : operators) {
    if (op.name == task.row.operator_name()) return op.enter(task);
  }
  return {};
}

// Each defined by the file of its library, where that was found.
std::vector<PeerContestant> EnterOneDnn(const PeerTask& task);
std::vector<PeerContestant> EnterOpenBlas(const PeerTask& task);
std::vector<PeerContestant> EnterTorch(const PeerTask& task);

}  // namespace anydml::bench
