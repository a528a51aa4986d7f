// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The functions of anydml.h that execute operators, at once or in the device's
// queue.
#include <fmt/format.h>

#include <atomic>

#include "c_api/last_error.h"
#include "c_api/operator.h"
#include "c_api/sized_struct.h"

namespace anydml::c_api {

// The outcome of a started execution.
class Outcome {
 public:
  virtual ~Outcome() = default;
  virtual Status Wait() = 0;
};

// Shared by the event and the device's queue. No lock, which a fork might find held:
// the queue's thread tells when it is no longer inside of the library.
class QueuedOutcome final : public Outcome {
 public:
  void Set(Status status) { status_ = std::move(status); }
  void Tell() {
    is_told_.store(1, std::memory_order_release);
    is_told_.notify_all();
  }
  Status Wait() override {
    const bool is_told = is_told_.load(std::memory_order_acquire) != 0;
    if (cpu::ForkDepth() != fork_depth_ && !is_told) {
      return Unsupported(
          "this execution was started before the process was forked and goes on in the parent "
          "alone");
    }
    is_told_.wait(0, std::memory_order_acquire);
    return status_;
  }

 private:
  const uint32_t fork_depth_ = cpu::ForkDepth();
  Status status_;
  std::atomic<int> is_told_{0};
};

class StreamOutcome final : public Outcome {
 public:
  StreamOutcome(int ordinal, cuda::Event event) : ordinal_(ordinal), event_(std::move(event)) {}
  Status Wait() override {
    const cuda::ScopedDevice device(ordinal_);
    return cuda::Wait(event_.get());
  }

 private:
  const int ordinal_;
  const cuda::Event event_;
};

namespace {

Status CheckCpuStream(const void* stream) {
  if (stream == nullptr) return {};
  return InvalidArgument("the stream must be null on a CPU device");
}

// `run` runs the execution on the queue's thread, where nobody would catch what is thrown. It
// holds the program and not the device: the device waits for its queue.
template <typename Run>
Result<std::shared_ptr<Outcome>> StartOnCpu(Device& device, const void* stream, Run run) {
  Status checked = CheckCpuStream(stream);
  if (!checked.ok()) return checked.error();
  auto outcome = std::make_shared<QueuedOutcome>();
  const auto run_queued = [run = std::move(run)]() noexcept -> Status {
    try {
      return run();
    } catch (const std::exception&) {
      return OutOfMemoryNow("not enough memory to run the operator");
    }
  };
  Status status = device.queue.Submit([outcome, run_queued] { outcome->Set(run_queued()); },
                                      [outcome] { outcome->Tell(); });
  if (!status.ok()) return status.error();
  return std::shared_ptr<Outcome>(std::move(outcome));
}

// `launch` puts the execution on the stream. Null where nobody will wait: an event costs as
// much as a small kernel.
template <typename LaunchIt>
Result<std::shared_ptr<Outcome>> StartOnCuda(int ordinal, void* given_stream, bool is_awaited,
                                             const LaunchIt& launch) {
  const auto stream = static_cast<cuda::Stream>(given_stream);
  const cuda::ScopedDevice device(ordinal);
  if (!is_awaited) {
    Status status = launch(stream);
    if (!status.ok()) return status.error();
    return std::shared_ptr<Outcome>();
  }
  Result<cuda::Event> event = cuda::CreateEvent(cuda::EventKind::kWaitOnly);
  if (!event.ok()) return event.error();
  Status status = launch(stream);
  if (status.ok()) status = cuda::Record(event.value().get(), stream);
  if (!status.ok()) return status.error();
  return std::shared_ptr<Outcome>(
      std::make_shared<StreamOutcome>(ordinal, std::move(event).value()));
}

Result<GraphBindings> CheckGraph(const BoundOperator& op, const void* const* inputs,
                                 void* const* outputs, void* temporary) {
  Status fork = op.device->CheckFork();
  if (!fork.ok()) return fork.error();
  return CheckPointers(*op.graph, inputs, outputs, temporary);
}

Status ExecuteGraph(const BoundOperator& op, const void* const* inputs, void* const* outputs) {
  Result<GraphBindings> bindings = CheckGraph(op, inputs, outputs, nullptr);
  if (!bindings.ok()) return bindings.error();
  return RunNow(*op.graph, op.device->temporaries, bindings.value(), op.device->executor);
}

Result<std::shared_ptr<Outcome>> StartGraph(const BoundOperator& op,
                                            const anydml_execution& execution, bool is_awaited) {
  Result<GraphBindings> checked =
      CheckGraph(op, execution.inputs, execution.outputs, execution.temporary);
  if (!checked.ok()) return checked.error();
  GraphBindings& bindings = checked.value();
  Device& device = *op.device;
  if (device.cuda) {
    return StartOnCuda(*device.cuda, execution.stream, is_awaited, [&](cuda::Stream stream) {
      return LaunchOn(*op.graph, std::move(bindings), stream);
    });
  }
  return StartOnCpu(
      device, execution.stream,
      [graph = op.graph, bindings = std::move(bindings), temporaries = &device.temporaries,
       executor = &device.executor] { return RunNow(*graph, *temporaries, bindings, *executor); });
}

Result<std::shared_ptr<Outcome>> Start(const BoundOperator& op, const anydml_execution& execution,
                                       bool is_awaited) {
  if (op.graph != nullptr) return StartGraph(op, execution, is_awaited);
  Result<Bindings> checked = CheckPointers(op, execution.inputs, execution.outputs);
  if (!checked.ok()) return checked.error();
  Bindings& bindings = checked.value();
  bindings.temporary = execution.temporary;
  Status status = CheckTemporary(op, bindings);
  if (!status.ok()) return status.error();
  if (const CudaProgram* cuda = op.program->cuda()) {
    return StartOnCuda(cuda->ordinal, execution.stream, is_awaited,
                       [&](cuda::Stream stream) { return LaunchOn(*cuda, bindings, stream); });
  }
  Device& device = *op.device;
  return StartOnCpu(device, execution.stream,
                    [program = op.program, bindings, temporaries = &device.temporaries,
                     executor = &device.executor] {
                      return RunNow(*program, *temporaries, bindings, *executor);
                    });
}

Status SynchronizeCpu(Device& device, const void* stream) {
  Status status = CheckCpuStream(stream);
  if (!status.ok()) return status;
  const auto last = std::make_shared<QueuedOutcome>();
  status = device.queue.Submit([] {}, [last] { last->Tell(); });
  return status.ok() ? last->Wait() : status;
}

Status SynchronizeCuda(int ordinal, void* stream) {
  const cuda::ScopedDevice device(ordinal);
  return cuda::Synchronize(static_cast<cuda::Stream>(stream));
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
    if (op->op.graph != nullptr) return ExecuteGraph(op->op, inputs, outputs);
    anydml::Result<anydml::Bindings> bindings = CheckPointers(op->op, inputs, outputs);
    if (!bindings.ok()) return bindings.error();
    return RunNow(*op->op.program, op->op.device->temporaries, bindings.value(),
                  op->op.device->executor);
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
    anydml::Result<std::shared_ptr<Outcome>> outcome = Start(op->op, own, event != nullptr);
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

anydml_status anydml_synchronize(anydml_device* device, void* stream) {
  return Guard([&]() -> Status {
    if (device == nullptr) return InvalidArgument("the device must not be null");
    Device& own = *device->device;
    Status fork = own.CheckFork();
    if (!fork.ok()) return fork;
    return own.cuda ? SynchronizeCuda(*own.cuda, stream) : SynchronizeCpu(own, stream);
  });
}

void anydml_release_event(anydml_event* event) {
  GuardRelease([event] { delete event; });
}
