// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the gradient rule of an operator sees and what it makes: the node of the
// forward graph, the gradients of its outputs, and a builder that adds nodes to the
// backward graph. A rule is made of DirectML operators and views alone, so that the
// backward pass is a graph like any other. It stands beside the operator's definition
// and knows nothing of graphs; src/gradient calls it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/arguments.h"

namespace anydml {

// A value of the graph: the bytes that a node or an input of the graph gives, and how
// the one who holds it sees them.
struct GraphValue {
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  uint32_t id = kNone;  // the builder's; equal for all views of the same bytes
  TensorDesc tensor;

  bool present() const { return id != kNone; }
};

// Adds to the graph under construction. It is called, not stored, and has state of the
// graph's layer: hence an interface.
class GradientBuilder {
 public:
  virtual ~GradientBuilder() = default;

  // A node with an operator. `arguments` hold its settings; their input tensors are set
  // from `inputs`, which are in binding order (none for an optional tensor that stays
  // absent), and required outputs that are absent are inferred (schema/output_tensors.h).
  // Returns its outputs in binding order; what is wrong with it is an error.
  virtual Result<std::vector<GraphValue>> Add(schema::Arguments arguments,
                                              std::span<const GraphValue> inputs) = 0;

  // The same bytes by other sizes and strides, within the value's own bytes: no node.
  // Stride 0 repeats, which is how a value is broadcast.
  virtual Result<GraphValue> View(const GraphValue& value, std::span<const uint32_t> sizes,
                                  std::span<const uint32_t> strides) = 0;
};

// One node of the forward graph. All lists are in binding order, and an absent tensor
// keeps its place.
struct ForwardNode {
  const schema::Arguments& arguments;
  std::span<const GraphValue> inputs;   // as the node sees them
  std::span<const GraphValue> outputs;  // likewise
  // With the sizes of the outputs; none where nothing that is differentiated depends on
  // the output, but of at least one output there is one.
  std::span<const GraphValue> output_gradients;
  std::span<const bool> is_wanted;  // of the inputs whose gradients are asked for

  // A setting by its name, for versions of an operator that share a rule.
  uint32_t Uint(std::string_view field) const;
  float Float(std::string_view field) const;
  std::span<const uint32_t> Uints(std::string_view field) const;
};

// One gradient per input, with the sizes of that input; none where it is not wanted or
// is zero everywhere. The order of additions at a fan-out, and the views of edges, are
// the caller's concern.
using GradientRule = Result<std::vector<GraphValue>> (*)(const ForwardNode& node,
                                                         GradientBuilder& builder);

}  // namespace anydml
