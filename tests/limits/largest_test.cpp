// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Tensors of 2^31 and of 2^32 - 1 elements, in memory: every element is written, and
// those around 2^31 and at the end are right. Skipped, with the reason, where the
// machine, or the container, has no room. INT8 where the operator takes it and FLOAT16 elsewhere:
// of FLOAT32, what is written would be 16 GiB.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "limits/available_memory.h"
#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/sparse_memory.h"

namespace anydml::test {
namespace {

constexpr uint64_t kGibibyte = uint64_t{1} << 30;
constexpr uint32_t kMax = 4294967295u;

#define SKIP_WITHOUT_MEMORY(bytes)                                                         \
  if (AvailableBytes() < (bytes) + 2 * kGibibyte)                                          \
  GTEST_SKIP() << fmt::format("needs {:.1f} GiB and 2 to spare, and {:.1f} are available", \
                              static_cast<double>(bytes) / kGibibyte,                      \
                              static_cast<double>(AvailableBytes()) / kGibibyte)

enum class Use { kRead, kWritten, kInPlace };

// Elements of which a few matter. Pages that are only read take no memory, and no time
// when they are large: one of 2 MiB stands for all (to make such pages for writing took
// four times as long as to make small ones). Pages that are read before they are written
// are better made at once, than twice each.
template <typename T>
class Elements {
 public:
  Elements(uint64_t count, Use use) : count_(count), memory_(count * sizeof(T)) {
    if (use == Use::kRead) madvise(memory_.data(), count * sizeof(T), MADV_HUGEPAGE);
    if (use == Use::kInPlace) madvise(memory_.data(), count * sizeof(T), MADV_POPULATE_WRITE);
  }
  T& operator[](uint64_t i) { return data()[i]; }
  T* data() const { return static_cast<T*>(memory_.data()); }
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
using Bytes = Elements<int8_t>;
using Halves = Elements<uint16_t>;  // the bits of FLOAT16

constexpr uint16_t kOne = 0x3C00, kTwo = 0x4000, kThree = 0x4200;  // of FLOAT16

Operator Create(std::string_view name, DataType type, const Case& c) {
  const Definition& definition = *FindOperator(name);
  for (const TypeAssignment& types : AdmittedTypes(*definition.schema)) {
    if (types[0] != type) continue;
    const auto arguments = Describe(*definition.schema, c, types);
    return CreateOperator(definition, *arguments, {}).value();
  }
  ADD_FAILURE() << name << " does not take " << DataTypeName(type);
  return {};
}
Operator CreateInt8(std::string_view name, const Case& c) {
  return Create(name, DataType::kInt8, c);
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
  Bytes x(count, Use::kInPlace);
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
  Bytes x(count, Use::kRead), dy(count, Use::kInPlace);
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
  Bytes x(count, Use::kRead), y(count, Use::kWritten);
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

// The other gradients at the largest size alone, whose indices pass 2^31 too.
class LargestGradient : public Largest {
 protected:
  // An image of all elements.
  const uint32_t rows = 65535;
  const uint32_t columns = GetParam() / rows;
};

// The gradient passes where x is between the bounds, which all of its zeros are.
TEST_P(LargestGradient, ClipInPlace) {
  const uint32_t count = GetParam();
  SKIP_WITHOUT_MEMORY(uint64_t{count});
  Bytes x(count, Use::kRead), dy(count, Use::kInPlace);
  const uint32_t places[] = {0, count / 2, count / 2 + 1, count - 2, count - 1};
  for (uint32_t place : places) dy[place] = static_cast<int8_t>(place % 100 + 1);
  x[7] = x[count / 2 + 9] = 4;  // at the upper bound
  x[count - 3] = -1;            // at the lower one
  dy[7] = dy[count / 2 + 9] = dy[count - 3] = 5;
  Bindings bindings;
  bindings.inputs[0] = x.data();
  bindings.inputs[1] = bindings.outputs[0] = dy.data();
  RunOn(CreateInt8("ELEMENT_WISE_CLIP_GRAD",
                   {"largest", {{{count}, {count}, {count}}}, {{{"Min", {-1}}, {"Max", {4}}}}}),
        bindings);
  for (uint32_t place : places) EXPECT_EQ(dy[place], static_cast<int8_t>(place % 100 + 1));
  EXPECT_EQ(dy.CountOthers(), std::size(places));
}

// Every second element from the second on has a gradient; the others become 0.
TEST_P(LargestGradient, Slice) {
  const uint32_t count = GetParam();
  SKIP_WITHOUT_MEMORY(uint64_t{count});
  const uint32_t window = count - 1, slice = (window - 1) / 2 + 1;
  Bytes dy(slice, Use::kRead), dx(count, Use::kWritten);
  const uint32_t places[] = {0, slice / 2, slice - 1};
  for (uint32_t place : places) dy[place] = static_cast<int8_t>(place % 100 + 1);
  for (uint32_t place : {0u, count / 2, count - 3, count - 1}) dx[place] = -1;  // written over
  Bindings bindings;
  bindings.inputs[0] = dy.data();
  bindings.outputs[0] = dx.data();
  RunOn(CreateInt8("SLICE_GRAD", {"largest",
                                  {{{slice}, {count}}},
                                  {{{"InputWindowOffsets", {1}},
                                    {"InputWindowSizes", {static_cast<double>(window)}},
                                    {"InputWindowStrides", {2}}}}}),
        bindings);
  for (uint32_t place : places) {
    EXPECT_EQ(dx[1 + 2 * uint64_t{place}], static_cast<int8_t>(place % 100 + 1));
  }
  EXPECT_EQ(dx.CountOthers(), std::size(places));
}

// FLOAT16 from here on, since the tables of pooling and resampling admit no integers.
// Windows of 2 x 2 side by side. Where all is equal the first element wins.
TEST_P(LargestGradient, MaxPooling) {
  ASSERT_EQ(uint64_t{rows} * columns, GetParam());
  SKIP_WITHOUT_MEMORY(2 * uint64_t{GetParam()});
  const uint64_t windows_down = rows / 2, windows_across = columns / 2;
  Halves x(GetParam(), Use::kRead), dy(windows_down * windows_across, Use::kRead);
  Halves dx(GetParam(), Use::kWritten);
  const auto at = [&](uint64_t row, uint64_t column) { return row * columns + column; };
  const uint64_t last_row = 2 * windows_down - 1, last_column = 2 * windows_across - 1;
  x[at(last_row, last_column)] = kOne;  // the last of its window
  dy[0] = kOne;
  dy[windows_down / 2 * windows_across + 5] = kTwo;
  dy[windows_down * windows_across - 1] = kThree;
  for (uint64_t place : {at(0, 1), at(rows / 2, 0) + 1, at(rows - 1, columns - 2)})
    dx[place] = kTwo;
  Bindings bindings;
  bindings.inputs[0] = x.data();
  bindings.inputs[1] = dy.data();
  bindings.outputs[0] = dx.data();
  const CaseSizes image = {1, 1, rows, columns};
  const CaseSizes windows = {1, 1, rows / 2, columns / 2};
  RunOn(
      Create(
          "MAX_POOLING_GRAD", DataType::kFloat16,
          {"largest", {{image, windows, image}}, {{{"WindowSize", {2, 2}}, {"Strides", {2, 2}}}}}),
      bindings);
  EXPECT_EQ(dx[0], kOne);
  EXPECT_EQ(dx[at(windows_down / 2 * 2, 10)], kTwo);
  EXPECT_EQ(dx[at(last_row, last_column)], kThree);
  EXPECT_EQ(dx.CountOthers(), 3u);
}

// A third as many rows of samples as of elements: sample i is the middle one of elements 3 i to 3 i
// + 2.
TEST_P(LargestGradient, Resample) {
  SKIP_WITHOUT_MEMORY(2 * uint64_t{GetParam()});
  const uint32_t samples = rows / 3;
  Halves dy(uint64_t{samples} * columns, Use::kRead), dx(GetParam(), Use::kWritten);
  const auto at = [&](uint64_t row, uint64_t column) { return row * columns + column; };
  dy[0] = kOne;
  dy[at(samples / 2, 7)] = kTwo;
  dy[at(samples - 1, columns - 1)] = kThree;
  for (uint64_t place : {at(0, 1), at(rows / 2, 9), at(rows - 1, columns - 1)}) dx[place] = kTwo;
  Bindings bindings;
  bindings.inputs[0] = dy.data();
  bindings.outputs[0] = dx.data();
  RunOn(Create("RESAMPLE_GRAD1", DataType::kFloat16,
               {"largest", {{{samples, columns}, {rows, columns}}}, {{{"Scales", {1.0 / 3, 1}}}}}),
        bindings);
  EXPECT_EQ(dx[at(1, 0)], kOne);
  EXPECT_EQ(dx[at(samples / 2 * 3 + 1, 7)], kTwo);
  EXPECT_EQ(dx[at((samples - 1) * 3 + 1, columns - 1)], kThree);
  EXPECT_EQ(dx.CountOthers(), 3u);
}

// One window over all of it: as many taps as there are elements.
TEST_P(Largest, MaxPoolingOfOneWindow) {
  const uint32_t rows = GetParam() == kMax ? 65535 : 32768;
  const uint32_t columns = GetParam() / rows;
  ASSERT_EQ(uint64_t{rows} * columns, GetParam());
  SKIP_WITHOUT_MEMORY(uint64_t{GetParam()} / 64);  // zeros that are only read take no memory
  Bytes x(GetParam(), Use::kRead);
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

INSTANTIATE_TEST_SUITE_P(Int8, Largest, testing::Values(1u << 31, kMax));
INSTANTIATE_TEST_SUITE_P(Most, LargestGradient, testing::Values(kMax));

}  // namespace
}  // namespace anydml::test
