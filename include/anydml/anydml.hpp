// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A thin C++ layer over anydml.h: handles that release themselves, failures as
// exceptions with the library's sentence. Header only, C++17.
//
//   anydml::Device device("cpu");
//   anydml::Operator relu_grad = device.CreateOperator(dml_operator_desc);
//   relu_grad.Execute({x.data(), dy.data()}, {dx.data()});
#ifndef ANYDML_ANYDML_HPP_
#define ANYDML_ANYDML_HPP_

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "anydml/anydml.h"

namespace anydml {

class Graph;  // of graph.hpp
class Value;

class Exception : public std::runtime_error {
 public:
  explicit Exception(anydml_status status)
      : std::runtime_error(anydml_last_error()), status_(status) {}
  anydml_status status() const noexcept { return status_; }

 private:
  anydml_status status_;
};

namespace detail {

inline void Check(anydml_status status) {
  if (status != ANYDML_OK) throw Exception(status);
}

struct Deleter {
  void operator()(anydml_device* device) const noexcept { anydml_close_device(device); }
  void operator()(anydml_operator* op) const noexcept { anydml_release_operator(op); }
  void operator()(anydml_event* event) const noexcept { anydml_release_event(event); }
};

template <typename Info, typename Get>
Info Fill(Get get) {
  Info info = {};
  info.struct_size = sizeof info;
  Check(get(&info));
  return info;
}

}  // namespace detail

class Event {
 public:
  explicit Event(anydml_event* event) : event_(event) {}
  // Throws what went wrong with the execution.
  void Wait() const { detail::Check(anydml_wait(event_.get())); }

 private:
  std::unique_ptr<anydml_event, detail::Deleter> event_;
};

class Operator {
 public:
  explicit Operator(anydml_operator* op) : op_(op) {}

  anydml_operator* get() const noexcept { return op_.get(); }
  anydml_operator_info info() const {
    return detail::Fill<anydml_operator_info>(
        [&](anydml_operator_info* info) { return anydml_get_operator_info(get(), info); });
  }
  anydml_tensor_info input(uint32_t index) const {
    return detail::Fill<anydml_tensor_info>(
        [&](anydml_tensor_info* info) { return anydml_get_input_info(get(), index, info); });
  }
  anydml_tensor_info output(uint32_t index) const {
    return detail::Fill<anydml_tensor_info>(
        [&](anydml_tensor_info* info) { return anydml_get_output_info(get(), index, info); });
  }

  // One pointer per tensor of the description; returns when the result is there.
  void Execute(const std::vector<const void*>& inputs, const std::vector<void*>& outputs) const {
    CheckCounts(inputs, outputs);
    detail::Check(anydml_execute(get(), inputs.data(), outputs.data()));
  }
  // Returns at once; the memory must stay until the event is done.
  Event Start(const std::vector<const void*>& inputs, const std::vector<void*>& outputs) const {
    CheckCounts(inputs, outputs);
    anydml_execution execution = {};
    execution.struct_size = sizeof execution;
    execution.inputs = inputs.data();
    execution.outputs = outputs.data();
    anydml_event* event = nullptr;
    detail::Check(anydml_start(get(), &execution, &event));
    return Event(event);
  }

 private:
  // What the plain interface cannot see: how many pointers there are.
  void CheckCounts(const std::vector<const void*>& inputs,
                   const std::vector<void*>& outputs) const {
    const anydml_operator_info own = info();
    if (inputs.size() != own.input_count || outputs.size() != own.output_count) {
      throw std::invalid_argument(
          std::string(own.name) + ": takes " + std::to_string(own.input_count) + " inputs and " +
          std::to_string(own.output_count) + " outputs, given were " +
          std::to_string(inputs.size()) + " and " + std::to_string(outputs.size()));
    }
  }

  std::unique_ptr<anydml_operator, detail::Deleter> op_;
};

class Device {
 public:
  explicit Device(const char* name, const anydml_device_options* options = nullptr) {
    anydml_device* device = nullptr;
    detail::Check(anydml_open_device(name, options, &device));
    device_.reset(device);
  }

  anydml_device* get() const noexcept { return device_.get(); }

  // Memory of the device; see anydml_allocate. Must not outlive the device.
  void* Allocate(uint64_t bytes) const {
    void* memory = nullptr;
    detail::Check(anydml_allocate(get(), bytes, &memory));
    return memory;
  }
  void Free(void* memory) const noexcept { anydml_free(get(), memory); }
  void Copy(void* to, const void* from, uint64_t bytes) const {
    detail::Check(anydml_copy(get(), to, from, bytes));
  }
  // Waits for the work that a stream holds; see anydml_synchronize.
  void Synchronize(void* stream = nullptr) const {
    detail::Check(anydml_synchronize(get(), stream));
  }

  Operator CreateOperator(const DML_OPERATOR_DESC& desc) const {
    anydml_operator* op = nullptr;
    detail::Check(anydml_create_operator(get(), &desc, &op));
    return Operator(op);
  }
  Operator CreateOperator(const char* json) const {
    anydml_operator* op = nullptr;
    detail::Check(anydml_create_operator_from_json(get(), json, &op));
    return Operator(op);
  }

  // For programs that include graph.hpp; see anydml_graph_compile.
  Operator Compile(const Graph& graph, const std::vector<Value>& outputs,
                   const std::vector<anydml_shared_memory>& shared = {}) const;

 private:
  std::unique_ptr<anydml_device, detail::Deleter> device_;
};

// An output of a description in JSON, before an operator is made of it.
inline anydml_tensor_info DescribeOutput(const char* json, uint32_t index = 0) {
  return detail::Fill<anydml_tensor_info>(
      [&](anydml_tensor_info* info) { return anydml_describe_output(json, index, info); });
}

}  // namespace anydml

#endif  // ANYDML_ANYDML_HPP_
