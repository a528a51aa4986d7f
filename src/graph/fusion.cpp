// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "graph/fusion.h"

#include <algorithm>
#include <array>
#include <optional>

namespace anydml::graph {
namespace {

bool HasElementForm(const DeviceProgram& program) {
  if (program.cpu() != nullptr) return HasRows(*program.cpu());
  return ElementStepOf(*program.cuda()).has_value();
}

class Grouper {
 public:
  Grouper(const Graph& graph, const Wiring& wiring, const std::vector<uint32_t>& order,
          const std::vector<DeviceProgram>& programs)
      : wiring_(wiring), order_(order), position_(graph.nodes.size(), kDead) {
    for (uint32_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
    readers_.resize(graph.nodes.size());
    followers_.resize(graph.nodes.size());
    for (const OrderEdge& edge : graph.order_edges) followers_[edge.first].push_back(edge.then);
    for (uint32_t node : order) {
      is_elementwise_.push_back(IsElementwise(programs[position_[node]], wiring.ports[node]));
      for (const Source& source : wiring.inputs[node]) {
        if (source.kind == Source::Kind::kNode) readers_[source.index].push_back(node);
      }
    }
    for (const Source& source : wiring.outputs) {
      if (source.kind == Source::Kind::kNode) readers_[source.index].push_back(kOutside);
    }
  }

  // Producers first, so that a producer's group is complete when its reader
  // takes it in.
  std::vector<Group> Run() {
    std::vector<Group> groups(order_.size());
    for (uint32_t i = 0; i < order_.size(); ++i) {
      groups[i].nodes = {order_[i]};
      for (const Source& source : wiring_.inputs[order_[i]]) {
        if (MayJoin(source, order_[i])) TakeIn(groups[position_[source.index]], groups[i]);
      }
      groups[i].blocks = *AssignBlocks(groups[i].nodes);
    }
    std::erase_if(groups, [](const Group& group) { return group.nodes.empty(); });
    return groups;
  }

 private:
  static constexpr uint32_t kDead = 0xFFFFFFFF;
  static constexpr uint32_t kOutside = 0xFFFFFFFF;  // a graph output reads

  // All tensors are one dense row in the same order of elements, or are brought into it block by
  // block, which only the CPU does. The output does not overlap itself (T9), so neither does what
  // has its layout.
  static bool IsElementwise(const DeviceProgram& program, const Ports& ports) {
    if (!HasElementForm(program) || program.temporary_bytes() != 0) return false;
    if (ports.outputs.size() != 1 || !IsDense(*ports.outputs[0].tensor)) return false;
    size_t spread = 0;
    for (const Port& port : ports.inputs) {
      if (!port.tensor->present()) return false;
      if (HaveSameLayout(*port.tensor, *ports.outputs[0].tensor)) continue;
      if (!SpreadOf(*port.tensor, *ports.outputs[0].tensor)) return false;
      ++spread;
    }
    return spread <= (program.cpu() != nullptr ? kMaxSpread : 0);
  }

  bool MayJoin(const Source& source, uint32_t node) const {
    if (source.kind != Source::Kind::kNode || position_[source.index] == kDead) return false;
    if (!is_elementwise_[position_[source.index]] || !is_elementwise_[position_[node]]) {
      return false;
    }
    const auto& readers = readers_[source.index];
    return std::ranges::all_of(readers, [=](uint32_t reader) { return reader == node; }) &&
           AreReadAsWritten(source.index, node);
  }

  // The reader sees the same elements, perhaps under other sizes.
  bool AreReadAsWritten(uint32_t producer, uint32_t reader) const {
    const TensorDesc& from = *wiring_.ports[producer].outputs[0].tensor;
    for (size_t i = 0; i < wiring_.inputs[reader].size(); ++i) {
      const Source& source = wiring_.inputs[reader][i];
      if (source.kind != Source::Kind::kNode || source.index != producer) continue;
      const TensorDesc& to = *wiring_.ports[reader].inputs[i].tensor;
      if (from.ElementCount() != to.ElementCount()) return false;
      if (ElementSize(from.data_type) != ElementSize(to.data_type)) return false;
      if (!HaveSameLayout(to, *wiring_.ports[reader].outputs[0].tensor)) return false;
    }
    return true;
  }

  // Merges `from` into `group`, unless that becomes too large. A producer that
  // feeds two inputs of one node comes here twice: then its group is empty.
  void TakeIn(Group& from, Group& group) const {
    if (from.nodes.empty() || from.nodes.size() + group.nodes.size() > kMaxStages) return;
    std::vector<uint32_t> merged = from.nodes;
    merged.insert(merged.end(), group.nodes.begin(), group.nodes.end());
    std::ranges::sort(merged, {}, [&](uint32_t node) { return position_[node]; });
    if (RunsTooLate(merged) || !AssignBlocks(merged)) return;
    group.nodes = std::move(merged);
    from.nodes.clear();
  }

  // The nodes run where the last of them is: whether one must run before another step.
  bool RunsTooLate(const std::vector<uint32_t>& nodes) const {
    return std::ranges::any_of(nodes, [&](uint32_t node) {
      return std::ranges::any_of(followers_[node], [&](uint32_t follower) {
        return position_[follower] < position_[nodes.back()];
      });
    });
  }

  // Which block holds the output of each node but the last: the first that nobody
  // reads any more. None when there are not enough blocks.
  std::optional<std::vector<uint32_t>> AssignBlocks(const std::vector<uint32_t>& nodes) const {
    std::array<size_t, kMaxBlocks> free_from = {};  // by block: the stage after its last reader
    std::vector<uint32_t> blocks;
    for (size_t stage = 0; stage + 1 < nodes.size(); ++stage) {
      const auto block =
          std::ranges::find_if(free_from, [=](size_t from) { return from <= stage; });
      if (block == free_from.end()) return std::nullopt;
      const uint32_t reader = readers_[nodes[stage]].front();
      *block = static_cast<size_t>(std::ranges::find(nodes, reader) - nodes.begin()) + 1;
      blocks.push_back(static_cast<uint32_t>(block - free_from.begin()));
    }
    blocks.push_back(0);
    return blocks;
  }

  const Wiring& wiring_;
  const std::vector<uint32_t>& order_;
  std::vector<uint32_t> position_;                // of a node in the order
  std::vector<bool> is_elementwise_;              // by position
  std::vector<std::vector<uint32_t>> readers_;    // by node
  std::vector<std::vector<uint32_t>> followers_;  // by node: order edges
};

}  // namespace

std::optional<StridedLoop<2>> SpreadOf(const TensorDesc& input, const TensorDesc& output) {
  constexpr uint64_t kMinRow = 16;
  if (HaveSameLayout(input, output)) return std::nullopt;
  const StridedLoop<2> loop = ElementwiseLoop<2>({&input, &output});
  const int64_t stride = loop.inner_stride(0);
  if (stride != 0 && stride != 1) return std::nullopt;
  if (loop.inner_size() < kMinRow && loop.rank > 1) return std::nullopt;
  return loop;
}

std::vector<Group> GroupNodes(const Graph& graph, const Wiring& wiring,
                              const std::vector<uint32_t>& order,
                              const std::vector<DeviceProgram>& programs) {
  return Grouper(graph, wiring, order, programs).Run();
}

}  // namespace anydml::graph
