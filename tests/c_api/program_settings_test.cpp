// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a program has set for its threads stays outside of the library, and stays as it is:
// traps of arithmetic, requests to end a thread.
#include <fenv.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>

#include "anydml/anydml.h"

namespace {

// Comparisons with a NaN are invalid, and sums of resampling are inexact; 0 / 0, integers by 0,
// what no INT8 holds, powers of e that are too large.
constexpr const char* kDescriptions[] = {
    R"({"type": "ELEMENT_WISE_CLIP1", "desc": {
        "InputTensor": {"DataType": "FLOAT16", "Sizes": [64]},
        "OutputTensor": {"DataType": "FLOAT16", "Sizes": [64]},
        "MinMaxDataType": "FLOAT16", "Min": "nan", "Max": 1}})",
    R"({"type": "ELEMENT_WISE_CLIP_GRAD1", "desc": {
        "InputTensor": {"DataType": "FLOAT16", "Sizes": [64]},
        "InputGradientTensor": {"DataType": "FLOAT16", "Sizes": [64]},
        "OutputGradientTensor": {"DataType": "FLOAT16", "Sizes": [64]},
        "MinMaxDataType": "FLOAT16", "Min": "nan", "Max": 1}})",
    R"({"type": "RESAMPLE", "desc": {
        "InputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 1, 32]},
        "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 1, 28]},
        "InterpolationMode": "LINEAR", "ScaleCount": 4, "Scales": [1, 1, 1, 0.9]}})",
    R"({"type": "ELEMENT_WISE_DIVIDE", "desc": {
        "ATensor": {"DataType": "FLOAT16", "Sizes": [64]},
        "BTensor": {"DataType": "FLOAT16", "Sizes": [64]},
        "OutputTensor": {"DataType": "FLOAT16", "Sizes": [64]}}})",
    R"({"type": "ELEMENT_WISE_MODULUS_TRUNCATE", "desc": {
        "ATensor": {"DataType": "INT16", "Sizes": [64]},
        "BTensor": {"DataType": "INT16", "Sizes": [64]},
        "OutputTensor": {"DataType": "INT16", "Sizes": [64]}}})",
    R"({"type": "CAST", "desc": {
        "InputTensor": {"DataType": "FLOAT32", "Sizes": [32]},
        "OutputTensor": {"DataType": "INT8", "Sizes": [32]}}})",
    R"({"type": "ELEMENT_WISE_EXP", "desc": {
        "InputTensor": {"DataType": "FLOAT16", "Sizes": [64]},
        "OutputTensor": {"DataType": "FLOAT16", "Sizes": [64]}}})"};

bool FailsInWords() {
  std::fputs(anydml_last_error(), stderr);  // for the test's output
  return false;
}

// At once and through the queue. The bytes are those of odd numbers of every kind.
bool Executes(anydml_device* device, const char* description) {
  anydml_operator* op = nullptr;
  if (anydml_create_operator_from_json(device, description, &op) != ANYDML_OK) {
    return FailsInWords();
  }
  static uint16_t x[64] = {0x3C00, 0x7E00, 0x7F80, 0x7FA0, 0x0001, 0xFFFF};
  static uint16_t y[64];
  const void* inputs[] = {x, x};
  void* outputs[] = {y};
  anydml_execution execution = {};
  execution.struct_size = sizeof execution;
  execution.inputs = inputs;
  execution.outputs = outputs;
  anydml_event* event = nullptr;
  const bool done = anydml_execute(op, inputs, outputs) == ANYDML_OK &&
                    anydml_start(op, &execution, &event) == ANYDML_OK &&
                    anydml_wait(event) == ANYDML_OK &&
                    anydml_synchronize(device, nullptr) == ANYDML_OK;
  anydml_release_event(event);
  anydml_release_operator(op);
  return done || FailsInWords();
}

bool UsesAll() {
  if (anydml_operators_json()[1] == ']') return false;
  anydml_device* device = nullptr;
  if (anydml_open_device("cpu", nullptr, &device) != ANYDML_OK) return FailsInWords();
  for (const char* description : kDescriptions) {
    if (!Executes(device, description)) return false;
  }
  anydml_close_device(device);
  return true;
}

#if defined(__GLIBC__)
// In a process of its own, where nobody has asked for the list of operators before.
TEST(ProgramSettingsDeathTest, TrapsOfArithmeticStayOutside) {
  if (feenableexcept(FE_DIVBYZERO) == -1) GTEST_SKIP() << "this processor has no traps";
  fedisableexcept(FE_ALL_EXCEPT);
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        feenableexcept(FE_ALL_EXCEPT);
        const bool used = UsesAll();
        _exit(used && fegetexcept() == FE_ALL_EXCEPT ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}
#endif

// Long enough that the end of the device has to wait for it.
bool ClosesWhileWorkIsQueued() {
  constexpr const char* kLong = R"({"type": "ACTIVATION_RELU", "desc": {
      "InputTensor": {"DataType": "FLOAT32", "Sizes": [4194304]},
      "OutputTensor": {"DataType": "FLOAT32", "Sizes": [4194304]}}})";
  static float x[4194304], y[4194304];
  anydml_device* device = nullptr;
  anydml_operator* op = nullptr;
  if (anydml_open_device("cpu", nullptr, &device) != ANYDML_OK) return FailsInWords();
  if (anydml_create_operator_from_json(device, kLong, &op) != ANYDML_OK) return FailsInWords();
  const void* inputs[] = {x};
  void* outputs[] = {y};
  anydml_execution execution = {};
  execution.struct_size = sizeof execution;
  execution.inputs = inputs;
  execution.outputs = outputs;
  for (int i = 0; i < 8; ++i) {
    if (anydml_start(op, &execution, nullptr) != ANYDML_OK) return FailsInWords();
  }
  anydml_release_operator(op);
  anydml_close_device(device);
  return true;
}

std::atomic<bool> used_all{false};

// What it calls is full of points of cancellation: files, waits, the end of the queue.
TEST(ProgramSettingsDeathTest, AThreadIsCancelledOutside) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer takes the stack that a cancelled thread was unwound from for "
                  "one that is in use";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto use_cancelled = [](void*) -> void* {
    pthread_cancel(pthread_self());
    used_all = UsesAll() && ClosesWhileWorkIsQueued();
    pthread_testcancel();
    return nullptr;
  };
  const auto run = [&] {
    pthread_t thread = {};
    if (pthread_create(&thread, nullptr, use_cancelled, nullptr) != 0) return 2;
    void* result = nullptr;
    pthread_join(thread, &result);
    return used_all && result == PTHREAD_CANCELED ? 0 : 1;
  };
  EXPECT_EXIT(_exit(run()), ::testing::ExitedWithCode(0), "");
}

}  // namespace
