// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// No memory, and no threads, under the C interface.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "anydml/anydml.h"
#include "faults/every_failure.h"
#include "faults/operator_program.h"

namespace anydml::faults {
namespace {

struct Release {
  void operator()(anydml_device* device) const { anydml_close_device(device); }
  void operator()(anydml_operator* op) const { anydml_release_operator(op); }
  void operator()(anydml_event* event) const { anydml_release_event(event); }
};
using DeviceHandle = std::unique_ptr<anydml_device, Release>;
using OperatorHandle = std::unique_ptr<anydml_operator, Release>;
using EventHandle = std::unique_ptr<anydml_event, Release>;

Answer AnswerOf(anydml_status status) {
  const Verdict verdict = status == ANYDML_OK              ? Verdict::kDone
                          : status == ANYDML_OUT_OF_MEMORY ? Verdict::kOutOfMemory
                                                           : Verdict::kOther;
  return Answer::Of(verdict, status == ANYDML_OK ? "" : anydml_last_error());
}
const Answer kWrong = Answer::Of(Verdict::kOther, "the results are wrong");
const Answer kNotNull = Answer::Of(Verdict::kOther, "a failure left a handle");

anydml_status Open(uint32_t threads, DeviceHandle& device) {
  anydml_device_options options = {};
  options.struct_size = sizeof options;
  options.threads = threads;
  anydml_device* opened = nullptr;
  const anydml_status status = anydml_open_device("cpu", &options, &opened);
  device.reset(opened);
  return status;
}

using GetTensorInfo = anydml_status (*)(const anydml_operator*, uint32_t, anydml_tensor_info*);

// All tensors, then one that is not there: refused, or no memory for the sentence.
anydml_status GetTensorInfos(anydml_operator* op, uint32_t count, GetTensorInfo get) {
  anydml_tensor_info tensor = {};
  tensor.struct_size = sizeof tensor;
  for (uint32_t i = 0; i < count; ++i) {
    const anydml_status status = get(op, i, &tensor);
    if (status != ANYDML_OK) return status;
  }
  tensor.name = nullptr;
  const anydml_status status = get(op, count, &tensor);
  if (status == ANYDML_OK || tensor.name != nullptr) return ANYDML_INTERNAL;
  return status == ANYDML_INVALID_ARGUMENT ? ANYDML_OK : status;
}

anydml_status GetInfo(anydml_operator* op) {
  anydml_operator_info info = {};
  info.struct_size = sizeof info;
  anydml_status status = anydml_get_operator_info(op, &info);
  if (status == ANYDML_OK) status = GetTensorInfos(op, info.input_count, anydml_get_input_info);
  if (status == ANYDML_OK) status = GetTensorInfos(op, info.output_count, anydml_get_output_info);
  if (status != ANYDML_OK) return status;
  info.struct_size = 12;  // refused like a tensor that is not there
  status = anydml_get_operator_info(op, &info);
  if (status == ANYDML_OK) return ANYDML_INTERNAL;
  return status == ANYDML_INVALID_ARGUMENT ? ANYDML_OK : status;
}

anydml_status Allocate(anydml_device* device) {
  void* memory = nullptr;
  const anydml_status status = anydml_allocate(device, 1000, &memory);
  if (status == ANYDML_OK) std::memset(memory, 1, 1000);
  anydml_free(device, memory);
  return status;
}

anydml_status StartAndWait(anydml_operator* op, const PreparedOperator& prepared) {
  anydml_execution execution = {};
  execution.struct_size = sizeof execution;
  execution.inputs = prepared.in;
  execution.outputs = prepared.out;
  anydml_event* started = nullptr;
  const anydml_status status = anydml_start(op, &execution, &started);
  const EventHandle event(started);
  return status == ANYDML_OK ? anydml_wait(started) : status;
}

// All of the interface that an operator's life passes through.
Answer RunOperator(PreparedOperator& prepared, uint32_t threads) {
  DeviceHandle device;
  anydml_status status = Open(threads, device);
  if (status != ANYDML_OK) return device == nullptr ? AnswerOf(status) : kNotNull;
  const DML_OPERATOR_DESC desc = prepared.desc();
  anydml_operator* created = nullptr;
  status = anydml_create_operator(device.get(), &desc, &created);
  const OperatorHandle op(created);
  if (status != ANYDML_OK) return op == nullptr ? AnswerOf(status) : kNotNull;
  status = GetInfo(op.get());
  if (status == ANYDML_OK) status = Allocate(device.get());
  prepared.ClearOutputs();
  if (status == ANYDML_OK) status = anydml_execute(op.get(), prepared.in, prepared.out);
  if (status == ANYDML_OK && !prepared.IsRight()) return kWrong;
  prepared.ClearOutputs();
  if (status == ANYDML_OK) status = StartAndWait(op.get(), prepared);
  if (status == ANYDML_OK && !prepared.IsRight()) return kWrong;
  if (status == ANYDML_OK) status = anydml_synchronize(device.get(), nullptr);
  return AnswerOf(status);
}

std::string NameOf(const Operator& op) { return std::string(op.definition->schema->name); }

class EveryOperator : public testing::TestWithParam<const Definition*> {};

TEST_P(EveryOperator, TellsThatThereIsNoMemory) {
  for (const Operator& op : OperatorsToTry(*GetParam())) {
    PreparedOperator prepared(op);
    FailEverywhere(NameOf(op), [&] { return RunOperator(prepared, 1); });
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, EveryOperator,
                         testing::ValuesIn(Registry().begin(), Registry().end()),
                         [](const auto& info) { return std::string(info.param->schema->name); });

// Large enough to be cut for several threads.
Operator LargeOperator() {
  const Definition& definition = *FindOperator("ACTIVATION_RELU_GRAD");
  const Case c = {"large", {{{1 << 20}, {1 << 20}, {1 << 20}}}, {}};
  const auto types = test::AdmittedTypes(*definition.schema).front();
  return CreateOperator(definition, *test::Describe(*definition.schema, c, types), {}).value();
}

// While TBB starts, one allocation may fail; that all fail is for the C library,
// which then ends the process (executor.cpp tries for memory before).
TEST(CApiFaults, TellsThatThereIsNoMemoryWithSeveralThreads) {
  PreparedOperator prepared(LargeOperator());
  const Program program = [&] { return RunOperator(prepared, 4); };
  Options first_time;
  first_time.counts_leaks = false;
  first_time.also_all_from_there = false;
  FailEverywhere("4 threads, the first time", program, first_time);
  Options later;
  later.counts_leaks = false;
  later.prepare = [&] { program(); };
  FailEverywhere("4 threads, later", program, later);
}

TEST(CApiFaults, WorksOnFewerThreadsOrTellsThatThereAreNone) {
  PreparedOperator prepared(LargeOperator());
  for (uint32_t threads : {0u, 1u, 2u, 4u}) {
    const int64_t failed = FailEveryThread(std::to_string(threads) + " threads",
                                           [&] { return RunOperator(prepared, threads); });
    EXPECT_GT(failed, 0);
  }
}

TEST(CApiFaults, TellsThatThereIsNoMemoryForWhatIsAskedOfTheLibrary) {
  FailEverywhere("anydml_get_device_info", [] {
    anydml_device_info info = {};
    info.struct_size = sizeof info;
    return AnswerOf(anydml_device_count() == 0 ? ANYDML_INTERNAL
                                               : anydml_get_device_info(0, &info));
  });
}

anydml_status CopyThereAndBack(anydml_device* device) {
  constexpr char kWords[] = "there and back";
  char back[sizeof kWords] = {};
  void* memory = nullptr;
  anydml_status status = anydml_allocate(device, sizeof kWords, &memory);
  const char* owner = "";
  if (status == ANYDML_OK) status = anydml_copy(device, memory, kWords, sizeof kWords);
  if (status == ANYDML_OK) status = anydml_copy(device, back, memory, sizeof kWords);
  if (status == ANYDML_OK) status = anydml_memory_device(memory, &owner);
  anydml_free(device, memory);
  if (status != ANYDML_OK) return status;
  const bool right = std::strcmp(back, kWords) == 0 && std::strcmp(owner, "cpu") == 0;
  return right ? ANYDML_OK : ANYDML_INTERNAL;
}

TEST(CApiFaults, CopiesOrTellsThatThereIsNoMemory) {
  FailEverywhere("anydml_copy, anydml_memory_device", [] {
    DeviceHandle device;
    anydml_status status = Open(1, device);
    if (status == ANYDML_OK) status = CopyThereAndBack(device.get());
    // Null: refused, or no memory for the sentence.
    if (status == ANYDML_OK) status = anydml_copy(device.get(), nullptr, "x", 1);
    return status == ANYDML_INVALID_ARGUMENT ? Answer() : AnswerOf(status);
  });
}

// Only sentences take memory here.
TEST(CApiFaults, SizesTensorsOrTellsThatThereIsNoMemory) {
  FailEverywhere("anydml_tensor_bytes", [] {
    const uint32_t sizes[] = {65536, 65536}, strides[] = {1, 4294967295};
    uint64_t bytes = 0;
    if (anydml_tensor_bytes(DML_TENSOR_DATA_TYPE_FLOAT32, 1, sizes, nullptr, &bytes) != ANYDML_OK ||
        bytes != 4 * 65536) {
      return kWrong;
    }
    anydml_status status = ANYDML_INVALID_ARGUMENT;
    const auto refuse = [&](uint32_t type, uint32_t count, const uint32_t* given) {
      if (status != ANYDML_INVALID_ARGUMENT) return;
      status = anydml_tensor_bytes(type, count, sizes, given, &bytes);
    };
    refuse(99, 1, nullptr);
    refuse(DML_TENSOR_DATA_TYPE_UINT8, 9, nullptr);
    refuse(DML_TENSOR_DATA_TYPE_FLOAT32, 2, nullptr);
    refuse(DML_TENSOR_DATA_TYPE_FLOAT32, 2, strides);
    return status == ANYDML_INVALID_ARGUMENT ? Answer() : AnswerOf(status);
  });
}

// Returns a text, and the empty list where there is no memory for it.
TEST(CApiFaults, ListsNoOperatorsWithoutMemory) {
  FailEverywhere("anydml_operators_json",
                 [] {
                   const char* text = anydml_operators_json();
                   if (std::strlen(text) > 1000) return Answer();
                   const bool empty = std::strcmp(text, "[]") == 0;
                   return Answer::Of(empty ? Verdict::kOutOfMemory : Verdict::kOther,
                                     anydml_last_error());
                 },
                 {.every_one_up_to = 300});
}

constexpr char kJson[] = R"({"type": "ACTIVATION_RELU_GRAD", "desc": {
    "InputTensor":          { "DataType": "FLOAT32", "Sizes": [2, 2] },
    "InputGradientTensor":  { "DataType": "FLOAT32", "Sizes": [2, 2] },
    "OutputGradientTensor": { "DataType": "FLOAT32", "Sizes": [2, 2] }}})";

TEST(CApiFaults, TellsThatThereIsNoMemoryForADescriptionInJson) {
  FailEverywhere("anydml_create_operator_from_json", [] {
    DeviceHandle device;
    anydml_status status = Open(1, device);
    if (status != ANYDML_OK) return AnswerOf(status);
    anydml_operator* op = nullptr;
    status = anydml_create_operator_from_json(device.get(), kJson, &op);
    anydml_release_operator(op);
    return status != ANYDML_OK && op != nullptr ? kNotNull : AnswerOf(status);
  });
}

// A refusal needs memory for its sentence; without it the code may be the other.
TEST(CApiFaults, RefusesOrTellsThatThereIsNoMemory) {
  FailEverywhere("a wrong description", [] {
    DeviceHandle device;
    anydml_status status = Open(1, device);
    if (status != ANYDML_OK) return AnswerOf(status);
    anydml_operator* op = nullptr;
    status = anydml_create_operator_from_json(device.get(), "{\"type\": \"RELU\"}", &op);
    if (op != nullptr) return kNotNull;
    return status == ANYDML_INVALID_ARGUMENT || status == ANYDML_UNSUPPORTED ? Answer()
                                                                             : AnswerOf(status);
  });
}

}  // namespace
}  // namespace anydml::faults
