// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Tensors of 2^31 and of 2^32 - 1 elements, in memory: every element is written, and
// those around 2^31 and at the end are right. Skipped, with the reason, where the
// machine has no room.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/sparse_memory.h"

namespace anydml::test {
namespace {

constexpr uint64_t kGibibyte = uint64_t{1} << 30;
constexpr uint32_t kMost = 4294967295u;

uint64_t AvailableBytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    uint64_t kibibytes = 0;
    if (word == "MemAvailable:" && file >> kibibytes) return kibibytes << 10;
  }
  return 0;
}

#define SKIP_WITHOUT_MEMORY(bytes)                                                         \
  if (AvailableBytes() < (bytes) + 2 * kGibibyte)                                          \
  GTEST_SKIP() << fmt::format("needs {:.1f} GiB and 2 to spare, and {:.1f} are available", \
                              static_cast<double>(bytes) / kGibibyte,                      \
                              static_cast<double>(AvailableBytes()) / kGibibyte)

// Signed bytes of which a few matter.
class Bytes {
 public:
  explicit Bytes(uint64_t count) : count_(count), memory_(count) {}
  int8_t& operator[](uint64_t i) { return data()[i]; }
  int8_t* data() const { return static_cast<int8_t*>(memory_.data()); }
  // How many are not 0.
  uint64_t CountOthers() const {
    uint64_t others = 0;
    for (uint64_t i = 0; i < count_; ++i) others += data()[i] != 0 ? 1 : 0;
    return others;
  }

 private:
  const uint64_t count_;
  const SparseMemory memory_;
};

Operator CreateInt8(std::string_view name, const Case& c) {
  const Definition& definition = *FindOperator(name);
  for (const TypeAssignment& types : AdmittedTypes(*definition.schema)) {
    if (types[0] != DataType::kInt8) continue;
    const auto arguments = Describe(*definition.schema, c, types);
    return CreateOperator(definition, *arguments, {}).value();
  }
  ADD_FAILURE() << name << " does not take INT8";
  return {};
}

void RunOn(const Operator& op, const Bindings& given) {
  const cpu::Executor executor(0);
  const Result<CpuProgram> program = Compile(op);
  ASSERT_TRUE(program.ok()) << program.error().message;
  ASSERT_LT(program.value().temporary_bytes, kGibibyte);
  std::vector<std::byte> temporary(program.value().temporary_bytes + 64);
  Bindings bindings = given;
  bindings.temporary =
      reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(temporary.data()) + 63) / 64 * 64);
  ASSERT_TRUE(Run(program.value(), bindings, executor).ok());
}

class Largest : public testing::TestWithParam<uint32_t> {};

TEST_P(Largest, ReluInPlace) {
  const uint32_t count = GetParam();
  SKIP_WITHOUT_MEMORY(uint64_t{count});
  Bytes x(count);
  const uint32_t places[] = {0, count / 2, count / 2 + 1, count - 2, count - 1};
  for (uint32_t place : places) x[place] = static_cast<int8_t>(place % 100 + 1);
  x[5] = x[count - 3] = -7;
  Bindings bindings;
  bindings.inputs[0] = bindings.outputs[0] = x.data();
  RunOn(CreateInt8("ACTIVATION_RELU", {"largest", {{{count}, {count}}}, {}}), bindings);
  for (uint32_t place : places) EXPECT_EQ(x[place], static_cast<int8_t>(place % 100 + 1));
  EXPECT_EQ(x.CountOthers(), std::size(places));
}

// Two tensors that are read and one that is written over the second.
TEST_P(Largest, ReluGradInPlace) {
  const uint32_t count = GetParam();
  SKIP_WITHOUT_MEMORY(2 * uint64_t{count});
  Bytes x(count), dy(count);
  for (uint32_t place : {0u, 1u << 30, count - 1}) x[place] = dy[place] = 3;
  dy[count - 2] = dy[count / 2 + 5] = 4;  // where x is 0: gone
  Bindings bindings;
  bindings.inputs[0] = x.data();
  bindings.inputs[1] = bindings.outputs[0] = dy.data();
  RunOn(CreateInt8("ACTIVATION_RELU_GRAD", {"largest", {{{count}, {count}, {count}}}, {}}),
        bindings);
  for (uint32_t place : {0u, 1u << 30, count - 1}) EXPECT_EQ(dy[place], 3);
  EXPECT_EQ(dy.CountOthers(), 3u);
}

// The last elements, reversed.
TEST_P(Largest, Slice) {
  const uint32_t count = GetParam();
  SKIP_WITHOUT_MEMORY(uint64_t{count});
  Bytes x(count), y(count);
  x[0] = 1;
  x[count / 2] = 2;
  x[count - 1] = 3;
  Bindings bindings;
  bindings.inputs[0] = x.data();
  bindings.outputs[0] = y.data();
  RunOn(CreateInt8("SLICE1", {"largest",
                              {{{count}, {count}}},
                              {{{"InputWindowOffsets", {0}},
                                {"InputWindowSizes", {static_cast<double>(count)}},
                                {"InputWindowStrides", {-1}}}}}),
        bindings);
  EXPECT_EQ(y[0], 3);
  EXPECT_EQ(y[count - 1 - count / 2], 2);
  EXPECT_EQ(y[count - 1], 1);
  EXPECT_EQ(y.CountOthers(), 3u);
}

// One window over all of it: as many taps as there are elements.
TEST_P(Largest, MaxPoolingOfOneWindow) {
  const uint32_t rows = GetParam() == kMost ? 65535 : 32768;
  const uint32_t columns = GetParam() / rows;
  ASSERT_EQ(uint64_t{rows} * columns, GetParam());
  SKIP_WITHOUT_MEMORY(uint64_t{GetParam()} / 64);  // zeros that are only read take no memory
  Bytes x(GetParam());
  x[GetParam() - 2] = 9;
  x[GetParam() / 2 + 1] = 8;
  int8_t y[4] = {};
  Bindings bindings;
  bindings.inputs[0] = x.data();
  bindings.outputs[0] = y;
  const Case c = {"largest",
                  {{{1, 1, rows, columns}, {1, 1, 1, 1}}},
                  {{{"WindowSize", {static_cast<double>(rows), static_cast<double>(columns)}}}}};
  RunOn(CreateInt8("MAX_POOLING1", c), bindings);
  EXPECT_EQ(y[0], 9);
}

INSTANTIATE_TEST_SUITE_P(Int8, Largest, testing::Values(1u << 31, kMost));

}  // namespace
}  // namespace anydml::test
