// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What must hold between MAX_POOLING_GRAD and MAX_POOLING2 whatever the
// description: checked on random ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/tensor_data.h"

namespace anydml::test {
namespace {

constexpr uint32_t kDescriptions = 800;

using Bytes = std::vector<uint8_t>;

template <typename T>
std::vector<T> As(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <typename T>
Bytes BytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

uint32_t Between(std::mt19937& random, uint32_t least, uint32_t most) {
  return least + static_cast<uint32_t>(random() % (most - least + 1));
}

// One window geometry, as cases of both operators.
struct Geometry {
  CaseSizes wide, narrow;
  std::array<CaseSetting, kMaxCaseSettings> settings = {};

  Case Gradient() const { return {"random", {wide, narrow, wide}, settings}; }
  Case Forward() const { return {"random", {wide, narrow, narrow}, settings}; }
};

// Small axes, so that windows overhang, miss the input or cover all of it; some
// widths are long enough for vectors.
Geometry RandomGeometry(std::mt19937& random) {
  constexpr std::string_view kNames[] = {"WindowSize", "Strides", "StartPadding", "EndPadding",
                                         "Dilations"};
  Geometry geometry;
  for (size_t k = 0; k < std::size(kNames); ++k) geometry.settings[k].field = kNames[k];
  const uint32_t axes = Between(random, 2, 3);
  geometry.wide = geometry.narrow = {Between(random, 1, 2), Between(random, 1, 3)};
  for (uint32_t axis = 0; axis < axes; ++axis) {
    const bool long_row = axis + 1 == axes && random() % 2 == 0;
    uint32_t size, span, padded, values[5];
    do {
      size = long_row ? Between(random, 30, 50) : Between(random, 1, 8);
      for (auto [k, most] : {std::pair{0, 4u}, {1, 3u}, {4, 3u}})
        values[k] = Between(random, 1, most);
      for (int k : {2, 3}) values[k] = random() % 2 == 0 ? 0 : Between(random, 0, 4);
      span = (values[0] - 1) * values[4] + 1;
      padded = size + values[2] + values[3];
    } while (span > padded);
    const uint32_t round_up = random() % 3 == 0 ? values[1] - 1 : 0;
    geometry.wide.values[geometry.wide.count++] = size;
    geometry.narrow.values[geometry.narrow.count++] = (padded - span + round_up) / values[1] + 1;
    for (int k = 0; k < 5; ++k) {
      geometry.settings[k].values[geometry.settings[k].count++] = values[k];
    }
  }
  return geometry;
}

// A description with memory: elements in, elements out, through the strategy
// that would be chosen.
class Runner {
 public:
  Runner(std::string_view name, const Case& c, DataType type, Layout layout = Layout::kPacked) {
    const Definition& definition = *FindOperator(name);
    TypeAssignment types(definition.schema->fields.size(), type);
    for (size_t i = 0; i < types.size(); ++i) {
      if (definition.schema->fields[i].name == "OutputIndicesTensor") types[i] = DataType::kUint64;
    }
    Result<Operator> op =
        CreateOperator(definition, WithLayout(*Describe(*definition.schema, c, types), layout), {});
    EXPECT_TRUE(op.ok()) << op.error().message;
    program_ = Compile(op.value()).value();
    for (size_t field : program_.op.arguments->inputs()) {
      inputs_.emplace_back(program_.op.arguments->tensor(field));
    }
    for (size_t field : program_.op.arguments->outputs()) {
      outputs_.emplace_back(program_.op.arguments->tensor(field));
    }
  }

  const TensorDesc& input(size_t i) const { return inputs_[i].desc(); }
  const TensorDesc& output(size_t i) const { return outputs_[i].desc(); }

  std::vector<Bytes> operator()(const std::vector<Bytes>& elements, int threads = 2) {
    Bindings bindings;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      inputs_[i].SetElements(elements[i]);
      bindings.inputs[i] = inputs_[i].data();
    }
    for (size_t i = 0; i < outputs_.size(); ++i) bindings.outputs[i] = outputs_[i].data();
    TemporaryMemory temporary(program_.temporary_bytes);
    bindings.temporary = temporary.data();
    EXPECT_TRUE(Run(program_, bindings, cpu::Executor(threads)).ok());
    std::vector<Bytes> results;
    for (const TensorMemory& output : outputs_) results.push_back(output.Elements());
    return results;
  }

 private:
  CpuProgram program_;
  std::vector<TensorMemory> inputs_, outputs_;
};

Bytes RandomElements(const TensorDesc& tensor, std::mt19937& random) {
  TensorMemory memory(tensor);
  memory.FillRandom(random);
  return memory.Elements();
}

// Exact in both types, sums included.
Bytes RandomIntegers(const TensorDesc& tensor, std::mt19937& random) {
  Bytes bytes;
  for (uint64_t i = 0; i < tensor.ElementCount(); ++i) {
    const float value = static_cast<float>(random() % 17) - 8.0f;
    const Bytes element = tensor.data_type == DataType::kFloat32
                              ? BytesOf(std::vector{value})
                              : BytesOf(std::vector{ToFloat16(value)});
    bytes.insert(bytes.end(), element.begin(), element.end());
  }
  return bytes;
}

std::vector<float> Floats(DataType type, const Bytes& bytes) {
  if (type == DataType::kFloat32) return As<float>(bytes);
  std::vector<float> values;
  for (Float16 half : As<Float16>(bytes)) values.push_back(ToFloat(half));
  return values;
}

Bytes Rounded(DataType type, const std::vector<float>& values) {
  if (type == DataType::kFloat32) return BytesOf(values);
  std::vector<Float16> halves;
  for (float value : values) halves.push_back(ToFloat16(value));
  return BytesOf(halves);
}

constexpr uint64_t kNoIndex = ~uint64_t{0};

// Calls check(geometry, type, random) for every random description.
template <typename Check>
void ForEachDescription(const Check& check) {
  for (uint32_t seed = 0; seed < kDescriptions; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937 random(seed);
    const Geometry geometry = RandomGeometry(random);
    check(geometry, seed % 2 == 0 ? DataType::kFloat32 : DataType::kFloat16, random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(MaxPoolingProperties, GradientKeepsTheSumWhereEveryWindowHasTaps) {
  int checked = 0;
  ForEachDescription([&](const Geometry& geometry, DataType type, std::mt19937& random) {
    Runner forward("MAX_POOLING2", geometry.Forward(), type);
    Runner gradient("MAX_POOLING_GRAD", geometry.Gradient(), type);
    const Bytes x = RandomElements(gradient.input(0), random);
    const Bytes dy = RandomIntegers(gradient.input(1), random);
    const std::vector<uint64_t> indices = As<uint64_t>(forward({x})[1]);
    if (std::ranges::count(indices, kNoIndex) != 0) return;
    ++checked;
    const std::vector<float> in = Floats(type, dy), out = Floats(type, gradient({x, dy})[0]);
    EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0.0),
              std::accumulate(in.begin(), in.end(), 0.0));
  });
  EXPECT_GE(checked, 200);
}

TEST(MaxPoolingProperties, GradientIsScatteredToTheForwardIndices) {
  ForEachDescription([&](const Geometry& geometry, DataType type, std::mt19937& random) {
    Runner forward("MAX_POOLING2", geometry.Forward(), type);
    Runner gradient("MAX_POOLING_GRAD", geometry.Gradient(), type);
    const Bytes x = RandomElements(gradient.input(0), random);
    const Bytes dy = RandomElements(gradient.input(1), random);
    const std::vector<uint64_t> indices = As<uint64_t>(forward({x})[1]);
    const std::vector<float> terms = Floats(type, dy);
    std::vector<float> sums(gradient.input(0).ElementCount(), 0.0f);
    for (size_t i = 0; i < terms.size(); ++i) {
      if (indices[i] != kNoIndex) sums[indices[i]] += terms[i];
    }
    EXPECT_EQ(FindDifference(gradient.output(0), Rounded(type, sums), gradient({x, dy})[0], true),
              std::nullopt);
  });
}

TEST(MaxPoolingProperties, EveryLayoutGivesThePackedResult) {
  ForEachDescription([&](const Geometry& geometry, DataType type, std::mt19937& random) {
    Runner gradient("MAX_POOLING_GRAD", geometry.Gradient(), type);
    Runner forward("MAX_POOLING2", geometry.Forward(), type);
    const Bytes x = RandomElements(gradient.input(0), random);
    const Bytes dy = RandomElements(gradient.input(1), random);
    for (Layout layout : {Layout::kPermuted, Layout::kPaddedRows, Layout::kGaps, Layout::kMixed}) {
      SCOPED_TRACE(LayoutName(layout));
      Runner other_gradient("MAX_POOLING_GRAD", geometry.Gradient(), type, layout);
      Runner other_forward("MAX_POOLING2", geometry.Forward(), type, layout);
      EXPECT_EQ(FindDifference(gradient.output(0), gradient({x, dy})[0], other_gradient({x, dy})[0],
                               true),
                std::nullopt);
      EXPECT_EQ(forward({x}), other_forward({x}));
    }
  });
}

TEST(MaxPoolingProperties, TwoRunsGiveTheSameBits) {
  ForEachDescription([&](const Geometry& geometry, DataType type, std::mt19937& random) {
    Runner gradient("MAX_POOLING_GRAD", geometry.Gradient(), type);
    const Bytes x = RandomElements(gradient.input(0), random);
    const Bytes dy = RandomElements(gradient.input(1), random);
    const std::vector<Bytes> first = gradient({x, dy}, 3);
    EXPECT_EQ(gradient({x, dy}, 3), first);
    EXPECT_EQ(gradient({x, dy}, 1), first);
  });
}

// All elements differ by 1 or more, so a step of 1/4 changes no winner, and all
// numbers are exact.
TEST(MaxPoolingProperties, GradientAgreesWithFiniteDifferences) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937 random(1000 + seed);
    const Geometry geometry = RandomGeometry(random);
    Runner forward("MAX_POOLING2", geometry.Forward(), DataType::kFloat32);
    Runner gradient("MAX_POOLING_GRAD", geometry.Gradient(), DataType::kFloat32);
    std::vector<float> x(gradient.input(0).ElementCount());
    std::iota(x.begin(), x.end(), -10.0f);
    std::shuffle(x.begin(), x.end(), random);
    const Bytes dy = RandomIntegers(gradient.input(1), random);
    const std::vector<float> weights = As<float>(dy);
    const auto loss = [&] {
      const std::vector<float> y = As<float>(forward({BytesOf(x)}, 1)[0]);
      double sum = 0;
      for (size_t i = 0; i < y.size(); ++i) {
        if (std::isfinite(y[i])) sum += double{weights[i]} * y[i];
      }
      return sum;
    };
    const std::vector<float> dx = As<float>(gradient({BytesOf(x), dy})[0]);
    for (size_t i = 0; i < x.size(); i += 1 + x.size() / 50) {
      const float value = x[i];
      x[i] = value + 0.25f;
      const double up = loss();
      x[i] = value - 0.25f;
      const double down = loss();
      x[i] = value;
      EXPECT_EQ((up - down) / 0.5, double{dx[i]}) << "element " << i;
    }
  }
}

}  // namespace
}  // namespace anydml::test
