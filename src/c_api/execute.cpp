// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The functions of anydml.h that execute operators, at once or in the device's
// queue.
#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <optional>

#include "c_api/last_error.h"
#include "c_api/operator.h"
#include "c_api/sized_struct.h"

namespace anydml::c_api {

// The outcome of a started execution; shared by the event and the queue.
class Outcome {
 public:
  void Set(Status status) {
    const std::lock_guard lock(mutex_);
    status_ = std::move(status);
    done_.notify_all();
  }
  Status Wait() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return status_.has_value(); });
    return *status_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  std::optional<Status> status_;
};

namespace {

Status CheckTemporary(const CpuProgram& program, const void* temporary) {
  if (reinterpret_cast<uintptr_t>(temporary) % 256 == 0) return {};
  return program.op.arguments->Fail("the temporary memory must be aligned to 256 bytes");
}

Result<std::shared_ptr<Outcome>> Start(const BoundOperator& op, const anydml_execution& execution) {
  if (execution.stream != nullptr) {
    return InvalidArgument("the stream must be null on a CPU device");
  }
  Result<Bindings> bindings = CheckPointers(op, execution.inputs, execution.outputs);
  if (!bindings.ok()) return bindings.error();
  Status status = CheckTemporary(*op.program, execution.temporary);
  if (!status.ok()) return status.error();
  bindings.value().temporary = execution.temporary;
  auto outcome = std::make_shared<Outcome>();
  // Holds the program and not the device: the device waits for its queue.
  status = op.device->queue.Submit([outcome, program = op.program, temporaries = op.temporaries,
                                    executor = &op.device->executor, bound = bindings.value()] {
    outcome->Set(RunNow(*program, *temporaries, bound, *executor));
  });
  if (!status.ok()) return status.error();
  return outcome;
}

}  // namespace
}  // namespace anydml::c_api

struct anydml_event {
  std::shared_ptr<anydml::c_api::Outcome> outcome;
};

using anydml::InvalidArgument;
using anydml::Status;
using namespace anydml::c_api;  // NOLINT: this file implements its public face

anydml_status anydml_execute(anydml_operator* op, const void* const* inputs, void* const* outputs) {
  return Guard([&]() -> Status {
    if (op == nullptr) return InvalidArgument("the operator must not be null");
    anydml::Result<anydml::Bindings> bindings = CheckPointers(op->op, inputs, outputs);
    if (!bindings.ok()) return bindings.error();
    return RunNow(*op->op.program, *op->op.temporaries, bindings.value(), op->op.device->executor);
  });
}

anydml_status anydml_start(anydml_operator* op, const anydml_execution* execution,
                           anydml_event** event) {
  return Guard([&]() -> Status {
    if (event != nullptr) *event = nullptr;
    if (op == nullptr) return InvalidArgument("the operator must not be null");
    anydml_execution own = {};
    Status status = CopyIn(execution, "anydml_execution", own);
    if (!status.ok()) return status;
    auto handle = std::make_unique<anydml_event>();  // before the work starts: it may fail
    anydml::Result<std::shared_ptr<Outcome>> outcome = Start(op->op, own);
    if (!outcome.ok()) return outcome.error();
    handle->outcome = std::move(outcome).value();
    if (event != nullptr) *event = handle.release();
    return {};
  });
}

anydml_status anydml_wait(anydml_event* event) {
  return Guard([&]() -> Status {
    if (event == nullptr) return InvalidArgument("the event must not be null");
    return event->outcome->Wait();
  });
}

void anydml_release_event(anydml_event* event) { delete event; }
