// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What holds between RESAMPLE2 and RESAMPLE_GRAD1 for every description: the
// gradient is the forward operator's adjoint, keeps sums, agrees with finite
// differences and with a double-precision evaluation within the bound of B13,
// and depends neither on layout, nor on threads, nor on the run.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "properties/resample_pair.h"
#include "support/tensor_data.h"

namespace anydml::test {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

constexpr int kDescriptions = 240;

// The bytes of the result's elements in logical order.
std::vector<uint8_t> RunBytes(const schema::Arguments& arguments,
                              const std::vector<uint8_t>& elements, int threads) {
  const Definition* definition = FindOperator(arguments.schema().type);
  const Result<Operator> op = CreateOperator(*definition, arguments, {});
  EXPECT_TRUE(op.ok());
  const Result<CpuProgram> program = Compile(op.value());
  TensorMemory input(arguments.tensor(0)), output(arguments.tensor(1));
  input.SetElements(elements);
  TemporaryMemory temporary(program.value().temporary_bytes);
  Bindings bindings;
  bindings.inputs[0] = input.data();
  bindings.outputs[0] = output.data();
  bindings.temporary = temporary.data();
  EXPECT_TRUE(Run(program.value(), bindings, cpu::Executor(threads)).ok());
  return output.Elements();
}

template <typename T>
std::vector<uint8_t> BytesOf(const std::vector<T>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Floats RunFloats(const schema::Arguments& arguments, const Floats& values) {
  const std::vector<uint8_t> bytes = RunBytes(arguments, BytesOf(values), 1);
  Floats result(bytes.size() / sizeof(float));
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

size_t Count(const std::vector<uint32_t>& sizes) {
  size_t count = 1;
  for (uint32_t size : sizes) count *= size;
  return count;
}

Floats RandomIntegers(std::mt19937& random, size_t count) {
  Floats values(count);
  for (float& value : values) value = static_cast<float>(static_cast<int>(random() % 41) - 20);
  return values;
}

Floats RandomFloats(std::mt19937& random, size_t count) {
  Floats values(count);
  for (float& value : values) {
    value = std::ldexp(static_cast<float>(random() % 2001) - 1000, static_cast<int>(random() % 9));
  }
  return values;
}

// ---- A double-precision evaluation of the definition: every output element is
// a sum over all combinations of taps.

struct Tap {
  uint64_t pixel;
  double weight;
};

std::vector<Tap> TapsOf(const Pair& pair, uint32_t axis, uint32_t o) {
  const float x = (static_cast<float>(o) - pair.out[axis]) / pair.scales[axis] - pair.in[axis];
  const double last = pair.n[axis] - 1.0;
  if (!pair.linear) {
    const double whole = pair.increasing ? std::ceil(x) : std::floor(x);
    return {{static_cast<uint64_t>(std::clamp(whole, 0.0, last)), 1}};
  }
  const double t = std::clamp<double>(x, 0, last);
  const double w = t - std::floor(t);
  const auto i = static_cast<uint64_t>(t);
  if (w == 0) return {{i, 1}};
  return {{i, 1 - w}, {i + 1, w}};
}

// Calls f(logical index of the pixel, logical index of the sample, weight).
template <typename F>
void ForEachTerm(const Pair& pair, F&& f) {
  for (size_t sample = 0; sample < Count(pair.m); ++sample) {
    std::vector<Tap> products = {{0, 1.0}};
    size_t rest = sample, stride = 1;
    for (uint32_t axis = pair.rank; axis-- > 0;) {
      std::vector<Tap> grown;
      for (const Tap& tap : TapsOf(pair, axis, static_cast<uint32_t>(rest % pair.m[axis]))) {
        for (const Tap& product : products) {
          grown.push_back({product.pixel + tap.pixel * stride, product.weight * tap.weight});
        }
      }
      products = std::move(grown);
      rest /= pair.m[axis];
      stride *= pair.n[axis];
    }
    for (const Tap& product : products) f(product.pixel, sample, product.weight);
  }
}

// Exact up to double, and what B13 allows: (t + 2d) 2^-24 sum|terms| + t d 2^-149.
struct Evaluation {
  Doubles values;
  Doubles bounds;
};

Evaluation Evaluate(const Pair& pair, bool gradient, const Floats& input) {
  const size_t count = Count(gradient ? pair.n : pair.m);
  Evaluation result = {Doubles(count), Doubles(count)};
  Doubles magnitude(count), terms(count);
  ForEachTerm(pair, [&](uint64_t pixel, uint64_t sample, double weight) {
    const uint64_t to = gradient ? pixel : sample, from = gradient ? sample : pixel;
    const double term = weight * input[from];
    result.values[to] += term;
    magnitude[to] += std::fabs(term);
    terms[to] += 1;
  });
  for (size_t i = 0; i < count; ++i) {
    result.bounds[i] =
        (terms[i] + 2 * pair.rank) * 0x1p-24 * magnitude[i] + terms[i] * pair.rank * 0x1p-149;
  }
  return result;
}

double Dot(const Floats& a, const Floats& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

// sum of |factor| * bound: how far a dot product with `factors` may be off.
double Slack(const Evaluation& evaluation, const Floats& factors) {
  double sum = 0;
  for (size_t i = 0; i < factors.size(); ++i) {
    sum += std::fabs(factors[i]) * evaluation.bounds[i];
  }
  return sum;
}

template <typename F>
void ForRandomPairs(F&& f) {
  std::mt19937 random(20260729);
  for (int i = 0; i < kDescriptions; ++i) {
    SCOPED_TRACE(i);
    f(RandomPair(random), random);
    if (testing::Test::HasFailure()) return;
  }
}

// sum(RESAMPLE2(x) * g) = sum(x * RESAMPLE_GRAD1(g)). Integers through NEAREST
// are exact.
TEST(ResampleProperties, GradientIsTheAdjointOfTheForwardOperator) {
  ForRandomPairs([](const Pair& pair, std::mt19937& random) {
    const Floats x = RandomIntegers(random, Count(pair.n)),
                 g = RandomIntegers(random, Count(pair.m));
    const double forward = Dot(RunFloats(Describe(pair, false), x), g);
    const double backward = Dot(x, RunFloats(Describe(pair, true), g));
    if (!pair.linear) {
      EXPECT_EQ(forward, backward);
    } else {
      const double slack = Slack(Evaluate(pair, false, x), g) + Slack(Evaluate(pair, true, g), x);
      EXPECT_NEAR(forward, backward, slack);
    }
  });
}

TEST(ResampleProperties, GradientKeepsTheSum) {
  ForRandomPairs([](const Pair& pair, std::mt19937& random) {
    const Floats g = RandomIntegers(random, Count(pair.m));
    const Floats pixels(Count(pair.n), 1), samples(Count(pair.m), 1);
    const double before = Dot(g, samples);
    const double after = Dot(RunFloats(Describe(pair, true), g), pixels);
    if (!pair.linear) {
      EXPECT_EQ(after, before);
    } else {
      EXPECT_NEAR(after, before, Slack(Evaluate(pair, true, g), pixels));
    }
  });
}

TEST(ResampleProperties, ErrorsStayWithinTheBound) {
  ForRandomPairs([](const Pair& pair, std::mt19937& random) {
    for (bool gradient : {false, true}) {
      const Floats input = RandomFloats(random, Count(gradient ? pair.m : pair.n));
      const Evaluation exact = Evaluate(pair, gradient, input);
      const Floats result = RunFloats(Describe(pair, gradient), input);
      for (size_t i = 0; i < result.size(); ++i) {
        EXPECT_NEAR(result[i], exact.values[i], exact.bounds[i]) << gradient << ' ' << i;
      }
    }
  });
}

// The forward operator is linear, so a difference over any step is exact but
// for rounding: (F(x + e) - F(x - e)) / 2 in the direction g is the gradient.
TEST(ResampleProperties, GradientAgreesWithFiniteDifferences) {
  ForRandomPairs([](const Pair& pair, std::mt19937& random) {
    const Floats x = RandomIntegers(random, Count(pair.n)),
                 g = RandomIntegers(random, Count(pair.m));
    const Evaluation exact = Evaluate(pair, true, g);
    const Floats dx = RunFloats(Describe(pair, true), g);
    for (int k = 0; k < 4; ++k) {
      const size_t pixel = random() % x.size();
      Floats above = x, below = x;
      above[pixel] += 1;
      below[pixel] -= 1;
      const double difference = (Dot(RunFloats(Describe(pair, false), above), g) -
                                 Dot(RunFloats(Describe(pair, false), below), g)) /
                                2;
      const double slack =
          (Slack(Evaluate(pair, false, above), g) + Slack(Evaluate(pair, false, below), g)) / 2;
      EXPECT_NEAR(difference, dx[pixel], pair.linear ? slack + exact.bounds[pixel] : 0);
    }
  });
}

TEST(ResampleProperties, EveryLayoutRunAndThreadCountGivesThePackedBits) {
  ForRandomPairs([](const Pair& pair, std::mt19937& random) {
    for (DataType type : {DataType::kFloat32, DataType::kFloat16}) {
      for (bool gradient : {false, true}) {
        const schema::Arguments packed = Describe(pair, gradient, type);
        TensorMemory memory(packed.tensor(0));
        memory.FillRandom(random);
        const std::vector<uint8_t> input = memory.Elements();
        const std::vector<uint8_t> expected = RunBytes(packed, input, 1);
        EXPECT_EQ(RunBytes(packed, input, 1), expected) << "a second run";
        EXPECT_EQ(RunBytes(packed, input, 3), expected) << "three threads";
        for (Layout layout :
             {Layout::kPermuted, Layout::kPaddedRows, Layout::kGaps, Layout::kMixed}) {
          const std::vector<uint8_t> result = RunBytes(WithLayout(packed, layout), input, 1);
          EXPECT_EQ(FindDifference(packed.tensor(1), expected, result, /*nan_is_nan=*/true),
                    std::nullopt)
              << LayoutName(layout);
        }
      }
    }
  });
}

}  // namespace
}  // namespace anydml::test
