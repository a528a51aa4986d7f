// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// anydml.h as a program uses it, through the shared library.
#include <directml.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <thread>
#include <vector>

#include "anydml/anydml.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

// A packed RELU_GRAD on n FLOAT32 elements, with the structs that describe it.
struct ReluGradDesc {
  explicit ReluGradDesc(UINT n, DML_TENSOR_DATA_TYPE type = DML_TENSOR_DATA_TYPE_FLOAT32)
      : size(n) {
    buffer.DataType = type;
    buffer.DimensionCount = 1;
    buffer.Sizes = &size;
    buffer.TotalTensorSizeInBytes = uint64_t{n} * 4;
  }
  ReluGradDesc(const ReluGradDesc&) = delete;
  ReluGradDesc& operator=(const ReluGradDesc&) = delete;

  UINT size;
  DML_BUFFER_TENSOR_DESC buffer = {};
  DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
  DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC relu_grad = {&tensor, &tensor, &tensor};
  DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &relu_grad};
};

TEST(CApi, ListsTheCpuAsADeviceThatCanBeOpened) {
  ASSERT_GE(anydml_device_count(), 1u);
  anydml_device_info info = {};
  info.struct_size = sizeof info;
  ASSERT_EQ(anydml_get_device_info(0, &info), ANYDML_OK);
  EXPECT_STREQ(info.name, "cpu");
  EXPECT_STRNE(info.description, "");
  EXPECT_GT(info.memory_bytes, 0u);
  EXPECT_GE(info.threads, 1u);
  EXPECT_NO_THROW(anydml::Device(info.name));
}

TEST(CApi, SaysWhichDevicesThereAreWhenAskedForAnother) {
  anydml_device* device = nullptr;
  EXPECT_EQ(anydml_open_device("tpu:7", nullptr, &device), ANYDML_UNSUPPORTED);
  EXPECT_EQ(device, nullptr);
  EXPECT_TRUE(std::string(anydml_last_error())
                  .starts_with("there is no device 'tpu:7' here; there is: cpu"))
      << anydml_last_error();
  EXPECT_EQ(anydml_open_device(nullptr, nullptr, &device), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_open_device("cpu", nullptr, nullptr), ANYDML_INVALID_ARGUMENT);
}

TEST(CApi, ExecutesAnOperatorWhoseDescriptionIsGone) {
  const anydml::Device device("cpu");
  auto desc = std::make_unique<ReluGradDesc>(4);
  const anydml::Operator op = device.CreateOperator(desc->desc);
  desc.reset();
  const std::vector<float> x = {-1, 2, 0, 3}, dy = {5, 6, 7, 8};
  std::vector<float> dx(4, -1);
  op.Execute({x.data(), dy.data()}, {dx.data()});
  EXPECT_EQ(dx, (std::vector<float>{0, 6, 0, 8}));
}

TEST(CApi, TellsAboutTheOperatorAndItsTensors) {
  const anydml::Operator op = anydml::Device("cpu").CreateOperator(ReluGradDesc(6).desc);
  const anydml_operator_info info = op.info();
  EXPECT_STREQ(info.name, "ACTIVATION_RELU_GRAD");
  EXPECT_EQ(info.type, static_cast<uint32_t>(DML_OPERATOR_ACTIVATION_RELU_GRAD));
  EXPECT_EQ(info.input_count, 2u);
  EXPECT_EQ(info.output_count, 1u);
  EXPECT_EQ(info.temporary_bytes, 0u);
  EXPECT_STREQ(info.strategy, "packed_rows");
  EXPECT_EQ(info.table_bytes, 0u);
  const anydml_tensor_info input = op.input(1);
  EXPECT_STREQ(input.name, "InputGradientTensor");
  EXPECT_EQ(input.is_present, 1u);
  EXPECT_EQ(input.data_type, static_cast<uint32_t>(DML_TENSOR_DATA_TYPE_FLOAT32));
  EXPECT_EQ(input.dimension_count, 1u);
  EXPECT_EQ(input.sizes[0], 6u);
  EXPECT_EQ(input.strides[0], 1u);
  EXPECT_EQ(input.total_bytes, 24u);
  EXPECT_EQ(input.may_be_overwritten, 1u);
  EXPECT_STREQ(op.output(0).name, "OutputGradientTensor");
  EXPECT_THROW(op.output(1), anydml::Exception);
  EXPECT_STREQ(anydml_last_error(), "tensor 1 of 1 does not exist");
}

TEST(CApi, RefusesABadDescriptionWithTheSentence) {
  const anydml::Device device("cpu");
  ReluGradDesc desc(4);
  desc.buffer.TotalTensorSizeInBytes = 12;
  anydml_operator* op = nullptr;
  EXPECT_EQ(anydml_create_operator(device.get(), &desc.desc, &op), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(op, nullptr);
  EXPECT_STREQ(anydml_last_error(),
               "ACTIVATION_RELU_GRAD: InputTensor.TotalTensorSizeInBytes = 12 must be at least 16");
  const DML_OPERATOR_DESC rnn = {DML_OPERATOR_RNN, nullptr};
  EXPECT_EQ(anydml_create_operator(device.get(), &rnn, &op), ANYDML_UNSUPPORTED);
  EXPECT_STREQ(anydml_last_error(), "RNN: this operator is not implemented");
}

TEST(CApi, BehavesAsTheFeatureLevelThatTheDeviceWasOpenedWith) {
  anydml_device_options options = {};
  options.struct_size = sizeof options;
  options.feature_level = DML_FEATURE_LEVEL_5_0;
  const anydml::Device device("cpu", &options);
  ReluGradDesc desc(4, DML_TENSOR_DATA_TYPE_INT32);
  EXPECT_THROW(device.CreateOperator(desc.desc), anydml::Exception);
  EXPECT_STREQ(anydml_last_error(),
               "ACTIVATION_RELU_GRAD: InputTensor.DataType = INT32 needs feature level 5_1 or "
               "above; this device has 5_0");
  options.feature_level = 0x5150;
  EXPECT_THROW(anydml::Device("cpu", &options), anydml::Exception);
}

TEST(CApi, RefusesPointersThatCannotBeRight) {
  const anydml::Operator op = anydml::Device("cpu").CreateOperator(ReluGradDesc(4).desc);
  std::vector<float> memory(16);
  const auto refused = [&](const void* x, const void* dy, void* dx) {
    const void* inputs[] = {x, dy};
    void* outputs[] = {dx};
    EXPECT_EQ(anydml_execute(op.get(), inputs, outputs), ANYDML_INVALID_ARGUMENT);
    return std::string(anydml_last_error());
  };
  float* a = memory.data();
  EXPECT_EQ(refused(nullptr, a, a + 4), "ACTIVATION_RELU_GRAD: InputTensor must not be null");
  EXPECT_EQ(refused(a, a, nullptr), "ACTIVATION_RELU_GRAD: OutputGradientTensor must not be null");
  EXPECT_EQ(refused(a, a, a + 2),
            "ACTIVATION_RELU_GRAD: OutputGradientTensor overlaps InputTensor and must then have "
            "the same address and the same strides");
  const std::string misaligned = refused(reinterpret_cast<char*>(a) + 2, a, a + 8);
  EXPECT_NE(misaligned.find("must be aligned to its element size, 4 bytes"), std::string::npos)
      << misaligned;
  EXPECT_EQ(anydml_execute(op.get(), nullptr, nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_execute(nullptr, nullptr, nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_THROW(op.Execute({a}, {a}), std::invalid_argument);
}

TEST(CApi, RunsInPlaceWhereTheOperatorAllowsIt) {
  const anydml::Operator op = anydml::Device("cpu").CreateOperator(ReluGradDesc(4).desc);
  std::vector<float> x = {-1, 2, 0, 3}, dy = {5, 6, 7, 8};
  op.Execute({x.data(), dy.data()}, {x.data()});
  EXPECT_EQ(x, (std::vector<float>{0, 6, 0, 8}));
}

TEST(CApi, StartsExecutionsInOrderAndWaitsForThem) {
  const anydml::Device device("cpu");
  constexpr UINT kCount = 100000;
  const anydml::Operator op = device.CreateOperator(ReluGradDesc(kCount).desc);
  const std::vector<float> x(kCount, 1.0f);
  std::vector<float> a(kCount), b(kCount), c(kCount);
  for (UINT i = 0; i < kCount; ++i) a[i] = static_cast<float>(i);
  const anydml::Event first = op.Start({x.data(), a.data()}, {b.data()});
  const anydml::Event second = op.Start({x.data(), b.data()}, {c.data()});
  second.Wait();
  EXPECT_EQ(a, c);
  first.Wait();
  first.Wait();
  const void* inputs[] = {x.data(), a.data()};
  void* outputs[] = {b.data()};
  anydml_execution execution = {sizeof execution, inputs, outputs, nullptr, &execution};
  EXPECT_EQ(anydml_start(op.get(), &execution, nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "the stream must be null on a CPU device");
  execution.struct_size = 8;
  EXPECT_EQ(anydml_start(op.get(), &execution, nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(),
               "anydml_execution.struct_size = 8 must be sizeof(anydml_execution), at least 40");
}

TEST(CApi, FinishesStartedExecutionsBeforeTheDeviceGoesAway) {
  std::vector<float> x(1000000, 1.0f), dy(1000000, 2.0f), dx(1000000);
  {
    const anydml::Device device("cpu");
    const anydml::Operator op = device.CreateOperator(ReluGradDesc(1000000).desc);
    op.Start({x.data(), dy.data()}, {dx.data()});
  }
  EXPECT_EQ(dx, dy);
}

// Of older programs tells sized_struct_test.cpp: there are none yet.
TEST(CApi, ExchangesOnlyTheMembersThatBothSidesKnow) {
  struct Newer {
    anydml_operator_info info;
    uint64_t future;
  } newer = {{}, 77};
  const anydml::Operator op = anydml::Device("cpu").CreateOperator(ReluGradDesc(4).desc);
  newer.info.struct_size = sizeof newer;
  ASSERT_EQ(anydml_get_operator_info(op.get(), &newer.info), ANYDML_OK);
  EXPECT_EQ(newer.future, 77u);
}

TEST(CApi, TellsTheBytesOfTablesToThoseWhoKnowTheMember) {
  const anydml::Operator op = anydml::Device("cpu").CreateOperator(
      R"({"type": "RESAMPLE", "desc": {"InputTensor": {"DataType": "FLOAT32", "Sizes": [1000]},
          "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1100]}, "InterpolationMode": "LINEAR",
          "ScaleCount": 1, "Scales": [1.1]}})");
  anydml_operator_info info = {};
  info.struct_size = sizeof info;
  ASSERT_EQ(anydml_get_operator_info(op.get(), &info), ANYDML_OK);
  EXPECT_GE(info.table_bytes, 1100u * 8);  // a source and a weight of every element
  EXPECT_LT(info.table_bytes, 1100u * 100);
  info = {};
  info.struct_size = offsetof(anydml_operator_info, table_bytes);
  ASSERT_EQ(anydml_get_operator_info(op.get(), &info), ANYDML_OK);
  EXPECT_EQ(info.table_bytes, 0u);
}

TEST(CApi, FillsNoStructThatIsSmallerThanItsFirstVersion) {
  const anydml::Operator op = anydml::Device("cpu").CreateOperator(ReluGradDesc(4).desc);
  for (size_t size : {0, 12, 47}) {
    anydml_operator_info info = {};
    info.struct_size = size;
    EXPECT_EQ(anydml_get_operator_info(op.get(), &info), ANYDML_INVALID_ARGUMENT) << size;
    EXPECT_EQ(anydml_last_error(), "anydml_operator_info.struct_size = " + std::to_string(size) +
                                       " must be sizeof(anydml_operator_info), at least 48");
  }
}

TEST(CApi, KeepsTheLastErrorPerThread) {
  anydml_device* device = nullptr;
  EXPECT_NE(anydml_open_device("nowhere", nullptr, &device), ANYDML_OK);
  std::string other = "unset";
  std::thread([&] { other = anydml_last_error(); }).join();
  EXPECT_EQ(other, "");
  EXPECT_STRNE(anydml_last_error(), "");
}

TEST(CApi, SizesTensorsWithoutEverWrapping) {
  uint64_t bytes = 0;
  const uint32_t huge[] = {65536, 65535}, too_many[] = {65536, 65536}, three[] = {3};
  EXPECT_EQ(anydml_tensor_bytes(DML_TENSOR_DATA_TYPE_FLOAT32, 2, huge, nullptr, &bytes), ANYDML_OK);
  EXPECT_EQ(bytes, 17179607040u);
  EXPECT_EQ(anydml_tensor_bytes(DML_TENSOR_DATA_TYPE_FLOAT16, 1, three, nullptr, &bytes),
            ANYDML_OK);
  EXPECT_EQ(bytes, 8u);
  EXPECT_EQ(anydml_tensor_bytes(DML_TENSOR_DATA_TYPE_FLOAT32, 2, too_many, nullptr, &bytes),
            ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "sizes = {65536, 65536} must hold at most 4294967295 elements");
  const uint32_t two[] = {2, 2}, far[] = {0x80000000u, 0x80000000u};
  EXPECT_EQ(anydml_tensor_bytes(DML_TENSOR_DATA_TYPE_UINT8, 2, two, far, &bytes),
            ANYDML_INVALID_ARGUMENT);
  constexpr std::string_view kKnown =
      "1 (FLOAT32), 2 (FLOAT16), 3 (UINT32), 4 (UINT16), 5 (UINT8), 6 (INT32), 7 (INT16), "
      "8 (INT8), 9 (FLOAT64), 10 (UINT64), 11 (INT64)";
  EXPECT_EQ(anydml_tensor_bytes(DML_TENSOR_DATA_TYPE_UINT4, 1, three, nullptr, &bytes),
            ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_last_error(), "data_type = 12 (UINT4) must be one of " + std::string(kKnown));
  EXPECT_EQ(anydml_tensor_bytes(99, 1, three, nullptr, &bytes), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_last_error(), "data_type = 99 must be one of " + std::string(kKnown));
  EXPECT_EQ(anydml_tensor_bytes(DML_TENSOR_DATA_TYPE_UINT8, 9, three, nullptr, &bytes),
            ANYDML_INVALID_ARGUMENT);
}

TEST(CApi, RefusesTextBehindADescription) {
  const std::string relu = R"({"type": "ACTIVATION_RELU", "desc": {
      "InputTensor": {"DataType": "FLOAT32", "Sizes": [1]},
      "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1]}}})";
  const anydml::Device device("cpu");
  anydml_operator* op = nullptr;
  for (const char* behind : {"} garbage", "x", "\n{}"}) {
    EXPECT_EQ(anydml_create_operator_from_json(device.get(), (relu + behind).c_str(), &op),
              ANYDML_INVALID_ARGUMENT)
        << behind;
    EXPECT_EQ(op, nullptr);
    const std::string place =
        behind[0] == '\n' ? "line 4, column 1"
                          : "line 3, column " + std::to_string(relu.size() - relu.rfind('\n'));
    EXPECT_EQ(anydml_last_error(),
              place + ": only white space and comments may follow the root value");
  }
  const anydml::Operator made = device.CreateOperator((relu + " // a comment\n ").c_str());
}

// 1e-45 is subnormal; programs built with -ffast-math flush such numbers.
TEST(CApi, CreatesOperatorsWhateverTheCallersFloatEnvironmentIs) {
  constexpr char kJson[] =
      R"({"type": "RESAMPLE_GRAD1", "desc": {
            "InputGradientTensor": {"DataType": "FLOAT32", "Sizes": [100]},
            "OutputGradientTensor": {"DataType": "FLOAT32", "Sizes": [10]},
            "InterpolationMode": "NEAREST_NEIGHBOR", "RoundingDirection": "DECREASING",
            "DimensionCount": 1, "Scales": [)";
  constexpr char kRest[] = R"(], "InputPixelOffsets": [0], "OutputPixelOffsets": [0]}})";
  const auto gradient = [&](const char* scale) {
    const anydml::Operator op =
        anydml::Device("cpu").CreateOperator((std::string(kJson) + scale + kRest).c_str());
    const std::vector<float> dy(100, 1.0f);
    std::vector<float> dx(10);
    op.Execute({dy.data()}, {dx.data()});
    return dx;
  };
  const std::vector<float> subnormal = gradient("1e-45"), rounded = gradient("10.7");
  std::fenv_t saved;
  std::fegetenv(&saved);
  std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, denormals are zero
#endif
  const std::vector<float> subnormal_again = gradient("1e-45"), rounded_again = gradient("10.7");
  std::fesetenv(&saved);
  EXPECT_EQ(subnormal, subnormal_again);
  EXPECT_EQ(rounded, rounded_again);
}

TEST(CApi, ServesManyThreadsAtOnce) {
  const anydml::Device device("cpu");
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (UINT t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (UINT round = 0; round < 200; ++round) {
        const UINT n = 1 + (t * 31 + round * 7) % 97;
        const anydml::Operator op = device.CreateOperator(ReluGradDesc(n).desc);
        std::vector<float> x(n), dy(n), dx(n);
        for (UINT i = 0; i < n; ++i) {
          x[i] = static_cast<float>(i % 3) - 1.0f;
          dy[i] = static_cast<float>(i + t);
        }
        op.Execute({x.data(), dy.data()}, {dx.data()});
        for (UINT i = 0; i < n; ++i) wrong += dx[i] != (i % 3 == 2 ? dy[i] : 0.0f);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
