// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A graph that is written value by value: every operator takes values and gives values,
// so that nodes are in an order in which they can run and no edge has to be named. What
// compiles is the Graph that Build makes of it.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "operators/gradient.h"

namespace anydml::graph {

// An output of a graph that is written over an input.
struct SharedMemory {
  uint32_t output = 0;
  uint32_t input = 0;
};

class Values final : public GradientBuilder {
 public:
  // Where a value comes from.
  struct Origin {
    enum class Kind : uint8_t { kInput, kConstant, kNode };
    Kind kind = Kind::kInput;
    uint32_t index = 0;   // of the input, the constant or the node
    uint32_t output = 0;  // of the node, in binding order
    TensorDesc tensor;    // as it is written
  };
  struct Node {
    const Definition* definition = nullptr;
    std::shared_ptr<const schema::Arguments> arguments;  // complete and valid
    std::vector<GraphValue> inputs;                      // in binding order, as the node sees them
    std::vector<GraphValue> outputs;                     // likewise
  };

  // `name` is not empty and no other input's.
  Result<GraphValue> Input(std::string name, const TensorDesc& tensor);
  // Copies the bytes, which are as many as the tensor has.
  Result<GraphValue> Constant(std::span<const std::byte> bytes, const TensorDesc& tensor);

  // GradientBuilder. A fused activation becomes a node of its own, which gives the same
  // bits (B126).
  Result<std::vector<GraphValue>> Add(schema::Arguments arguments,
                                      std::span<const GraphValue> inputs) override;
  Result<GraphValue> View(const GraphValue& value, std::span<const uint32_t> sizes,
                          std::span<const uint32_t> strides) override;

  // Whether the value is one of this graph.
  bool Has(const GraphValue& value) const { return value.id < origins_.size(); }
  const Origin& OriginOf(const GraphValue& value) const { return origins_[value.id]; }
  // The value as it is written: without views.
  GraphValue Whole(const GraphValue& value) const { return {value.id, OriginOf(value).tensor}; }
  // For sentences about a value that is no input.
  void SetName(const GraphValue& value, std::string name) { names_[value.id] = std::move(name); }
  // "input 'x'", "'y', the output of GEMM (node 3)".
  std::string Describe(const GraphValue& value) const;

  const std::vector<std::string>& input_names() const { return input_names_; }
  const std::vector<GraphValue>& inputs() const { return inputs_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  std::span<const std::byte> ConstantBytes(uint32_t constant) const { return constants_[constant]; }

  // The nodes that these values need.
  std::vector<bool> LiveNodes(std::span<const GraphValue> outputs) const;
  // Whether the value has all elements of its bytes, in their order.
  bool IsWhole(const GraphValue& value) const;
  // How a value is written as an output of a graph: as it is, or packed where it is a view
  // that rearranges, repeats or leaves out elements.
  TensorDesc OutputTensor(const GraphValue& value) const;
  // The graph that computes these outputs, of live nodes alone; inputs keep their numbers.
  // Operators are created for a device with these options. What is written over an input is
  // written after its last reader; an output for which no order allows that is refused.
  // Views into this object's constants.
  Result<Graph> Build(std::span<const GraphValue> outputs, const DeviceOptions& options,
                      std::span<const SharedMemory> shared = {}) const;

 private:
  GraphValue NewValue(Origin origin);
  Result<std::vector<GraphValue>> AddPlain(const Definition& definition,
                                           schema::Arguments arguments,
                                           std::span<const GraphValue> inputs);

  std::vector<Origin> origins_;            // by the value's id
  std::map<uint32_t, std::string> names_;  // likewise, where one was given
  std::vector<std::string> input_names_;
  std::vector<GraphValue> inputs_;
  std::vector<std::vector<std::byte>> constants_;
  std::vector<Node> nodes_;
};

}  // namespace anydml::graph
