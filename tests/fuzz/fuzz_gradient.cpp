// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A graph of values is differentiated or refused in a sentence, once and again. Its gradients have
// the sizes of what they are gradients of; they compile and give the bits of their nodes executed
// one by one. A graph of nodes and edges is differentiated to the same.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "c_api/graph_model.h"
#include "fuzz/execute_graph.h"
#include "fuzz/random_values.h"
#include "gradient/differentiate_graph.h"
#include "model/write.h"
#include "operators/registry.h"

namespace {

using namespace anydml;
using namespace anydml::test;
using gradient::Network;

using Values = std::vector<GraphValue>;

// The sum of a value's elements; the value itself where it has none, or has one.
GraphValue LossOf(Network& network, const GraphValue& value, Bytes& bytes) {
  GradientWriter write(network.values);
  gradient::Sizes axes(value.tensor.dimension_count);
  std::iota(axes.begin(), axes.end(), 0u);
  const bool is_square = bytes.Flip();
  const GraphValue square = is_square ? write.Square(value) : value;
  const GraphValue sum = bytes.Rarely() ? square : write.Sum(square, axes);
  if (!write.ok()) RequireSentence(write.Finish({}).error().message);
  return write.ok() ? sum : value;
}

// Inputs that the loss depends on; seldom something else.
Values ChooseWanted(const Network& network, const GraphValue& loss, const Values& made,
                    Bytes& bytes) {
  Values read, of;
  const std::vector<bool> live = network.values.LiveNodes({&loss, 1});
  for (size_t n = 0; n < live.size(); ++n) {
    if (!live[n]) continue;
    for (const GraphValue& input : network.values.nodes()[n].inputs) {
      if (!input.present()) continue;
      const graph::Values::Origin& origin = network.values.OriginOf(input);
      const bool is_input = origin.kind == graph::Values::Origin::Kind::kInput;
      if (is_input && gradient::HasGradient(origin.tensor.data_type)) {
        read.push_back(network.values.Whole(input));
      }
    }
  }
  for (uint32_t count = 1 + bytes.Below(4); count > 0; --count) {
    const Values& from = read.empty() || bytes.Rarely() ? made : read;
    of.push_back(from[bytes.Below(static_cast<uint32_t>(from.size()))]);
  }
  return of;
}

graph::Graph Built(const Network& network, const Values& outputs) {
  Result<graph::Graph> graph = network.values.Build(outputs, {});
  Require(graph.ok(), graph.ok() ? "" : graph.error().message);
  return std::move(graph.value());
}

void Execute(const graph::Graph& graph, uint32_t seed, bool several_threads) {
  const auto program = graph::Compile(graph);
  Require(program.ok(), program.ok() ? "" : program.error().message);
  ExecuteGraph(graph, *program.value(), seed, several_threads);
}

void RequireSizes(const Values& gradients, const Values& of) {
  Require(gradients.size() == of.size(), "another number of gradients");
  for (size_t i = 0; i < of.size(); ++i) {
    const TensorDesc &gradient = gradients[i].tensor, &value = of[i].tensor;
    Require(
        gradient.data_type == value.data_type &&
            HaveSameLayout(gradient, PackedTensor(value.data_type, value.Sizes())),
        fmt::format("gradient {} is {} of {{{}}} for a value that is {} of {{{}}}, or not packed",
                    i, DataTypeName(gradient.data_type), fmt::join(gradient.Sizes(), ", "),
                    DataTypeName(value.data_type), fmt::join(value.Sizes(), ", ")));
  }
}

// The same graph without its order; nodes that the loss does not need are gone.
void DifferentiateEdges(const Network& network, const GraphValue& loss, const Values& of) {
  std::vector<uint32_t> numbers;
  for (const GraphValue& value : of) {
    const graph::Values::Origin& origin = network.values.OriginOf(value);
    if (origin.kind != graph::Values::Origin::Kind::kInput) return;
    numbers.push_back(origin.index);
  }
  const graph::Graph forward = Built(network, {loss});
  const auto found = gradient::DifferentiateGraph(forward, 0, numbers, {});
  if (!found.ok()) return RequireSentence(found.error().message);
  const auto program = graph::Compile(found.value().graph);
  Require(program.ok(), program.ok() ? "" : program.error().message);
}

// Inputs that are updated by their gradients, each written over itself: refused in a sentence, or
// the same bits as elsewhere.
void ExecuteUpdate(Network& network, const Values& of, const Values& gradients, uint32_t seed,
                   bool several_threads) {
  GradientWriter write(network.values);
  Values outputs;
  std::vector<graph::SharedMemory> shared;
  for (size_t i = 0; i < of.size(); ++i) {
    const graph::Values::Origin& origin = network.values.OriginOf(of[i]);
    const auto is_same = [&](const graph::SharedMemory& pair) {
      return pair.input == origin.index;
    };
    if (origin.kind != graph::Values::Origin::Kind::kInput) continue;
    if (std::ranges::any_of(shared, is_same)) continue;
    shared.push_back({static_cast<uint32_t>(outputs.size()), origin.index});
    outputs.push_back(write.Subtract(of[i], gradients[i]));
  }
  // There is no arithmetic of FLOAT64.
  if (!write.ok()) return RequireSentence(write.Finish({}).error().message);
  if (outputs.empty()) return;
  const Result<graph::Graph> graph = network.values.Build(outputs, {}, shared);
  if (!graph.ok()) return RequireSentence(graph.error().message);
  const auto program = graph::Compile(graph.value());
  Require(program.ok(), program.ok() ? "" : program.error().message);
  std::erase_if(shared, [&](const graph::SharedMemory& pair) {
    return program.value()->inputs[pair.input].bytes !=
               program.value()->outputs[pair.output].bytes ||
           !graph::MayAlias(*program.value(), pair.input, pair.output);
  });
  ExecuteGraph(graph.value(), *program.value(), seed, several_threads, shared);
}

// As a model, and read again: the same operators in the same order, as a graph that compiles.
void WriteAndRead(const Network& network, const Values& outputs) {
  c_api::NamedGraph graph;
  graph.values = network.values;
  std::vector<anydml_value> handles;
  for (const GraphValue& output : outputs) handles.push_back(graph.NewHandle(output));
  const Result<model::Model> written = c_api::ModelOf(graph, handles);
  Require(written.ok(), written.ok() ? "" : written.error().message);
  std::vector<Error> problems;
  const model::Model read =
      model::ReadModel(model::WriteModel(written.value()), {.find_schema = FindSchema}, problems);
  Require(problems.empty(), problems.empty() ? "" : problems[0].message);
  Require(read.commands.size() == written.value().commands.size(), "another number of commands");
  const Result<c_api::NamedGraph> again = c_api::GraphOf(read);
  Require(again.ok(), again.ok() ? "" : again.error().message);
  const graph::Values& values = again.value().values;
  Values last;
  for (const graph::Values::Node& node : values.nodes()) last.push_back(node.outputs[0]);
  std::erase_if(last, [](const GraphValue& value) { return !value.present(); });
  if (last.empty()) return;
  const Result<graph::Graph> built = values.Build(last, {});
  Require(built.ok(), built.ok() ? "" : built.error().message);
  const auto program = graph::Compile(built.value());
  Require(program.ok(), program.ok() ? "" : program.error().message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  const uint32_t seed = bytes.Byte();
  const bool several_threads = bytes.Rarely();
  Network network(seed, bytes.Byte() % 4 == 3 ? DataType::kFloat16 : DataType::kFloat32);
  const Values made = AddRandomValues(network, bytes);
  if (made.empty()) return 0;
  const uint32_t last = static_cast<uint32_t>(made.size()) - 1;
  GraphValue value = made[bytes.Byte() % 4 == 3 ? bytes.Below(last + 1) : last];
  for (int times = bytes.Rarely() ? 2 : 1; times > 0; --times) {
    const GraphValue loss = LossOf(network, value, bytes);
    const Values of = ChooseWanted(network, loss, made, bytes);
    const auto gradients = gradient::Differentiate(network.values, loss, of);
    DifferentiateEdges(network, loss, of);
    if (!gradients.ok()) {
      RequireSentence(gradients.error().message);
      return 0;
    }
    RequireSizes(gradients.value(), of);
    Values outputs = gradients.value();
    outputs.push_back(loss);
    Execute(Built(network, outputs), seed, several_threads);
    if (bytes.Byte() % 4 == 0) WriteAndRead(network, outputs);
    ExecuteUpdate(network, of, gradients.value(), seed, several_threads);
    value = gradients.value()[0];
  }
  return 0;
}
