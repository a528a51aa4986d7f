// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A fork after use gets results or a sentence, and never a hang.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "anydml/anydml.hpp"
#include "support/run_in_child.h"

namespace {

using anydml::test::RunInChild;

constexpr int kRight = 0, kWrong = 1, kRefusedInWords = 2;
constexpr size_t kManyElements = 1 << 20;  // enough for several threads

std::string ReluJson(size_t elements) {
  const std::string tensor =
      R"({"DataType": "FLOAT32", "Sizes": [)" + std::to_string(elements) + "]}";
  return R"({"type": "ACTIVATION_RELU", "desc": {"InputTensor": )" + tensor +
         R"(, "OutputTensor": )" + tensor + "}}";
}

int Judge(anydml_status status, const std::vector<float>& result) {
  if (status == ANYDML_OK) {
    for (const float value : result) {
      if (value != 3) return kWrong;
    }
    return kRight;
  }
  const bool in_words = std::string(anydml_last_error()).find("forked") != std::string::npos;
  return status == ANYDML_UNSUPPORTED && in_words ? kRefusedInWords : kWrong;
}

int ExecuteOn(anydml_operator* op, size_t elements) {
  const std::vector<float> x(elements, 3);
  std::vector<float> y(elements);
  const void* inputs[] = {x.data()};
  void* outputs[] = {y.data()};
  const anydml_status status = anydml_execute(op, inputs, outputs);
  return Judge(status, y);
}

int CreateAndExecuteOn(anydml_device* device, size_t elements) {
  anydml_operator* op = nullptr;
  const anydml_status status =
      anydml_create_operator_from_json(device, ReluJson(elements).c_str(), &op);
  if (status != ANYDML_OK) return Judge(status, {});
  const int result = ExecuteOn(op, elements);
  anydml_release_operator(op);
  return result;
}

class Forks : public ::testing::Test {
 protected:
  Forks() {
    EXPECT_EQ(anydml_open_device("cpu", nullptr, &device_), ANYDML_OK);
    EXPECT_EQ(anydml_create_operator_from_json(device_, ReluJson(kManyElements).c_str(), &op_),
              ANYDML_OK);
    EXPECT_EQ(ExecuteOn(op_, kManyElements), kRight);
  }
  ~Forks() override {
    anydml_release_operator(op_);
    anydml_close_device(device_);
  }

  anydml_status StartHere(anydml_event** event) {
    anydml_execution execution = {};
    execution.struct_size = sizeof execution;
    execution.inputs = inputs_;
    execution.outputs = outputs_;
    return anydml_start(op_, &execution, event);
  }

  anydml_device* device_ = nullptr;
  anydml_operator* op_ = nullptr;
  std::vector<float> x_ = std::vector<float>(kManyElements, 3), y_ = x_;
  const void* inputs_[1] = {x_.data()};
  void* outputs_[1] = {y_.data()};
};

TEST_F(Forks, AChildWorksWithWhatItsParentMade) {
  EXPECT_EQ(RunInChild([this] { return ExecuteOn(op_, kManyElements); }), kRight);
  EXPECT_EQ(RunInChild([this] { return CreateAndExecuteOn(device_, 77); }), kRight);
}

TEST_F(Forks, AChildMayGiveUpWhatItsParentMade) {
  ASSERT_EQ(StartHere(nullptr), ANYDML_OK);  // so that the queue has a thread
  ASSERT_EQ(anydml_synchronize(device_, nullptr), ANYDML_OK);
  EXPECT_EQ(RunInChild([this] {
              anydml_release_operator(op_);
              anydml_close_device(device_);
              return kRight;
            }),
            kRight);
}

TEST_F(Forks, AChildOpensDevicesOfItsOwn) {
  EXPECT_EQ(RunInChild([] {
              anydml_device* own = nullptr;
              const anydml_status status = anydml_open_device("cpu", nullptr, &own);
              if (status != ANYDML_OK) return kWrong;
              const int result = CreateAndExecuteOn(own, kManyElements);
              anydml_close_device(own);
              return result;
            }),
            kRight);
}

TEST_F(Forks, AChildOfAChildWorksToo) {
  EXPECT_EQ(
      RunInChild([this] { return RunInChild([this] { return ExecuteOn(op_, kManyElements); }); }),
      kRight);
}

TEST_F(Forks, TheQueueOfAParentIsRefusedInWords) {
  ASSERT_EQ(StartHere(nullptr), ANYDML_OK);
  ASSERT_EQ(anydml_synchronize(device_, nullptr), ANYDML_OK);
  EXPECT_EQ(RunInChild([this] {
              const int started = Judge(StartHere(nullptr), {});
              const int waited = Judge(anydml_synchronize(device_, nullptr), {});
              return started == kRefusedInWords ? waited : kWrong;
            }),
            kRefusedInWords);
}

// The queue's thread must not count as one that is inside of the library when all that
// it was given has been waited for.
TEST_F(Forks, AChildOfAProcessThatHasWaitedForItsQueueWorks) {
  for (int i = 0; i < 200; ++i) {
    anydml_event* event = nullptr;
    ASSERT_EQ(StartHere(&event), ANYDML_OK);
    ASSERT_EQ(i % 2 == 0 ? anydml_wait(event) : anydml_synchronize(device_, nullptr), ANYDML_OK);
    ASSERT_EQ(RunInChild([this] { return CreateAndExecuteOn(device_, 77); }), kRight) << i;
    anydml_release_event(event);
  }
}

// The event is done, or it is refused; the child must not wait for a thread that it has not.
TEST_F(Forks, AnExecutionThatIsUnderWayIsNotWaitedForInTheChild) {
  for (int i = 0; i < 20; ++i) {
    anydml_event* event = nullptr;
    ASSERT_EQ(StartHere(&event), ANYDML_OK);
    const int result = RunInChild([this, event] { return Judge(anydml_wait(event), y_); });
    EXPECT_TRUE(result == kRight || result == kRefusedInWords) << result;
    EXPECT_EQ(anydml_wait(event), ANYDML_OK);
    anydml_release_event(event);
  }
}

TEST_F(Forks, AChildOfABusyProcessGetsAResultOrASentence) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer's own locks do not outlive a fork of a busy process";
#endif
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; !stop; ++i) CreateAndExecuteOn(device_, 1 + (i * 4 + t) % 1000);
    });
  }
  for (int i = 0; i < 100; ++i) {
    const int result = RunInChild([this] { return CreateAndExecuteOn(device_, 5000); });
    EXPECT_TRUE(result == kRight || result == kRefusedInWords) << result;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
