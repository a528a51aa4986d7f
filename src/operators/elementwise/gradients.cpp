// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/elementwise/gradients.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace anydml::elementwise::gradients {
namespace {

using Gradients = Result<std::vector<GraphValue>>;

constexpr double kSqrtOf2 = std::numbers::sqrt2;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kInverseSqrtOfPi = std::numbers::inv_sqrtpi;

// What the formulas below are written with: the node and the gradient of its output.
class Pen : public GradientWriter {
 public:
  Pen(const ForwardNode& node, GradientBuilder& builder)
      : GradientWriter(builder), node(node), y(node.outputs[0]), d(node.output_gradients[0]) {
    const size_t field = schema::FindField(node.arguments.schema(), "ScaleBias");
    if (field == node.arguments.schema().fields.size()) return;
    if (!node.arguments.IsPresent(field)) return;
    is_scaled_ = true;
    scale_ = node.arguments.FloatAt(field, 0);
    bias_ = node.arguments.FloatAt(field, 1);
  }

  // What the formula sees of the first input.
  GraphValue U() { return is_scaled_ ? Scale(node.inputs[0], scale_, bias_) : node.inputs[0]; }
  // The gradient of the first input from that of U.
  GraphValue OfInput(const GraphValue& of_u) { return is_scaled_ ? Scale(of_u, scale_) : of_u; }

  float Number(std::string_view field) const { return node.Float(field); }
  GraphValue IsPositive(const GraphValue& x) { return IsGreater(x, Zeros(x)); }
  // d where min < x < max, by CLIP_GRAD
  GraphValue ThroughClip(const GraphValue& x, const GraphValue& gradient, float min, float max) {
    return Output(Call("ELEMENT_WISE_CLIP_GRAD").Float("Min", min).Float("Max", max),
                  {x, gradient});
  }
  // Of the type of another value.
  GraphValue CastLike(const GraphValue& x, const GraphValue& like) {
    const TensorDesc& tensor = like.tensor;
    if (x.tensor.data_type == tensor.data_type) return x;
    return Output(
        Call("CAST").Tensor("OutputTensor", PackedTensor(tensor.data_type, tensor.Sizes())), {x});
  }
  // f(scale * x) of a function with a ScaleBias
  GraphValue OfScaled(std::string_view function, const GraphValue& x, float scale) {
    return Output(Call(function).ScaleBias(scale, 0), {x});
  }

  const ForwardNode& node;
  const GraphValue y;
  const GraphValue d;

 private:
  bool is_scaled_ = false;
  float scale_ = 1;
  float bias_ = 0;
};

// y = f(u): `derivative` gives the gradient of u.
template <class Derivative>
Gradients OfOne(const ForwardNode& node, GradientBuilder& builder, Derivative derivative) {
  Pen w(node, builder);
  return w.Finish(ForWanted(node, [&](size_t) { return w.OfInput(derivative(w)); }));
}

// y = f(a, b)
template <class OfA, class OfB>
Gradients OfTwo(const ForwardNode& node, GradientBuilder& builder, OfA of_a, OfB of_b) {
  Pen w(node, builder);
  const GraphValue &a = node.inputs[0], &b = node.inputs[1];
  return w.Finish(
      ForWanted(node, [&](size_t i) { return i == 0 ? of_a(w, a, b) : of_b(w, a, b); }));
}

// One of the last two inputs, the first one where the condition holds.
Gradients OfChoice(Pen& w, const ForwardNode& node, const GraphValue& condition) {
  return w.Finish(ForWanted(node, [&](size_t i) {
    return i + 2 == node.inputs.size() ? w.Where(condition, w.d) : w.WhereNot(condition, w.d);
  }));
}

// CLIP's and CLIP1's gradient of u by the operator for it.
GraphValue Clipped(Pen& w, std::string_view name, const GraphValue& u) {
  schema::Settings settings = GradientWriter::Call(name);
  settings.Copy(w.node.arguments, {"MinMaxDataType", "Min", "Max"});
  return w.Output(settings, {u, w.d});
}

// x where it is positive and a multiple of e^x - 1, whose derivative is y + `limit`, elsewhere.
GraphValue OfExponential(Pen& w, float above, float slope, float limit) {
  const GraphValue is_above = w.IsPositive(w.node.inputs[0]);
  const GraphValue of_above = above == 1 ? w.d : w.Scale(w.d, above);
  const GraphValue of_below = w.Multiply(w.d, w.Scale(w.y, slope, limit));
  return w.If(is_above, of_above, of_below);
}

}  // namespace

Gradients Identity(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return w.d; });
}
Gradients Negate(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return w.Negate(w.d); });
}
Gradients Abs(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return w.WithSignOf(w.U(), w.d); });
}
Gradients Recip(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return w.Negate(w.Multiply(w.d, w.Square(w.y))); });
}
Gradients Sqrt(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return w.Divide(w.Scale(w.d, 0.5f), w.y); });
}
// From a floating-point type to another: integers have no gradient.
Gradients Cast(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return w.CastLike(w.d, w.node.inputs[0]); });
}

Gradients Add(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  return w.Finish(ForWanted(node, [&](size_t) { return w.d; }));
}
Gradients Subtract(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  return w.Finish(ForWanted(node, [&](size_t i) { return i == 0 ? w.d : w.Negate(w.d); }));
}
Gradients Multiply(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  return w.Finish(ForWanted(node, [&](size_t i) { return w.Multiply(w.d, node.inputs[1 - i]); }));
}
Gradients Divide(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  const GraphValue quotient = w.Divide(w.d, node.inputs[1]);
  return w.Finish(ForWanted(
      node, [&](size_t i) { return i == 0 ? quotient : w.Negate(w.Multiply(quotient, w.y)); }));
}
// Ties go to the first one.
Gradients Max(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  return OfChoice(w, node, w.IsAtLeast(node.inputs[0], node.inputs[1]));
}
Gradients Min(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  return OfChoice(w, node, w.IsAtLeast(node.inputs[1], node.inputs[0]));
}
Gradients If(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  return OfChoice(w, node, node.inputs[0]);
}

// d and -d * (a / b, rounded as the modulus does)
Gradients OfModulus(const ForwardNode& node, GradientBuilder& builder,
                    const schema::Settings& round) {
  return OfTwo(
      node, builder, [](Pen& w, auto&&...) { return w.d; },
      [&](Pen& w, auto& a, auto& b) {
        const GraphValue whole = w.Output(round, {w.Divide(a, b)});
        return w.Negate(w.Multiply(w.d, whole));
      });
}
Gradients ModulusTruncate(const ForwardNode& node, GradientBuilder& builder) {
  return OfModulus(node, builder,
                   GradientWriter::Call("ELEMENT_WISE_ROUND").Uint("RoundingMode", 1));
}
Gradients ModulusFloor(const ForwardNode& node, GradientBuilder& builder) {
  return OfModulus(node, builder, GradientWriter::Call("ELEMENT_WISE_FLOOR"));
}
Gradients Mean(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  const GraphValue half = w.Scale(w.d, 0.5f);
  return w.Finish(ForWanted(node, [&](size_t) { return half; }));
}
Gradients DifferenceSquare(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  const GraphValue difference = w.Subtract(node.inputs[0], node.inputs[1]);
  const GraphValue of_a = w.Multiply(w.Scale(w.d, 2), difference);
  return w.Finish(ForWanted(node, [&](size_t i) { return i == 0 ? of_a : w.Negate(of_a); }));
}
// Of the scale, the only input that is no integer: x - zero.
Gradients Dequantize(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  return w.Finish(ForWanted(node, [&](size_t i) {
    if (i != 1) return GraphValue();
    std::vector<GraphValue> inputs(node.inputs.begin(), node.inputs.end());
    inputs[1] = w.Fill(w.d, 1);
    const auto settings = GradientWriter::Call("ELEMENT_WISE_DEQUANTIZE_LINEAR");
    return w.Multiply(w.d, w.Outputs(settings, inputs)[0]);
  }));
}

Gradients Exp(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return w.Multiply(w.d, w.y); });
}
Gradients Log(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return w.Divide(w.d, w.U()); });
}
// 2 / sqrt(pi) * e^(-u^2)
Gradients Erf(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const GraphValue power = w.OfScaled("ELEMENT_WISE_EXP", w.Square(w.U()), -1);
    return w.Multiply(w.d, w.Scale(power, static_cast<float>(2 * kInverseSqrtOfPi)));
  });
}
Gradients Tanh(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder,
               [](Pen& w) { return w.Multiply(w.d, w.Scale(w.Square(w.y), -1, 1)); });
}

Gradients Clip(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return Clipped(w, "ELEMENT_WISE_CLIP_GRAD", w.U()); });
}
Gradients Clip1(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return Clipped(w, "ELEMENT_WISE_CLIP_GRAD1", w.U()); });
}
Gradients Threshold(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder,
               [](Pen& w) { return w.ThroughClip(w.U(), w.d, w.Number("Min"), kInfinity); });
}
Gradients Relu(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return w.Apply("RELU_GRAD", {w.node.inputs[0], w.d}); });
}

// Linear in the gradient, the second input; of the first the derivative is 0.
Gradients ClipGrad(const ForwardNode& node, GradientBuilder& builder) {
  return OfTwo(
      node, builder, [](auto&&...) { return GraphValue(); },
      [](Pen& w, auto& x, auto&) { return Clipped(w, "ELEMENT_WISE_CLIP_GRAD", x); });
}
Gradients ClipGrad1(const ForwardNode& node, GradientBuilder& builder) {
  return OfTwo(
      node, builder, [](auto&&...) { return GraphValue(); },
      [](Pen& w, auto& x, auto&) { return Clipped(w, "ELEMENT_WISE_CLIP_GRAD1", x); });
}
Gradients ReluGrad(const ForwardNode& node, GradientBuilder& builder) {
  return OfTwo(
      node, builder, [](auto&&...) { return GraphValue(); },
      [](Pen& w, auto& x, auto&) {
        return w.Apply("RELU_GRAD", {x, w.d});
      });
}

Gradients Linear(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return w.Scale(w.d, w.Number("Alpha")); });
}
Gradients LeakyRelu(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const GraphValue is_positive = w.IsPositive(w.U());
    return w.If(is_positive, w.d, w.Scale(w.d, w.Number("Alpha")));
  });
}
Gradients ThresholdedRelu(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const GraphValue x = w.U();
    return w.Where(w.IsGreater(x, w.Fill(x, w.Number("Alpha"))), w.d);
  });
}
Gradients HardSigmoid(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const float alpha = w.Number("Alpha");
    const GraphValue inside = w.Scale(w.U(), alpha, w.Number("Beta"));
    return w.Scale(w.ThroughClip(inside, w.d, 0, 1), alpha);
  });
}
// 1 / (1 + |x|)^2
Gradients Softsign(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const GraphValue divisor = w.Scale(w.Apply("ABS", {w.U()}), 1, 1);
    return w.Multiply(w.d, w.Square(w.Apply("RECIP", {divisor})));
  });
}
Gradients Sigmoid(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder,
               [](Pen& w) { return w.Multiply(w.d, w.Multiply(w.y, w.Scale(w.y, -1, 1))); });
}
// P(x) + x * p(x) of the normal distribution.
Gradients Gelu(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const GraphValue x = w.U();
    const GraphValue erf = w.OfScaled("ELEMENT_WISE_ERF", x, static_cast<float>(1 / kSqrtOf2));
    const GraphValue distribution = w.Scale(erf, 0.5f, 0.5f);
    const GraphValue density = w.Scale(w.OfScaled("ELEMENT_WISE_EXP", w.Square(x), -0.5f),
                                       static_cast<float>(kInverseSqrtOfPi / kSqrtOf2));
    return w.Multiply(w.d, w.Add(distribution, w.Multiply(x, density)));
  });
}
Gradients Elu(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return OfExponential(w, 1, 1, w.Number("Alpha")); });
}
// e^(x / Alpha) = y / Alpha + 1
Gradients Celu(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return OfExponential(w, 1, 1 / w.Number("Alpha"), 1); });
}
Gradients ScaledElu(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const float gamma = w.Number("Gamma");
    return OfExponential(w, gamma, 1, w.Number("Alpha") * gamma);
  });
}
// Alpha * Beta * (1 - tanh(Beta * x)^2), where the tangent is found again: Alpha may be 0.
Gradients ScaledTanh(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const float factor = w.Number("Alpha") * w.Number("Beta");
    const GraphValue tanh = w.OfScaled("ELEMENT_WISE_TANH", w.U(), w.Number("Beta"));
    return w.Multiply(w.d, w.Scale(w.Square(tanh), -factor, factor));
  });
}
Gradients ParameterizedRelu(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  const GraphValue &x = node.inputs[0], &slope = node.inputs[1];
  const GraphValue is_positive = w.IsPositive(x);
  return w.Finish(ForWanted(node, [&](size_t i) {
    return i == 0 ? w.If(is_positive, w.d, w.Multiply(w.d, slope))
                  : w.WhereNot(is_positive, w.Multiply(w.d, x));
  }));
}
Gradients Shrink(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const GraphValue size = w.Apply("ABS", {w.U()});
    return w.Where(w.IsGreater(size, w.Fill(size, w.Number("Threshold"))), w.d);
  });
}
// t + x * Alpha where t = Alpha * x + Beta lies between 0 and 1, else 0 or 1.
Gradients HardSwish(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const GraphValue x = w.U();
    const float alpha = w.Number("Alpha");
    const GraphValue t = w.Scale(x, alpha, w.Number("Beta"));
    const GraphValue gate =
        w.Output(GradientWriter::Call("ELEMENT_WISE_CLIP").Float("Min", 0).Float("Max", 1), {t});
    const GraphValue of_gate = w.Multiply(w.Scale(w.d, alpha), x);
    return w.Add(w.Multiply(w.d, gate), w.ThroughClip(t, of_gate, 0, 1));
  });
}

Gradients Softplus(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const GraphValue steep = w.Scale(w.U(), w.Number("Steepness"));
    return w.Multiply(w.d, w.Apply("SIGMOID", {steep}));
  });
}
Gradients ParametricSoftplus(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const float beta = w.Number("Beta");
    const GraphValue product = w.Scale(w.U(), beta);
    const GraphValue slope = w.Apply("SIGMOID", {product});
    return w.Multiply(w.Scale(w.d, w.Number("Alpha") * beta), slope);
  });
}
// s + Scale * y * (1 - s), where s is the sigmoid.
Gradients Swish(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const float scale = w.Number("SigmoidInputScale");
    const GraphValue product = w.Scale(w.U(), scale);
    const GraphValue s = w.Apply("SIGMOID", {product});
    const GraphValue rest = w.Scale(s, -1, 1);
    return w.Multiply(w.d, w.Add(s, w.Multiply(w.Scale(w.y, scale), rest)));
  });
}

namespace {

// d times another function of u, or its opposite.
Gradients OfFunction(const ForwardNode& node, GradientBuilder& builder, std::string_view name,
                     bool is_negative = false) {
  return OfOne(node, builder, [&](Pen& w) {
    const GraphValue product = w.Multiply(w.d, w.Apply(name, {w.U()}));
    return is_negative ? w.Negate(product) : product;
  });
}

// d / (scale * u^2 + bias), or its root below.
Gradients OfSquare(const ForwardNode& node, GradientBuilder& builder, float scale, float bias,
                   bool is_root) {
  return OfOne(node, builder, [&](Pen& w) {
    const GraphValue square = w.Scale(w.Square(w.U()), scale, bias);
    return w.Divide(w.d, is_root ? w.Apply("SQRT", {square}) : square);
  });
}

}  // namespace

Gradients Sin(const ForwardNode& node, GradientBuilder& builder) {
  return OfFunction(node, builder, "COS");
}
Gradients Cos(const ForwardNode& node, GradientBuilder& builder) {
  return OfFunction(node, builder, "SIN", true);
}
Gradients Tan(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) { return w.Multiply(w.d, w.Scale(w.Square(w.y), 1, 1)); });
}
Gradients Asin(const ForwardNode& node, GradientBuilder& builder) {
  return OfSquare(node, builder, -1, 1, true);
}
Gradients Acos(const ForwardNode& node, GradientBuilder& builder) {
  return OfOne(node, builder, [](Pen& w) {
    const GraphValue root = w.Apply("SQRT", {w.Scale(w.Square(w.U()), -1, 1)});
    return w.Negate(w.Divide(w.d, root));
  });
}
Gradients Atan(const ForwardNode& node, GradientBuilder& builder) {
  return OfSquare(node, builder, 1, 1, false);
}
Gradients Sinh(const ForwardNode& node, GradientBuilder& builder) {
  return OfFunction(node, builder, "COSH");
}
Gradients Cosh(const ForwardNode& node, GradientBuilder& builder) {
  return OfFunction(node, builder, "SINH");
}
Gradients Asinh(const ForwardNode& node, GradientBuilder& builder) {
  return OfSquare(node, builder, 1, 1, true);
}
Gradients Acosh(const ForwardNode& node, GradientBuilder& builder) {
  return OfSquare(node, builder, 1, -1, true);
}
Gradients Atanh(const ForwardNode& node, GradientBuilder& builder) {
  return OfSquare(node, builder, -1, 1, false);
}

// Exponent * u^(Exponent - 1); of u^0 it is 0, also where u is.
Gradients ConstantPow(const ForwardNode& node, GradientBuilder& builder) {
  if (node.Float("Exponent") == 0) return ZeroGradient(node, builder);
  return OfOne(node, builder, [](Pen& w) {
    const float exponent = w.Number("Exponent");
    schema::Settings power = GradientWriter::Call("ELEMENT_WISE_CONSTANT_POW");
    power.Float("Exponent", exponent - 1);
    return w.Scale(w.Multiply(w.d, w.Output(power, {w.U()})), exponent);
  });
}
// e * u^(e - 1), and y * ln u: 0 where e is, and where y is, since the other factor may be infinite
// there. The exponent may be of another type, of which integers have none.
Gradients Pow(const ForwardNode& node, GradientBuilder& builder) {
  Pen w(node, builder);
  const GraphValue u = w.U(), &e = node.inputs[1];
  return w.Finish(ForWanted(node, [&](size_t i) {
    if (i == 1) {
      const GraphValue is_zero = w.IsEqual(w.y, w.Zeros(w.y));
      const GraphValue product = w.Multiply(w.d, w.Multiply(w.y, w.Apply("LOG", {u})));
      return w.CastLike(w.WhereNot(is_zero, product), e);
    }
    const GraphValue is_zero = w.IsEqual(e, w.Zeros(e));
    const GraphValue power = w.Apply("POW", {u, w.Scale(e, 1, -1)});
    const GraphValue product = w.Multiply(w.d, w.Multiply(w.CastLike(e, u), power));
    return w.OfInput(w.WhereNot(is_zero, product));
  }));
}
// x / (y^2 + x^2) and -y / (y^2 + x^2)
Gradients AtanYx(const ForwardNode& node, GradientBuilder& builder) {
  return OfTwo(
      node, builder,
      [](Pen& w, auto& y, auto& x) {
        const GraphValue of_y = w.Square(y);
        return w.Multiply(w.Divide(w.d, w.Add(of_y, w.Square(x))), x);
      },
      [](Pen& w, auto& y, auto& x) {
        const GraphValue of_y = w.Square(y);
        return w.Negate(w.Multiply(w.Divide(w.d, w.Add(of_y, w.Square(x))), y));
      });
}

}  // namespace anydml::elementwise::gradients
