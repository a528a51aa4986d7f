// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The benchmark's rows: each is a valid description, and those that were asked
// for are there. Nothing here is run or timed.
#include "bench/row.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "operators/describe.h"
#include "operators/registry.h"

namespace anydml::bench {
namespace {

std::vector<Row> Rows(std::string filter = "", bool core = false) {
  return SelectRows({.core = core, .filter = std::move(filter), .type = ""});
}

TEST(BenchRows, AreValidForTheirOperatorsAndCompile) {
  for (const Row& row : Rows()) {
    SCOPED_TRACE(Name(row));
    Result<Operator> op = CreateOperator(*row.definition, Describe(row), {});
    ASSERT_TRUE(op.ok()) << op.error().message;
    Result<CpuProgram> program = Compile(op.value());
    ASSERT_TRUE(program.ok()) << program.error().message;
  }
}

TEST(BenchRows, HaveDistinctNames) {
  std::set<std::string> names;
  for (const Row& row : Rows()) EXPECT_TRUE(names.insert(Name(row)).second) << Name(row);
}

TEST(BenchRows, OfTheCoreSetAreAFewOfAll) {
  const std::vector<Row> core = Rows("", true), all = Rows();
  std::set<std::string> names;
  for (const Row& row : all) names.insert(Name(row));
  EXPECT_LT(core.size(), all.size() / 2);
  for (const Row& row : core) EXPECT_TRUE(names.contains(Name(row))) << Name(row);
}

TEST(BenchRows, HoldEveryOperatorButTheOlderVersions) {
  std::set<const Kernel*> kernels;
  for (const Row& row : Rows()) kernels.insert(row.definition->kernel);
  for (const Definition* definition : Registry()) {
    if (definition->schema->name == "ELEMENT_WISE_IDENTITY") continue;  // a copy itself
    EXPECT_TRUE(kernels.contains(definition->kernel)) << definition->schema->name;
  }
}

TEST(BenchRows, HoldElementWiseGradientsInEveryTypeOfTheirTables) {
  for (const char* name : {"ACTIVATION_RELU_GRAD", "ELEMENT_WISE_CLIP_GRAD1"}) {
    std::map<std::string_view, std::set<DataType>> types;
    for (const Row& row : Rows(std::string(name) + ",elements_")) {
      types[row.case_name()].insert(row.type);
    }
    EXPECT_EQ(types.size(), 5u) << name;  // 2^10, 2^15, 2^20, 2^24, 2^26
    std::set<DataType> admitted;
    for (const TypeAssignment& each : AdmittedTypes(*FindOperator(name)->schema)) {
      admitted.insert(each[0]);
    }
    for (const auto& [c, of_case] : types) EXPECT_EQ(of_case, admitted) << name << " " << c;
  }
}

TEST(BenchRows, HoldTheForwardPartnersOfTheSameCases) {
  const std::pair<const char*, const char*> partners[] = {{"MAX_POOLING_GRAD/", "MAX_POOLING2/"},
                                                          {"RESAMPLE_GRAD1/", "RESAMPLE2/"},
                                                          {"SLICE_GRAD/", "SLICE1/"},
                                                          {"RELU_GRAD/", "RELU/"},
                                                          {"CLIP_GRAD1/", "CLIP1/"}};
  for (const auto& [gradient, forward] : partners) {
    std::set<std::string_view> gradients, forwards;
    for (const Row& row : Rows(gradient)) gradients.insert(row.case_name());
    for (const Row& row : Rows(forward)) forwards.insert(row.case_name());
    EXPECT_FALSE(gradients.empty()) << gradient;
    EXPECT_EQ(gradients, forwards) << gradient;
  }
}

TEST(BenchLayouts, AreWhatTheirNamesSay) {
  const auto strides = [](const char* filter, size_t field) {
    const std::vector<Row> rows = Rows(filter);
    const schema::Arguments arguments = Describe(rows.at(0));
    const TensorDesc& tensor = arguments.tensor(field);
    return std::vector<uint32_t>(tensor.Strides().begin(), tensor.Strides().end());
  };
  using Strides = std::vector<uint32_t>;
  const std::string name = "MAX_POOLING_GRAD,3x3_stride_1,FLOAT32,";  // 8x64x56x56
  EXPECT_EQ(strides((name + "NCHW").c_str(), 0), (Strides{64 * 56 * 56, 56 * 56, 56, 1}));
  EXPECT_EQ(strides((name + "NHWC").c_str(), 0), (Strides{64 * 56 * 56, 1, 56 * 64, 64}));
  EXPECT_EQ(strides((name + "padded_rows").c_str(), 0), (Strides{64 * 56 * 64, 56 * 64, 64, 1}));
  // 2x4x8x4x8x8x16x32: the last four dimensions outermost; the output packed.
  const Strides packed = {4194304, 1048576, 131072, 32768, 4096, 512, 32, 1};
  EXPECT_EQ(strides("RELU_GRAD,eight,FLOAT32,permuted", 2), packed);
  EXPECT_EQ(strides("RELU_GRAD,eight,FLOAT32,permuted", 0),
            (Strides{128, 32, 4, 1, 1048576, 131072, 8192, 256}));
  EXPECT_EQ(strides("WISE_ADD/matrix,FLOAT32,row_repeated", 0), (Strides{8192, 1}));
  EXPECT_EQ(strides("WISE_ADD/matrix,FLOAT32,row_repeated", 1), (Strides{0, 1}));
  EXPECT_EQ(strides("WISE_ADD/matrix,FLOAT32,column_repeated", 1), (Strides{1, 0}));
}

TEST(BenchBytes, CountWhatIsReadAndWritten) {
  const auto bytes = [](const char* filter) { return BytesOf(Rows(filter).at(0)).moved(); };
  EXPECT_EQ(bytes("RELU_GRAD,2_to_the_20,FLOAT32"), 3u * 4 << 20);
  EXPECT_EQ(bytes("RELU_GRAD,2_to_the_20,FLOAT16"), 3u * 2 << 20);
  EXPECT_EQ(bytes("MAX_POOLING_GRAD,2x2_stride_2_8,FLOAT32,padded"),
            4u * 8 * 64 * (2 * 112 * 112 + 56 * 56));
  // A slice reads its window alone; its gradient writes everything.
  EXPECT_EQ(bytes("SLICE1/window_96_step_1,FLOAT32,NCHW"), 4u * 8 * 64 * 2 * 96 * 96);
  EXPECT_EQ(bytes("WISE_ADD/matrix,FLOAT32,row_repeated"), 4u * (2 * 8192 * 8192 + 8192));
  const RowBytes gradient = BytesOf(Rows("SLICE_GRAD/window_96_step_1,FLOAT32,NCHW").at(0));
  EXPECT_EQ(gradient.read, 4u * 8 * 64 * 96 * 96);
  EXPECT_EQ(gradient.written, 4u * 8 * 64 * 112 * 112);
}

// As a large card wants them.
TEST(BenchRows, AreValidWithABatchOfEightTimesTheSize) {
  for (Row row : SelectRows({.core = false, .filter = "", .type = ""})) {
    row.batch = 8;
    const Result<Operator> op = CreateOperator(*row.definition, Describe(row), {});
    EXPECT_TRUE(op.ok()) << Name(row) << ": " << op.error().message;
  }
  Row row = Rows("SLICE_GRAD/window_96_step_1,FLOAT32,NCHW").at(0);
  row.batch = 8;
  EXPECT_EQ(BytesOf(row).moved(), 8u * 4 * 8 * 64 * (96 * 96 + 112 * 112));
}

TEST(BenchFilter, WantsEveryWordWhateverItsCase) {
  EXPECT_TRUE(Matches("SLICE_GRAD/whole/FLOAT32/NCHW", ""));
  EXPECT_TRUE(Matches("SLICE_GRAD/whole/FLOAT32/NCHW", "slice_grad,Nchw"));
  EXPECT_TRUE(Matches("SLICE_GRAD/whole/FLOAT32/NCHW", "SLICE,"));
  EXPECT_FALSE(Matches("SLICE_GRAD/whole/FLOAT32/NCHW", "SLICE,NHWC"));
  EXPECT_FALSE(Matches("SLICE_GRAD/whole/FLOAT32/NCHW", "NCHW SLICE"));
}

TEST(BenchFilter, TakesOneTypeOfTheSelection) {
  const std::vector<Row> rows = SelectRows({.core = false, .filter = "", .type = "INT8"});
  EXPECT_FALSE(rows.empty());
  for (const Row& row : rows) EXPECT_EQ(row.type, DataType::kInt8) << Name(row);
}

}  // namespace
}  // namespace anydml::bench
