// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradients of REDUCE, softmaxes and running sums and products.
#include "operators/reduce/gradient.h"

#include <directml.h>

#include <algorithm>
#include <array>

#include "kernels/reduce/plan.h"
#include "operators/gradient_writer.h"
#include "operators/reduce/schema.h"

namespace anydml::reduce {
namespace {

using Gradients = Result<std::vector<GraphValue>>;
using Axes = std::vector<uint32_t>;

// A value with its reduced axes last, as rows: what works along one axis then works along all of
// them, in their logical order.
class Rows {
 public:
  Rows(const TensorDesc& tensor, std::span<const uint32_t> axes) : tensor_(tensor) {
    for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
      if (std::ranges::find(axes, i) == axes.end()) order_.push_back(i);
    }
    for (uint32_t i : order_) count_ *= tensor.sizes[i];
    for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
      if (std::ranges::find(axes, i) == axes.end()) continue;
      order_.push_back(i);
      size_ *= tensor.sizes[i];
    }
  }

  uint32_t count() const { return count_; }
  uint32_t size() const { return size_; }

  GraphValue Of(GradientWriter& write, const GraphValue& value) const {
    const uint32_t per_row = value.tensor.ElementCount() == tensor_.ElementCount() ? size_ : 1;
    return write.Reshape(write.Permute(value, order_), std::array{count_, per_row});
  }
  // The whole of rows that have been calculated.
  GraphValue Back(GradientWriter& write, const GraphValue& rows) const {
    std::vector<uint32_t> sizes, place(order_.size());
    for (size_t i = 0; i < order_.size(); ++i) {
      sizes.push_back(tensor_.sizes[order_[i]]);
      place[order_[i]] = static_cast<uint32_t>(i);
    }
    return write.Permute(write.Reshape(rows, sizes), place);
  }

 private:
  const TensorDesc& tensor_;
  Axes order_;
  uint32_t count_ = 1;
  uint32_t size_ = 1;
};

// The first of the greatest, or least, elements gets all of it.
GraphValue OfExtreme(GradientWriter& write, std::string_view function, const Rows& rows,
                     const GraphValue& x, const GraphValue& d) {
  const GraphValue index = write.Reduce(function, rows.Of(write, x), std::array{1u});
  const GraphValue is_first = write.OneHot(index, 1, rows.size(), DataType::kUint8);
  const GraphValue of_row = rows.Of(write, d);
  return rows.Back(
      write, write.Where(is_first, write.Broadcast(of_row, std::array{rows.count(), rows.size()})));
}

GraphValue ProductOfOthers(GradientWriter& write, const GraphValue& x, uint32_t direction) {
  schema::Settings settings = GradientWriter::Call("CUMULATIVE_PRODUCT");
  settings.Uint("Axis", 1).Uint("AxisDirection", direction).Uint("HasExclusiveProduct", 1);
  return write.Output(settings, {x});
}

// d times the product of what lies before the element and of what lies behind it: exact where
// factors are 0.
GraphValue OfProduct(GradientWriter& write, const Rows& rows, const GraphValue& value,
                     const GraphValue& d) {
  const GraphValue x = rows.Of(write, value);
  const GraphValue before = ProductOfOthers(write, x, DML_AXIS_DIRECTION_INCREASING);
  const GraphValue behind = ProductOfOthers(write, x, DML_AXIS_DIRECTION_DECREASING);
  const GraphValue others = write.Multiply(before, behind);
  const GraphValue of_row = rows.Of(write, d);
  return rows.Back(write, write.Multiply(write.Broadcast(of_row, x.tensor.Sizes()), others));
}

// d / y, and 0 at the kink.
GraphValue OfLength(GradientWriter& write, const GraphValue& y, const GraphValue& d) {
  const GraphValue is_positive = write.IsGreater(y, write.Zeros(y));
  const GraphValue quotient = write.Divide(d, y);
  return write.Where(is_positive, quotient);
}

GraphValue OfReduce(GradientWriter& write, const ForwardNode& node) {
  const GraphValue &x = node.inputs[0], &y = node.outputs[0], &d = node.output_gradients[0];
  const auto sizes = x.tensor.Sizes();
  const auto spread = [&](const GraphValue& value) { return write.Broadcast(value, sizes); };
  const Rows rows(x.tensor, node.arguments.Uints(kAxes));
  switch (static_cast<Function>(node.arguments.Uint(kReduceFunctionField))) {
    case Function::kSum:
      return spread(d);
    case Function::kAverage:
      return spread(write.Scale(d, 1 / static_cast<float>(rows.size())));
    case Function::kL1:
      return write.WithSignOf(x, spread(d));
    case Function::kL2:
      return write.Multiply(x, spread(OfLength(write, y, d)));
    case Function::kSumSquare:
      return write.Multiply(x, spread(write.Scale(d, 2)));
    case Function::kLogSum:
      return spread(write.Divide(d, write.Apply("EXP", {y})));
    case Function::kLogSumExp:
      return write.Multiply(spread(d), write.Apply("EXP", {write.Subtract(x, spread(y))}));
    case Function::kMax:
      return OfExtreme(write, "ARGMAX", rows, x, d);
    case Function::kMin:
      return OfExtreme(write, "ARGMIN", rows, x, d);
    case Function::kMultiply:
      return OfProduct(write, rows, x, d);
    default:
      return {};  // an index
  }
}

Axes SoftmaxAxes(const schema::Arguments& arguments) {
  if (arguments.schema().fields.size() <= kSoftmaxAxes) {
    return {arguments.tensor(kInput).dimension_count - 1};
  }
  const auto axes = arguments.Uints(kSoftmaxAxes);
  return {axes.begin(), axes.end()};
}

GraphValue SumOfEach(GradientWriter& write, const GraphValue& value, const Axes& axes) {
  return write.Broadcast(write.Sum(value, axes), value.tensor.Sizes());
}

}  // namespace

Gradients ReduceGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  return write.Finish({OfReduce(write, node)});
}

// y (d - sum(d y))
Gradients SoftmaxGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue& y = node.outputs[0];
  const GraphValue product = write.Multiply(node.output_gradients[0], y);
  const GraphValue sum = SumOfEach(write, product, SoftmaxAxes(node.arguments));
  return write.Finish({write.Subtract(product, write.Multiply(y, sum))});
}

// d - e^y sum(d)
Gradients LogSoftmaxGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue& d = node.output_gradients[0];
  const GraphValue sum = SumOfEach(write, d, SoftmaxAxes(node.arguments));
  const GraphValue softmax = write.Apply("EXP", {node.outputs[0]});
  return write.Finish({write.Subtract(d, write.Multiply(softmax, sum))});
}

// The same sums the other way round.
Gradients SummationGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  schema::Settings settings = GradientWriter::Call("CUMULATIVE_SUMMATION");
  settings.Copy(node.arguments, {"Axis", "HasExclusiveSum"});
  settings.Uint("AxisDirection", 1 - node.arguments.Uint(kScanDirection));
  return write.Finish({write.Output(settings, {node.output_gradients[0]})});
}

// Element i is a factor of the results j that lie behind it: their products without it are those
// of a row in which it is 1, and a square of such rows has them all. Exact where factors are 0.
Gradients ProductGradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const Rows rows(node.inputs[0].tensor, std::array{node.arguments.Uint(kScanAxis)});
  const uint32_t n = rows.size();
  const std::array square = {rows.count(), n, n};
  const auto along_rows = [&](const GraphValue& value) {
    const GraphValue row = write.Reshape(rows.Of(write, value), std::array{rows.count(), 1u, n});
    return write.Broadcast(row, square);
  };
  const GraphValue j = write.Sequence(DataType::kUint32, n, 3);
  const GraphValue all_j = write.Broadcast(j, square);
  const GraphValue all_i = write.View(j, square, std::array{0u, 1u, 0u});
  const GraphValue is_other = [&] {
    const GraphValue before = write.IsGreater(all_i, all_j);
    const GraphValue behind = write.IsGreater(all_j, all_i);
    return write.Apply("MAX", {before, behind});
  }();
  const GraphValue x = along_rows(node.inputs[0]);
  schema::Settings settings = GradientWriter::Call("CUMULATIVE_PRODUCT");
  settings.Copy(node.arguments, {"AxisDirection", "HasExclusiveProduct"}).Uint("Axis", 2);
  const GraphValue products = write.Output(settings, {write.If(is_other, x, write.Fill(x, 1))});
  // Which results have the element as a factor.
  const bool downwards = node.arguments.Uint(kScanDirection) == DML_AXIS_DIRECTION_DECREASING;
  const GraphValue &later = downwards ? all_i : all_j, &earlier = downwards ? all_j : all_i;
  const GraphValue has_factor = node.arguments.Uint(kScanExclusive) != 0
                                    ? write.IsGreater(later, earlier)
                                    : write.IsAtLeast(later, earlier);
  const GraphValue terms = write.Multiply(along_rows(node.output_gradients[0]), products);
  const GraphValue sums = write.Sum(write.Where(has_factor, terms), std::array{2u});
  return write.Finish({rows.Back(write, sums)});
}

}  // namespace anydml::reduce
