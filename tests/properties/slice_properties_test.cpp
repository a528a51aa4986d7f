// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What holds between a slice and its gradient for every description: random
// windows of all data types, in one to eight dimensions.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <numeric>
#include <random>

#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/tensor_data.h"

namespace anydml::test {
namespace {

constexpr int kDescriptions = 300;

// The fields of SLICE1 and of SLICE_GRAD after their two tensors.
enum Fields { kDimensionCount = 2, kOffsets, kSizes, kStrides };

// A window of the tensor `whole`; its elements make the tensor `part`.
struct Description {
  TensorDesc whole;
  TensorDesc part;
  Dimensions offsets = {};
  Dimensions sizes = {};
  std::array<int32_t, kMaxDimensions> strides = {};
};

uint32_t Between(std::mt19937& random, uint32_t least, uint32_t most) {
  return least + random() % (most - least + 1);
}

int32_t RandomStride(std::mt19937& random) {
  constexpr int32_t kStrides[] = {1, 1, 1, 1, -1, -1, 2, -2, 3, -3, 4, 5, -7, INT_MAX, INT_MIN};
  return kStrides[random() % std::size(kStrides)];
}

Description RandomDescription(std::mt19937& random) {
  Description d;
  d.whole.data_type = static_cast<DataType>(Between(random, 1, 11));
  d.whole.dimension_count = Between(random, 1, 8);
  d.part = d.whole;
  // Some rows are long enough to be cut among threads.
  const bool long_row = random() % 16 == 0;
  uint32_t budget = long_row ? 40000 : 3000;
  for (uint32_t i = d.whole.dimension_count; i-- > 0;) {
    const uint32_t most = long_row ? budget : std::min(budget, Between(random, 1, 100));
    const uint32_t size = Between(random, 1, most);
    budget /= size;
    const bool is_full = random() % 3 == 0;
    d.whole.sizes[i] = size;
    d.offsets[i] = is_full ? 0 : Between(random, 0, size - 1);
    d.sizes[i] = is_full ? size : Between(random, 1, size - d.offsets[i]);
    d.strides[i] = RandomStride(random);
    const uint32_t reachable =
        static_cast<uint32_t>(1 + (d.sizes[i] - 1) / std::abs(int64_t{d.strides[i]}));
    d.part.sizes[i] = random() % 4 == 0 ? Between(random, 1, reachable) : reachable;
  }
  SetStrides(d.whole, std::nullopt);
  SetStrides(d.part, std::nullopt);
  return d;
}

// Dimensions in any order of memory, with gaps after any of them.
Dimensions RandomStrides(const TensorDesc& tensor, std::mt19937& random) {
  std::vector<uint32_t> order(tensor.dimension_count);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), random);
  Dimensions strides = {};
  uint32_t next = random() % 4 == 0 ? 2 : 1;
  for (uint32_t i : order) {
    strides[i] = next;
    next = next * tensor.sizes[i] + (random() % 2 == 0 ? 0 : random() % 4);
  }
  return strides;
}

Operator Create(std::string_view name, const Description& d) {
  const Definition& definition = *FindOperator(name);
  const bool is_gradient = name == "SLICE_GRAD";
  schema::Arguments arguments(*definition.schema);
  arguments.at(0).tensor = is_gradient ? d.part : d.whole;
  arguments.at(1).tensor = is_gradient ? d.whole : d.part;
  const uint32_t count = d.whole.dimension_count;
  arguments.at(kDimensionCount).count = 1;
  arguments.at(kDimensionCount).words[0] = count;
  for (size_t field : {kOffsets, kSizes, kStrides}) arguments.at(field).count = count;
  for (uint32_t i = 0; i < count; ++i) {
    arguments.at(kOffsets).words[i] = d.offsets[i];
    arguments.at(kSizes).words[i] = d.sizes[i];
    arguments.at(kStrides).words[i] = static_cast<uint32_t>(d.strides[i]);
  }
  Result<Operator> op = CreateOperator(definition, std::move(arguments), {});
  EXPECT_TRUE(op.ok()) << op.error().message;
  return op.ok() ? op.value() : Operator{};
}

std::vector<uint8_t> RunStrategy(const Operator& op, const CpuStrategy& strategy,
                                 const std::vector<uint8_t>& elements) {
  static const cpu::Executor executor(2);
  TensorMemory input(op.arguments->tensor(0)), output(op.arguments->tensor(1));
  input.SetElements(elements);
  Bindings bindings;
  bindings.inputs[0] = input.data();
  bindings.outputs[0] = output.data();
  Result<CpuProgram> program = Compile(op, &strategy);
  EXPECT_TRUE(program.ok());
  EXPECT_TRUE(Run(program.value(), bindings, executor).ok());
  EXPECT_EQ(output.FindForeignWrite(), std::nullopt) << strategy.name;
  return output.Elements();
}

// The output's elements, in which all strategies that accept must agree.
std::vector<uint8_t> RunAll(const Operator& op, const std::vector<uint8_t>& elements) {
  const Kernel& kernel = *op.definition->kernel;
  const std::shared_ptr<const void> plan = kernel.make_plan(op.desc.get());
  const std::vector<uint8_t> result = RunStrategy(op, kernel.cpu_strategies.back(), elements);
  for (const CpuStrategy& strategy : kernel.cpu_strategies) {
    if (!strategy.accepts(plan.get()).accepted()) continue;
    EXPECT_EQ(
        FindDifference(op.arguments->tensor(1), result, RunStrategy(op, strategy, elements), false),
        std::nullopt)
        << strategy.name;
  }
  return result;
}

std::vector<uint8_t> RandomElements(const TensorDesc& packed, std::mt19937& random) {
  TensorMemory memory(packed);
  memory.FillRandom(random);
  return memory.Elements();
}

// Small integers in the representation of a type.
std::vector<uint8_t> Encode(DataType type, const std::vector<int64_t>& values) {
  std::vector<uint8_t> bytes;
  const auto append = [&](auto value) {
    const auto* begin = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof value);
  };
  for (int64_t value : values) {
    if (type == DataType::kFloat16) {
      append(ToFloat16(static_cast<float>(value)));
    } else if (type == DataType::kFloat32) {
      append(static_cast<float>(value));
    } else if (type == DataType::kFloat64) {
      append(static_cast<double>(value));
    } else {
      DispatchType(IntegerTypes(), type, [&]<typename T>() { append(static_cast<T>(value)); });
    }
  }
  return bytes;
}

std::vector<int64_t> Decode(DataType type, const std::vector<uint8_t>& bytes) {
  std::vector<int64_t> values;
  const auto read = [&]<typename T>(size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  for (size_t at = 0; at < bytes.size(); at += ElementSize(type)) {
    if (type == DataType::kFloat16) {
      values.push_back(static_cast<int64_t>(ToFloat(read.operator()<Float16>(at))));
    } else {
      DispatchType(TypeList<float, double, int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t,
                            uint16_t, uint8_t>(),
                   type, [&]<typename T>() {
                     values.push_back(static_cast<int64_t>(read.template operator()<T>(at)));
                   });
    }
  }
  return values;
}

std::vector<int64_t> SmallIntegers(uint64_t count, std::mt19937& random) {
  std::vector<int64_t> values(count);
  for (int64_t& value : values) value = Between(random, 0, 100);
  return values;
}

int64_t InnerProduct(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), int64_t{0});
}

// Property (1): sum(SLICE1(x) * g) == sum(x * SLICE_GRAD(g)).
TEST(SliceProperties, TheGradientIsTheAdjointOfTheSlice) {
  std::mt19937 random(1);
  for (int k = 0; k < kDescriptions; ++k) {
    SCOPED_TRACE(k);
    const Description d = RandomDescription(random);
    const DataType type = d.whole.data_type;
    const std::vector<int64_t> x = SmallIntegers(d.whole.ElementCount(), random);
    const std::vector<int64_t> g = SmallIntegers(d.part.ElementCount(), random);
    const auto y = Decode(type, RunAll(Create("SLICE1", d), Encode(type, x)));
    const auto dx = Decode(type, RunAll(Create("SLICE_GRAD", d), Encode(type, g)));
    ASSERT_EQ(y.size(), g.size());
    ASSERT_EQ(dx.size(), x.size());
    ASSERT_EQ(InnerProduct(y, g), InnerProduct(x, dx));
  }
}

// Property (3): SLICE1(SLICE_GRAD(g)) == g bit for bit; NaN payloads included.
TEST(SliceProperties, TheSliceOfTheGradientIsTheGradientThatCameIn) {
  std::mt19937 random(3);
  for (int k = 0; k < kDescriptions; ++k) {
    SCOPED_TRACE(k);
    const Description d = RandomDescription(random);
    const std::vector<uint8_t> g = RandomElements(d.part, random);
    const std::vector<uint8_t> dx = RunAll(Create("SLICE_GRAD", d), g);
    ASSERT_EQ(FindDifference(d.part, g, RunAll(Create("SLICE1", d), dx), false), std::nullopt);
  }
}

// Property (4): strides decide where elements lie and nothing else.
TEST(SliceProperties, AnyLayoutGivesThePackedResult) {
  std::mt19937 random(4);
  for (int k = 0; k < kDescriptions; ++k) {
    SCOPED_TRACE(k);
    const Description packed = RandomDescription(random);
    Description laid_out = packed;
    SetStrides(laid_out.whole, RandomStrides(packed.whole, random));
    SetStrides(laid_out.part, RandomStrides(packed.part, random));
    const std::vector<uint8_t> x = RandomElements(packed.whole, random);
    const std::vector<uint8_t> g = RandomElements(packed.part, random);
    ASSERT_EQ(RunAll(Create("SLICE1", laid_out), x), RunAll(Create("SLICE1", packed), x));
    ASSERT_EQ(RunAll(Create("SLICE_GRAD", laid_out), g), RunAll(Create("SLICE_GRAD", packed), g));
  }
}

// Property (5), with several threads.
TEST(SliceProperties, TwoRunsGiveTheSameBits) {
  std::mt19937 random(5);
  for (int k = 0; k < kDescriptions; ++k) {
    SCOPED_TRACE(k);
    const Description d = RandomDescription(random);
    const std::vector<uint8_t> x = RandomElements(d.whole, random);
    const std::vector<uint8_t> g = RandomElements(d.part, random);
    const Operator slice = Create("SLICE1", d), gradient = Create("SLICE_GRAD", d);
    ASSERT_EQ(RunAll(slice, x), RunAll(slice, x));
    ASSERT_EQ(RunAll(gradient, g), RunAll(gradient, g));
  }
}

}  // namespace
}  // namespace anydml::test
