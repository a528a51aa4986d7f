// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The vocabulary in which gradient rules are written: expressions of values. The first
// operator that is refused ends the expression; what follows adds nothing, and Finish
// tells the error. Of the arguments of a call at most one may add nodes, since C++ leaves
// the order of arguments open, and that of nodes is part of the result.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "operators/gradient.h"
#include "schema/settings.h"

namespace anydml {

class GradientWriter {
 public:
  explicit GradientWriter(GradientBuilder& builder) : builder_(builder) {}

  // Settings of an operator by its name.
  static schema::Settings Call(std::string_view name);

  // The outputs of an operator: none of them present after an error.
  std::vector<GraphValue> Outputs(const schema::Settings& settings,
                                  std::span<const GraphValue> inputs);
  // The first one.
  GraphValue Output(const schema::Settings& settings, std::initializer_list<GraphValue> inputs);

  // ELEMENT_WISE_<name> and ACTIVATION_<name> without settings.
  GraphValue Apply(std::string_view name, std::initializer_list<GraphValue> inputs);
  GraphValue Add(const GraphValue& a, const GraphValue& b);
  GraphValue Subtract(const GraphValue& a, const GraphValue& b);
  GraphValue Multiply(const GraphValue& a, const GraphValue& b);
  GraphValue Divide(const GraphValue& a, const GraphValue& b);
  GraphValue Negate(const GraphValue& x);
  GraphValue If(const GraphValue& condition, const GraphValue& a, const GraphValue& b);
  // UINT8, as If takes it.
  GraphValue IsEqual(const GraphValue& a, const GraphValue& b) {
    return Compare("ELEMENT_WISE_LOGICAL_EQUALS", a, b);
  }
  GraphValue IsGreater(const GraphValue& a, const GraphValue& b);
  GraphValue IsAtLeast(const GraphValue& a, const GraphValue& b);
  GraphValue Square(const GraphValue& x) { return Multiply(x, x); }
  // x * scale + bias
  GraphValue Scale(const GraphValue& x, float scale, float bias = 0);
  // REDUCE over axes, which keep the size 1.
  GraphValue Reduce(std::string_view function, const GraphValue& x, std::span<const uint32_t> axes);
  GraphValue Sum(const GraphValue& x, std::span<const uint32_t> axes) {
    return Reduce("SUM", x, axes);
  }

  // Over the axes in which `sizes` have 1: the opposite of Broadcast.
  GraphValue SumTo(const GraphValue& x, std::span<const uint32_t> sizes);

  // d with the sign of x; 0 where x is 0.
  GraphValue WithSignOf(const GraphValue& x, const GraphValue& d);
  // d where the condition holds, and 0 elsewhere, whatever d is there.
  GraphValue Where(const GraphValue& condition, const GraphValue& d) {
    return If(condition, d, Zeros(d));
  }
  GraphValue WhereNot(const GraphValue& condition, const GraphValue& d) {
    return If(condition, Zeros(d), d);
  }

  // 0, 1, 2, ... along the last of `dimensions` axes.
  GraphValue Sequence(DataType type, uint32_t count, uint32_t dimensions);
  // 1 where the index along the axis is that of `indices`, which have size 1 there; else 0.
  GraphValue OneHot(const GraphValue& indices, uint32_t axis, uint32_t count, DataType type);

  // A number everywhere, of the type and sizes of a value: one element, broadcast.
  GraphValue Fill(const GraphValue& like, double number);
  GraphValue Zeros(const GraphValue& like) { return Fill(like, 0); }
  // Axes of size 1 repeated.
  GraphValue Broadcast(const GraphValue& x, std::span<const uint32_t> sizes);
  GraphValue View(const GraphValue& x, std::span<const uint32_t> sizes,
                  std::span<const uint32_t> strides);
  // The same elements in the same order; copied where strides cannot say it.
  GraphValue Reshape(const GraphValue& x, std::span<const uint32_t> sizes);
  // The axes in another order.
  GraphValue Permute(const GraphValue& x, std::span<const uint32_t> order);
  GraphValue Packed(const GraphValue& x);  // itself, where it is

  bool ok() const { return !error_.has_value(); }
  // A refusal of the rule's own.
  GraphValue Refuse(Error error);
  Result<std::vector<GraphValue>> Finish(std::vector<GraphValue> gradients) const;

 private:
  GraphValue Take(Result<GraphValue> value);
  GraphValue Compare(std::string_view name, const GraphValue& a, const GraphValue& b);

  GradientBuilder& builder_;
  std::optional<Error> error_;
};

// The gradients of a rule: those of the inputs that are not wanted are absent, and what they
// need is not written.
template <class Function>
std::vector<GraphValue> ForWanted(const ForwardNode& node, Function gradient_of) {
  std::vector<GraphValue> gradients(node.inputs.size());
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (node.is_wanted[i]) gradients[i] = gradient_of(i);
  }
  return gradients;
}

// Of operators whose derivative is zero wherever it exists, and of those that depend on
// no input.
Result<std::vector<GraphValue>> ZeroGradient(const ForwardNode& node, GradientBuilder& builder);

}  // namespace anydml
