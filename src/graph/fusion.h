// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Decides which operators of a graph run as one step, block by block: those
// that compute element by element and write dense memory, where the only reader
// of one's output is the next. Asks the operators' strategies and names none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "graph/wiring.h"
#include "tensor/strided_loop.h"

namespace anydml::graph {

// A block of one tensor. Small enough that what lies between the stages stays in
// the second-level cache; blocks of 8 KiB would stay in the first, but then every
// input is a stream that starts anew every other page, which costs more: a chain
// of four gates over 64 MiB each took 1.5 times as long.
inline constexpr uint64_t kBlockBytes = 32768;
inline constexpr uint32_t kMaxBlocks = 4;
inline constexpr size_t kMaxSpread = 2;   // inputs of a stage that are brought into blocks
inline constexpr size_t kMaxStages = 32;  // keeps the search short; longer chains are several steps

// Nodes of one step in order of execution; the last one's output leaves the
// step, the others' outputs are in the blocks that `blocks` says.
struct Group {
  std::vector<uint32_t> nodes;
  std::vector<uint32_t> blocks;  // by node; unused for the last
};

// For an input that does not lie as the output does, such as a row or a column that is repeated:
// its place (tensor 0) for every element of a dense output (tensor 1), in the output's order. None
// for an input that lies like it, and none when its rows are too short to be worth a copy.
std::optional<StridedLoop<2>> SpreadOf(const TensorDesc& input, const TensorDesc& output);

// In order of execution. `order` and `programs` are those of the live nodes.
std::vector<Group> GroupNodes(const Graph& graph, const Wiring& wiring,
                              const std::vector<uint32_t>& order,
                              const std::vector<DeviceProgram>& programs);

}  // namespace anydml::graph
