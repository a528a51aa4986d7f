// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A CUDA device whose memory is full, and one that is lost. Where there is none,
// the reason is told and nothing is tested.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "anydml/anydml.hpp"

namespace anydml {
namespace {

// ACTIVATION_RELU_GRAD of so many elements.
std::string Gate(uint64_t count) {
  const std::string tensor = R"({"DataType": "FLOAT32", "Sizes": [)" + std::to_string(count) + "]}";
  return R"({"type": "ACTIVATION_RELU_GRAD", "desc": {"InputTensor": )" + tensor +
         R"(, "InputGradientTensor": )" + tensor + R"(, "OutputGradientTensor": )" + tensor + "}}";
}

class CudaFaults : public testing::Test {
 protected:
  void SetUp() override {
    anydml_device* device = nullptr;
    const anydml_status status = anydml_open_device("cuda", nullptr, &device);
    anydml_close_device(device);
    if (status != ANYDML_OK) GTEST_SKIP() << anydml_last_error();
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process of its own
  }
};

// Whether x > 0 ? dy : 0 comes out.
bool Works(const Device& device) {
  const Operator op = device.CreateOperator(Gate(2).c_str());
  auto* memory = static_cast<float*>(device.Allocate(24));
  const float given[6] = {1, -1, 5, 6, 9, 9};
  float result[2] = {};
  device.Copy(memory, given, sizeof given);
  op.Execute({memory, memory + 2}, {memory + 4});
  device.Copy(result, memory + 4, sizeof result);
  device.Free(memory);
  return result[0] == 5 && result[1] == 0;
}

TEST_F(CudaFaults, TellsThatTheDeviceHasNoMemoryAndGoesOn) {
  const Device device("cuda");
  void* memory = nullptr;
  EXPECT_EQ(anydml_allocate(device.get(), uint64_t{1} << 50, &memory), ANYDML_OUT_OF_MEMORY);
  EXPECT_EQ(std::string(anydml_last_error()).substr(0, 6), "CUDA: ");
  EXPECT_EQ(memory, nullptr);
  EXPECT_TRUE(Works(device));
}

TEST_F(CudaFaults, WorksAgainWhenAFullDeviceHasRoom) {
  const Device device("cuda");
  std::vector<void*> taken;
  for (uint64_t bytes = uint64_t{1} << 36; bytes >= uint64_t{1} << 20; bytes /= 2) {
    void* memory = nullptr;
    while (anydml_allocate(device.get(), bytes, &memory) == ANYDML_OK) taken.push_back(memory);
  }
  void* memory = nullptr;
  EXPECT_EQ(anydml_allocate(device.get(), uint64_t{1} << 30, &memory), ANYDML_OUT_OF_MEMORY);
  for (void* each : taken) device.Free(each);
  EXPECT_TRUE(Works(device));
}

// A description that says more than what is bound: the kernel leaves the memory, and
// the driver takes the device away from the process.
[[noreturn]] void LoseDevice() {
  const Device device("cuda");
  const Operator op = device.CreateOperator(Gate(uint64_t{1} << 30).c_str());
  // In place, since tensors of this size would overlap anywhere else.
  void* small = device.Allocate(1024);
  const void* inputs[] = {small, small};
  const auto lost = [&](anydml_status status) {
    return status == ANYDML_DEVICE_LOST && anydml_last_error()[0] != '\0';
  };
  // The second call finds the device as the first has left it.
  const bool first = lost(anydml_execute(op.get(), inputs, &small));
  if (!first) std::fprintf(stderr, "%s\n", anydml_last_error());
  const bool second = lost(anydml_synchronize(device.get(), nullptr));
  std::exit(first && second ? 0 : 1);
}

TEST_F(CudaFaults, TellsThatTheDeviceIsLost) {
  // CUDA does not survive a fork: the child starts anew.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(LoseDevice(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace anydml
