// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The same program on every device that is here: memory of the device, copies
// there and back, execution at once and started.
#include <directml.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "anydml/anydml.hpp"

namespace {

constexpr const char* kReluGrad = R"({"type": "ACTIVATION_RELU_GRAD", "desc": {
    "InputTensor": {"DataType": "FLOAT32", "Sizes": [5]},
    "InputGradientTensor": {"DataType": "FLOAT32", "Sizes": [5]},
    "OutputGradientTensor": {"DataType": "FLOAT32", "Sizes": [5]}}})";

// MAX_POOLING_GRAD of overlapping windows: its plainest kernels need temporary
// memory.
constexpr const char* kPoolingGrad = R"({"type": "MAX_POOLING_GRAD", "desc": {
    "InputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 3, 3]},
    "InputGradientTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 2, 2]},
    "OutputGradientTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 3, 3]},
    "DimensionCount": 2, "Strides": [1, 1], "WindowSize": [2, 2],
    "StartPadding": [0, 0], "EndPadding": [0, 0], "Dilations": [1, 1]}})";

std::vector<std::string> AllDevices() {
  std::vector<std::string> names;
  for (size_t i = 0; i < anydml_device_count(); ++i) {
    anydml_device_info info = {};
    info.struct_size = sizeof info;
    EXPECT_EQ(anydml_get_device_info(i, &info), ANYDML_OK);
    names.emplace_back(info.name);
  }
  return names;
}

using Floats = std::vector<float>;

// Memory of a device with a vector's values.
class OnDevice {
 public:
  OnDevice(const anydml::Device& device, const Floats& values)
      : device_(device), count_(values.size()), memory_(device.Allocate(bytes())) {
    device_.Copy(memory_, values.data(), bytes());
  }
  ~OnDevice() { device_.Free(memory_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  void* data() const { return memory_; }
  Floats Fetch() const {
    Floats values(count_);
    device_.Copy(values.data(), memory_, bytes());
    return values;
  }

 private:
  uint64_t bytes() const { return count_ * sizeof(float); }

  const anydml::Device& device_;
  const size_t count_;
  void* const memory_;
};

class CApiDevices : public testing::TestWithParam<std::string> {};

TEST_P(CApiDevices, ExecuteOnTheirOwnMemory) {
  const anydml::Device device(GetParam().c_str());
  const anydml::Operator op = device.CreateOperator(kReluGrad);
  const OnDevice x(device, {-1, 2, 0, 3, -4}), dy(device, {5, 6, 7, 8, 9});
  const OnDevice dx(device, Floats(5, -1));
  op.Execute({x.data(), dy.data()}, {dx.data()});
  EXPECT_EQ(dx.Fetch(), (Floats{0, 6, 0, 8, 0}));
}

TEST_P(CApiDevices, StartExecutionsThatNeedTemporaryMemory) {
  const anydml::Device device(GetParam().c_str());
  const anydml::Operator op = device.CreateOperator(kPoolingGrad);
  const OnDevice x(device, {1, 2, 3, 4, 9, 5, 6, 7, 8}), dy(device, {1, 2, 4, 8});
  const OnDevice dx(device, Floats(9, -1));
  const anydml::Event first = op.Start({x.data(), dy.data()}, {dx.data()});
  const anydml::Event second = op.Start({x.data(), dy.data()}, {dx.data()});
  second.Wait();
  first.Wait();
  EXPECT_EQ(dx.Fetch(), (Floats{0, 0, 0, 0, 15, 0, 0, 0, 0}));
}

// Windows that are too wide for all kernels but the general one.
constexpr const char* kWidePoolingGrad = R"({"type": "MAX_POOLING_GRAD", "desc": {
    "InputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 1, 304]},
    "InputGradientTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 1, 2]},
    "OutputGradientTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 1, 304]},
    "DimensionCount": 2, "Strides": [1, 3], "WindowSize": [1, 301],
    "StartPadding": [0, 0], "EndPadding": [0, 0], "Dilations": [1, 1]}})";

TEST_P(CApiDevices, KeepTheCallersTemporaryMemoryFromTheTensors) {
  const anydml::Device device(GetParam().c_str());
  const anydml::Operator op = device.CreateOperator(kWidePoolingGrad);
  anydml_operator_info info = {};
  info.struct_size = sizeof info;
  ASSERT_EQ(anydml_get_operator_info(op.get(), &info), ANYDML_OK);
  ASSERT_GT(info.temporary_bytes, 0u);
  // Three tensors and the temporary memory, 2048 bytes apart; none is longer.
  ASSERT_LE(info.temporary_bytes, 2048u);
  const OnDevice memory(device, Floats(4 * 512, 1));
  const auto at = [&](size_t i) { return static_cast<char*>(memory.data()) + 2048 * i; };
  const void* inputs[] = {at(0), at(1)};
  void* outputs[] = {at(2)};
  anydml_execution execution = {};
  execution.struct_size = sizeof execution;
  execution.inputs = inputs;
  execution.outputs = outputs;
  const auto start = [&](void* temporary) {
    execution.temporary = temporary;
    return anydml_start(op.get(), &execution, nullptr);
  };
  size_t number = 0;
  for (const char* tensor : {"InputTensor", "InputGradientTensor", "OutputGradientTensor"}) {
    EXPECT_EQ(start(at(number++)), ANYDML_INVALID_ARGUMENT);
    EXPECT_EQ(anydml_last_error(),
              std::string("MAX_POOLING_GRAD: the temporary memory overlaps ") + tensor);
  }
  EXPECT_EQ(start(at(3) + 4), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(),
               "MAX_POOLING_GRAD: the temporary memory must be aligned to 256 bytes");
  EXPECT_EQ(start(at(3)), ANYDML_OK);
  device.Synchronize();
  // All are equal, so each window's first element wins.
  const Floats result = memory.Fetch();
  for (size_t i = 0; i < 304; ++i) {
    EXPECT_EQ(result[2 * 512 + i], i == 0 || i == 3 ? 1.0f : 0.0f) << i;
  }
}

TEST_P(CApiDevices, KnowTheirMemoryByItsAddress) {
  const anydml::Device device(GetParam().c_str());
  const OnDevice values(device, {1, 2});
  const char* name = nullptr;
  EXPECT_EQ(anydml_memory_device(values.data(), &name), ANYDML_OK);
  EXPECT_STREQ(name, GetParam().c_str());
  EXPECT_EQ(anydml_memory_device(&values, &name), ANYDML_OK);
  EXPECT_STREQ(name, "cpu");
  EXPECT_EQ(anydml_memory_device(&values, nullptr), ANYDML_INVALID_ARGUMENT);
}

TEST_P(CApiDevices, WaitForWhatNobodyHasAnEventOf) {
  const anydml::Device device(GetParam().c_str());
  const anydml::Operator op = device.CreateOperator(kReluGrad);
  const OnDevice x(device, {-1, 2, 0, 3, -4}), dy(device, {5, 6, 7, 8, 9});
  const OnDevice dx(device, Floats(5, -1));
  const void* inputs[] = {x.data(), dy.data()};
  void* outputs[] = {dx.data()};
  anydml_execution execution = {};
  execution.struct_size = sizeof execution;
  execution.inputs = inputs;
  execution.outputs = outputs;
  EXPECT_EQ(anydml_start(op.get(), &execution, nullptr), ANYDML_OK);
  device.Synchronize();
  EXPECT_EQ(dx.Fetch(), (Floats{0, 6, 0, 8, 0}));
  EXPECT_EQ(anydml_synchronize(nullptr, nullptr), ANYDML_INVALID_ARGUMENT);
}

TEST_P(CApiDevices, RefuseMemoryThatCannotBe) {
  const anydml::Device device(GetParam().c_str());
  void* memory = nullptr;
  EXPECT_EQ(anydml_allocate(device.get(), 0, &memory), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "bytes = 0 must be at least 1");
  EXPECT_EQ(anydml_allocate(device.get(), uint64_t{1} << 60, &memory), ANYDML_OUT_OF_MEMORY);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(anydml_allocate(nullptr, 1, &memory), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_copy(device.get(), nullptr, &memory, 1), ANYDML_INVALID_ARGUMENT);
  anydml_free(device.get(), nullptr);
  // The device is as good as before.
  device.Free(device.Allocate(64));
}

INSTANTIATE_TEST_SUITE_P(All, CApiDevices, testing::ValuesIn(AllDevices()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = c == ':' ? '_' : c;
  return name;
});

TEST(CApiCuda, IsRefusedInWordsWhereThereIsNone) {
  if (anydml_device_count() > 1) GTEST_SKIP() << "a CUDA device is here";
  anydml_device* device = nullptr;
  EXPECT_EQ(anydml_open_device("cuda:0", nullptr, &device), ANYDML_UNSUPPORTED);
  const std::string sentence = anydml_last_error();
  EXPECT_TRUE(sentence.starts_with("there is no device 'cuda:0' here (")) << sentence;
  EXPECT_TRUE(sentence.ends_with("); there is: cpu")) << sentence;
}

// A device of one thread needs less temporary memory than one of two, where there are as many
// cores: what each thread packs has a part of it.
TEST(Device, NeedsTemporaryMemoryForItsOwnThreads) {
  const auto bytes = [](uint32_t threads) {
    anydml_device_options options = {};
    options.struct_size = sizeof options;
    options.threads = threads;
    const anydml::Device device("cpu", &options);
    return device
        .CreateOperator(R"({"type": "GEMM", "desc": {
            "ATensor": {"DataType": "FLOAT32", "Sizes": [1024, 512]},
            "BTensor": {"DataType": "FLOAT32", "Sizes": [512, 1024]},
            "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1024, 1024]},
            "TransA": "NONE", "TransB": "NONE", "Alpha": 1, "Beta": 0}})")
        .info()
        .temporary_bytes;
  };
  anydml_device_info info = {};
  info.struct_size = sizeof info;
  ASSERT_EQ(anydml_get_device_info(0, &info), ANYDML_OK);
  if (info.threads < 2) GTEST_SKIP() << "one core";
  EXPECT_LT(bytes(1), bytes(2));
}

}  // namespace
