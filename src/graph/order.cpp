// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>

#include "graph/wiring.h"

namespace anydml::graph {
namespace {

// Every node that one of `node`'s inputs comes from, once per input.
template <typename Body>
void ForEachProducer(const Wiring& wiring, uint32_t node, const Body& body) {
  for (const Source& source : wiring.inputs[node]) {
    if (source.kind == Source::Kind::kNode) body(source.index);
  }
}

// By node: those that must run after it.
std::vector<std::vector<uint32_t>> Followers(const Graph& graph, const Wiring& wiring) {
  std::vector<std::vector<uint32_t>> followers(wiring.inputs.size());
  for (uint32_t node = 0; node < wiring.inputs.size(); ++node) {
    ForEachProducer(wiring, node, [&](uint32_t from) { followers[from].push_back(node); });
  }
  for (const OrderEdge& edge : graph.order_edges) followers[edge.first].push_back(edge.then);
  return followers;
}

// All nodes whose producers can be run before them; the others form cycles or
// hang on one.
std::vector<uint32_t> Sort(const Graph& graph, const Wiring& wiring) {
  const std::vector<std::vector<uint32_t>> followers = Followers(graph, wiring);
  std::vector<uint32_t> missing(wiring.inputs.size(), 0);
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (const std::vector<uint32_t>& nodes : followers) {
    for (uint32_t node : nodes) ++missing[node];
  }
  for (uint32_t node = 0; node < missing.size(); ++node) {
    if (missing[node] == 0) ready.push(node);
  }
  std::vector<uint32_t> order;
  while (!ready.empty()) {
    const uint32_t node = ready.top();
    ready.pop();
    order.push_back(node);
    for (uint32_t follower : followers[node]) {
      if (--missing[follower] == 0) ready.push(follower);
    }
  }
  return order;
}

// Going back from a node that could not be sorted, some node comes twice.
Error DescribeCycle(const Graph& graph, const Wiring& wiring, const std::vector<uint32_t>& sorted) {
  std::vector<bool> is_sorted(graph.nodes.size(), false);
  for (uint32_t node : sorted) is_sorted[node] = true;
  const auto first = std::find(is_sorted.begin(), is_sorted.end(), false);
  auto node = static_cast<uint32_t>(first - is_sorted.begin());
  std::vector<uint32_t> path;
  std::vector<bool> is_on_path(graph.nodes.size(), false);
  while (!is_on_path[node]) {
    is_on_path[node] = true;
    path.push_back(node);
    uint32_t producer = node;
    ForEachProducer(wiring, node, [&](uint32_t from) {
      if (!is_sorted[from]) producer = from;
    });
    node = producer;
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), node));
  std::reverse(path.begin(), path.end());
  std::string text = Describe(graph, path.back());
  for (uint32_t step : path) text += " -> " + Describe(graph, step);
  return InvalidArgument(fmt::format("graph: the edges form a cycle: {}", text));
}

std::vector<bool> FindLiveNodes(const Wiring& wiring) {
  std::vector<bool> live(wiring.inputs.size(), false);
  std::vector<uint32_t> pending;
  const auto visit = [&](uint32_t node) {
    if (!live[node]) pending.push_back(node);
    live[node] = true;
  };
  for (const Source& source : wiring.outputs) {
    if (source.kind == Source::Kind::kNode) visit(source.index);
  }
  while (!pending.empty()) {
    const uint32_t node = pending.back();
    pending.pop_back();
    ForEachProducer(wiring, node, visit);
  }
  return live;
}

}  // namespace

Result<std::vector<uint32_t>> OrderNodes(const Graph& graph, const Wiring& wiring) {
  std::vector<uint32_t> order = Sort(graph, wiring);
  if (order.size() != graph.nodes.size()) return DescribeCycle(graph, wiring, order);
  const std::vector<bool> live = FindLiveNodes(wiring);
  std::erase_if(order, [&](uint32_t node) { return !live[node] || !graph.nodes[node].op; });
  return order;
}

}  // namespace anydml::graph
