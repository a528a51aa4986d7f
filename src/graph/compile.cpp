// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "backends/cuda/send.h"
#include "base/aligned_memory.h"
#include "graph/fusion.h"
#include "graph/memory_plan.h"
#include "graph/program.h"
#include "graph/wiring.h"

namespace anydml::graph {
namespace {

constexpr uint32_t kOwnedFlag = 1;  // DML_TENSOR_FLAG_OWNED_BY_DML
constexpr size_t kConstantAlignment = 64;

Result<Constant> CopyToCpu(std::span<const std::byte> data) {
  void* memory = AllocateAligned(data.size(), kConstantAlignment);
  if (memory == nullptr) {
    return OutOfMemory(
        fmt::format("graph: not enough memory for a constant of {} bytes", data.size()));
  }
  Constant copy(static_cast<std::byte*>(memory), [](std::byte* bytes) { std::free(bytes); });
  std::memcpy(copy.get(), data.data(), data.size());
  const uint64_t rest =
      (kConstantAlignment - data.size() % kConstantAlignment) % kConstantAlignment;
  std::memset(copy.get() + data.size(), 0, rest);
  return copy;
}

Result<Constant> CopyToCuda(std::span<const std::byte> data, int ordinal) {
  const cuda::ScopedDevice device(ordinal);
  Result<cuda::Memory> memory = cuda::Send(data.data(), data.size());
  if (!memory.ok()) return memory.error();
  const std::shared_ptr<void> shared = std::move(memory).value();
  return Constant(shared, static_cast<std::byte*>(shared.get()));
}

class Compiler {
 public:
  Compiler(const Graph& graph, CudaOrdinal cuda, Wiring wiring, std::vector<uint32_t> order)
      : graph_(graph), wiring_(std::move(wiring)), order_(std::move(order)) {
    program_.cuda = cuda;
  }

  Result<std::shared_ptr<const Program>> Compile() {
    Status status = CompileNodes();
    if (!status.ok()) return status.error();
    status = CopyConstants();
    if (!status.ok()) return status.error();
    MakeSlots();
    const std::vector<Group> groups = GroupNodes(graph_, wiring_, order_, programs_);
    PlaceOutputs();
    for (const Group& group : groups) AddStep(group);
    status = PlaceTemporaries();
    if (!status.ok()) return status.error();
    return std::shared_ptr<const Program>(std::make_shared<Program>(std::move(program_)));
  }

 private:
  Status CompileNodes() {
    program_.notes = wiring_.reinterpretations;
    position_.resize(graph_.nodes.size());
    for (uint32_t node : order_) {
      position_[node] = programs_.size();
      Result<DeviceProgram> compiled =
          DeviceProgram::Compile(*graph_.nodes[node].op, program_.cuda);
      if (!compiled.ok()) return compiled.error();
      programs_.push_back(std::move(compiled).value());
    }
    return {};
  }

  Status CopyConstants() {
    constants_.resize(graph_.nodes.size());
    for (size_t node = 0; node < graph_.nodes.size(); ++node) {
      const std::span<const std::byte> data = graph_.nodes[node].constant;
      if (graph_.nodes[node].op) continue;
      Result<Constant> copy = program_.cuda ? CopyToCuda(data, *program_.cuda) : CopyToCpu(data);
      if (!copy.ok()) return copy.error();
      constants_[node] = program_.constants.size();
      program_.constants.push_back(std::move(copy).value());
    }
    return {};
  }

  // One slot serves all the nodes that it feeds: the most demanding decides.
  void MakeSlots() {
    program_.name = graph_.is_one_operator ? graph_.nodes[0].op->definition->schema->name : "graph";
    program_.inputs.resize(graph_.input_count);
    program_.outputs.resize(graph_.output_count);
    for (uint32_t i = 0; i < graph_.input_count; ++i) {
      program_.inputs[i].name =
          graph_.is_one_operator ? wiring_.ports[0].inputs[i].name : fmt::format("input {}", i);
    }
    for (uint32_t i = 0; i < graph_.output_count; ++i) {
      program_.outputs[i].name =
          graph_.is_one_operator ? wiring_.ports[0].outputs[i].name : fmt::format("output {}", i);
      const Source& source = wiring_.outputs[i];
      if (source.kind == Source::Kind::kNone) continue;
      Demand(*wiring_.ports[source.index].outputs[source.output].tensor, program_.outputs[i]);
    }
    for (uint32_t node : order_) {
      for (size_t i = 0; i < wiring_.inputs[node].size(); ++i) {
        const Source& source = wiring_.inputs[node][i];
        if (source.kind != Source::Kind::kGraphInput) continue;
        Demand(*wiring_.ports[node].inputs[i].tensor, program_.inputs[source.index]);
      }
    }
    MarkOwned();
  }

  // Nodes that are dropped count too: the program that set the flag binds at
  // initialisation, and need not know which nodes are dead.
  void MarkOwned() {
    for (size_t node = 0; node < graph_.nodes.size(); ++node) {
      for (size_t i = 0; i < wiring_.inputs[node].size(); ++i) {
        const Source& source = wiring_.inputs[node][i];
        if (source.kind != Source::Kind::kGraphInput) continue;
        const uint32_t flags = wiring_.ports[node].inputs[i].tensor->flags;
        if ((flags & kOwnedFlag) != 0) program_.inputs[source.index].owned = true;
      }
    }
  }

  static void Demand(const TensorDesc& tensor, Slot& slot) {
    slot.bytes = std::max(slot.bytes, tensor.total_bytes);
    slot.alignment = std::max(slot.alignment, tensor.base_offset_alignment);
  }

  // The first graph output that a tensor feeds is where it lies; others get a
  // copy.
  void PlaceOutputs() {
    places_.resize(graph_.nodes.size());
    requests_.resize(graph_.nodes.size());
    graph_outputs_.resize(graph_.nodes.size());
    for (uint32_t node : order_) {
      places_[node].resize(wiring_.ports[node].outputs.size());
      requests_[node].resize(wiring_.ports[node].outputs.size(), kNoRequest);
    }
    for (uint32_t i = 0; i < graph_.output_count; ++i) {
      const Source& source = wiring_.outputs[i];
      if (source.kind == Source::Kind::kNone) continue;
      graph_outputs_[source.index].push_back(i);
      Place& place = places_[source.index][source.output];
      if (place.kind == Place::Kind::kNone) place = {Place::Kind::kOutput, i, 0};
    }
  }

  void AddStep(const Group& group) {
    Step step;
    const auto index = static_cast<uint32_t>(program_.steps.size());
    for (size_t i = 0; i < group.nodes.size(); ++i) {
      const bool is_last = i + 1 == group.nodes.size();
      const uint32_t node = group.nodes[i];
      if (!is_last) places_[node][0] = {Place::Kind::kBlock, group.blocks[i] * kBlockBytes, 0};
      step.stages.push_back(MakeStage(node, index));
    }
    if (group.nodes.size() > 1) SetBlocks(group, step);
    AddCopies(group.nodes.back(), step);
    program_.steps.push_back(std::move(step));
  }

  Stage MakeStage(uint32_t node, uint32_t step) {
    Stage stage;
    stage.program = programs_[position_[node]];
    for (size_t i = 0; i < wiring_.inputs[node].size(); ++i) {
      Place place = PlaceOf(wiring_.inputs[node][i], step);
      place.element_size = ElementSize(wiring_.ports[node].inputs[i].tensor->data_type);
      stage.inputs.push_back(place);
    }
    for (size_t i = 0; i < places_[node].size(); ++i) {
      const TensorDesc& tensor = *wiring_.ports[node].outputs[i].tensor;
      if (places_[node][i].kind == Place::Kind::kNone && tensor.present()) {
        places_[node][i] = Request(tensor.total_bytes, step);
        requests_[node][i] = lifetimes_.size() - 1;
      }
      places_[node][i].element_size = ElementSize(tensor.data_type);
      stage.outputs.push_back(places_[node][i]);
    }
    if (stage.program.temporary_bytes() != 0) {
      stage.temporary = Request(stage.program.temporary_bytes(), step);
    }
    return stage;
  }

  // Where an input lies; memory that it shares with others lives until this
  // step at least.
  Place PlaceOf(const Source& source, uint32_t step) {
    if (source.kind == Source::Kind::kNone) return {};
    if (source.kind == Source::Kind::kGraphInput) return {Place::Kind::kInput, source.index, 0};
    if (!graph_.nodes[source.index].op) {
      return {Place::Kind::kConstant, constants_[source.index], 0};
    }
    const size_t request = requests_[source.index][source.output];
    if (request != kNoRequest) lifetimes_[request].last = step;
    return places_[source.index][source.output];
  }

  // `at` is the request's number until PlaceTemporaries knows the offset.
  Place Request(uint64_t bytes, uint32_t step) {
    lifetimes_.push_back({bytes, step, step});
    return {Place::Kind::kTemporary, lifetimes_.size() - 1, 0};
  }

  void SetBlocks(const Group& group, Step& step) const {
    uint32_t widest = 1;
    for (size_t k = 0; k < group.nodes.size(); ++k) {
      Stage& stage = step.stages[k];
      const Ports& ports = wiring_.ports[group.nodes[k]];
      widest = std::max(widest, stage.outputs[0].element_size);
      for (size_t i = 0; i < ports.inputs.size(); ++i) {
        const auto loop = SpreadOf(*ports.inputs[i].tensor, *ports.outputs[0].tensor);
        if (!loop) continue;
        stage.spread.push_back({i, *loop});
        widest = std::max(widest, stage.inputs[i].element_size);
      }
    }
    step.elements = PortsOf(step.stages[0].program.op()).outputs[0].tensor->ElementCount();
    step.elements_per_block = kBlockBytes / widest;
  }

  void AddCopies(uint32_t node, Step& step) {
    for (uint32_t i : graph_outputs_[node]) {
      const Source& source = wiring_.outputs[i];
      const Place& place = places_[node][source.output];
      if (place.at == i) continue;
      step.copies.push_back(
          {*wiring_.ports[node].outputs[source.output].tensor, static_cast<uint32_t>(place.at), i});
    }
  }

  Status PlaceTemporaries() {
    Result<MemoryPlan> plan = PlanMemory(lifetimes_, kTemporaryAlignment);
    if (!plan.ok()) return plan.error();
    program_.temporary_bytes = plan.value().bytes;
    const auto place = [&](Place& place) {
      if (place.kind == Place::Kind::kTemporary) place.at = plan.value().offsets[place.at];
    };
    for (Step& step : program_.steps) {
      for (Stage& stage : step.stages) {
        std::ranges::for_each(stage.inputs, place);
        std::ranges::for_each(stage.outputs, place);
        place(stage.temporary);
      }
    }
    return {};
  }

  static constexpr size_t kNoRequest = static_cast<size_t>(-1);

  const Graph& graph_;
  const Wiring wiring_;
  const std::vector<uint32_t> order_;
  std::vector<size_t> position_;                      // by node: in the order
  std::vector<DeviceProgram> programs_;               // by position in the order
  std::vector<size_t> constants_;                     // by node: index in the program
  std::vector<std::vector<Place>> places_;            // by node and output
  std::vector<std::vector<size_t>> requests_;         // likewise: index in lifetimes_
  std::vector<std::vector<uint32_t>> graph_outputs_;  // by node: those that it feeds
  std::vector<Lifetime> lifetimes_;
  Program program_;
};

}  // namespace

Result<std::shared_ptr<const Program>> Compile(const Graph& graph, CudaOrdinal cuda) {
  try {
    Result<Wiring> wiring = Wire(graph);
    if (!wiring.ok()) return wiring.error();
    Result<std::vector<uint32_t>> order = OrderNodes(graph, wiring.value());
    if (!order.ok()) return order.error();
    return Compiler(graph, cuda, std::move(wiring).value(), std::move(order).value()).Compile();
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow("graph: not enough memory to compile it");
  }
}

}  // namespace anydml::graph
