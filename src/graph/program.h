// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A compiled graph: steps in order, and where each tensor of each step lies. A
// single operator is a graph of one node, so everything that is dispatched is
// one of these.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/replays.h"
#include "tensor/strided_loop.h"

namespace anydml::graph {

// DML_TEMPORARY_BUFFER_ALIGNMENT
inline constexpr uint64_t kTemporaryAlignment = 256;

// What is bound to the graph from outside.
struct Slot {
  std::string name;         // "InputTensor" of an operator, "input 2" of a graph
  uint64_t bytes = 0;       // least size of the memory; 0: no node has a use for it
  uint32_t alignment = 16;  // of the offset in its buffer (B20)
  bool owned = false;       // OWNED_BY_DML; then bytes may be 0, as the user was dropped
};

// Where a tensor lies during a run.
struct Place {
  enum class Kind : uint8_t { kNone, kInput, kOutput, kConstant, kTemporary, kBlock };
  Kind kind = Kind::kNone;
  uint64_t at = 0;            // index, or offset in the temporary memory or in the block
  uint32_t element_size = 0;  // of the stage that reads or writes here

  bool Is(Kind wanted, uint64_t index) const { return kind == wanted && at == index; }
};

// An input that a stage of several does not read where it lies, but as the blocks that the loop
// makes of it (SpreadOf).
struct Spread {
  size_t input;
  StridedLoop<2> loop;
};

struct Stage {
  DeviceProgram program;
  std::vector<Place> inputs;
  std::vector<Place> outputs;
  Place temporary;
  std::vector<Spread> spread;
};

// A graph output whose elements another output already has.
struct Copy {
  TensorDesc tensor;
  uint32_t from;
  uint32_t to;
};

// One operator, or several that run block by block: then every tensor is dense
// or spread, all have `elements` elements, and what lies between two stages is as
// large as a block.
struct Step {
  std::vector<Stage> stages;
  uint64_t elements = 0;  // 0: not in blocks
  uint64_t elements_per_block = 0;
  std::vector<Copy> copies;  // afterwards
};

// Memory where the program's device reads it.
using Constant = std::shared_ptr<std::byte>;

struct Program {
  std::string name;  // the operator's, or "graph"
  CudaOrdinal cuda;
  std::vector<Slot> inputs;
  std::vector<Slot> outputs;
  uint64_t temporary_bytes = 0;
  std::vector<Step> steps;
  std::vector<Constant> constants;
  std::vector<std::string> notes;  // what is legal and may be a mistake
  mutable Replays replays;         // on a CUDA device
};

// Validates, orders, plans and compiles. Keeps nothing of the graph's memory.
Result<std::shared_ptr<const Program>> Compile(const Graph& graph, CudaOrdinal cuda = {});

// Pointers as `inputs` and `outputs` of the program count them; the temporary
// memory is aligned to 256 bytes. Sizes and overlaps have been checked.
struct Addresses {
  std::span<const void* const> inputs;
  std::span<void* const> outputs;
  void* temporary;

  const void* Read(const Program& program, const Place& place) const;
  void* Write(const Place& place) const;
};

// Of one stage that runs alone.
Bindings BindingsOf(const Program& program, const Stage& stage, const Addresses& addresses);

// A program for the CPU.
Status Run(const Program& program, const Addresses& addresses, const cpu::Executor& executor);
// A program for a CUDA device: puts all steps on the stream and returns. Steps that come again with
// the same addresses become one CUDA graph.
Status Launch(const Program& program, const Addresses& addresses, cuda::Stream stream);

// Whether the output may be bound to exactly the bytes of the input: nothing
// reads the input after the output's bytes are written, and the operator that
// writes them runs in place on it or does not read it (B23).
bool MayAlias(const Program& program, uint32_t input, uint32_t output);

}  // namespace anydml::graph
