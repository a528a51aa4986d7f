// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/peers.h"

namespace anydml::bench {
namespace {

// Empty when the build has none.
constexpr Peer kPeers[] = {
#ifdef ANYDML_BENCH_ONEDNN
    {"oneDNN", EnterOneDnn},
#endif
#ifdef ANYDML_BENCH_OPENBLAS
    {"OpenBLAS", EnterOpenBlas},
#endif
#ifdef ANYDML_BENCH_TORCH
    {"torch", EnterTorch},
#endif
    {"", nullptr},
};

}  // namespace

std::span<const Peer> Peers() { return std::span(kPeers).first(std::size(kPeers) - 1); }

}  // namespace anydml::bench
