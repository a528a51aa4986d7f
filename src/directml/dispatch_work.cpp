// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "directml/dispatch_work.h"

#include <cstring>

namespace anydml::directml {
namespace {

// An error of ours removes the DirectML device and not its parent, which is not
// at fault: so the queue hears of none.
Status Remove(Removal& removal, const Error& error) {
  removal.Remove(d3d12::ToHresult(error.code), error.message);
  return {};
}

class Execution final : public d3d12::Work {
 public:
  Execution(const CompiledOperator& op, const BoundRanges& bound)
      : removal_(op.device().removal()),
        program_(op.program()),
        initialization_(op.initialization()),
        persistent_(bound.persistent),
        temporary_(bound.temporary),
        inputs_(program_->inputs.size()),
        outputs_(program_->outputs.size()) {
    memory_.reserve(bound.inputs.size() + bound.outputs.size());
    for (size_t i = 0; i < bound.inputs.size(); ++i) {
      inputs_[i] = bound.inputs[i].begin;
      if (bound.inputs[i].bound()) memory_.push_back(bound.inputs[i].memory);
    }
    for (size_t i = 0; i < bound.outputs.size(); ++i) {
      outputs_[i] = bound.outputs[i].begin;
      if (bound.outputs[i].bound()) memory_.push_back(bound.outputs[i].memory);
    }
    const PersistentLayout& layout = op.persistent();
    if (layout.bytes == 0) persistent_ = {};
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (program_->inputs[i].owned) inputs_[i] = persistent_.begin + layout.offsets[i];
    }
  }

  Status Run(const d3d12::RunContext& context) const override {
    if (removal_->Reason() != S_OK) return {};
    if (!initialization_->done()) {
      return Remove(*removal_, InvalidArgument(fmt::format(
                                   "{}: was executed before it was initialised", program_->name)));
    }
    if (!initialization_->Wrote(persistent_.begin)) {
      return Remove(*removal_,
                    InvalidArgument(fmt::format("{}: the persistent resource must be the one that "
                                                "initialisation wrote",
                                                program_->name)));
    }
    const graph::Addresses addresses = {inputs_, outputs_, temporary_.begin};
    Status status = context.cuda ? graph::Launch(*program_, addresses, context.stream)
                                 : graph::Run(*program_, addresses, context.executor);
    return status.ok() ? status : Remove(*removal_, status.error());
  }

  bool CanReplay() const override { return removal_->Reason() == S_OK; }

 private:
  const std::shared_ptr<Removal> removal_;
  const std::shared_ptr<const graph::Program> program_;
  const std::shared_ptr<const Initialization> initialization_;
  BufferRange persistent_;
  BufferRange temporary_;
  std::vector<const void*> inputs_;
  std::vector<void*> outputs_;
  std::vector<std::shared_ptr<d3d12::Memory>> memory_;
};

// Copies the owned inputs of every operator into its persistent resource.
class InitializationWork final : public d3d12::Work {
 public:
  InitializationWork(const OperatorInitializer& initializer, const BoundRanges& bound)
      : removal_(initializer.device().removal()) {
    for (size_t i = 0; i < initializer.operators().size(); ++i) {
      const CompiledOperator& op = *initializer.operators()[i].Get();
      Target target = {op.program(), op.initialization(), {}, {}};
      if (op.persistent().bytes != 0) {
        target.persistent = bound.outputs[i];
        AddCopies(op, bound.input_arrays[i], target);
      }
      targets_.push_back(std::move(target));
    }
  }

  Status Run(const d3d12::RunContext& context) const override {
    if (removal_->Reason() != S_OK) return {};
    for (const Target& target : targets_) {
      if (!target.initialization->Begin(target.persistent.begin)) {
        return Remove(*removal_, InvalidArgument(fmt::format("{}: was initialised a second time",
                                                             target.program->name)));
      }
      for (const CopyOfInput& copy : target.copies) {
        Status status = Copy(copy, context);
        if (!status.ok()) return Remove(*removal_, status.error());
      }
    }
    return {};
  }

  bool CanReplay() const override { return false; }  // a second time is a mistake

 private:
  struct CopyOfInput {
    BufferRange from;
    std::byte* to;
    uint64_t bytes;
  };
  struct Target {
    std::shared_ptr<const graph::Program> program;
    std::shared_ptr<Initialization> initialization;
    BufferRange persistent;
    std::vector<CopyOfInput> copies;
  };

  static Status Copy(const CopyOfInput& copy, const d3d12::RunContext& context) {
    if (context.cuda) return cuda::Copy(copy.to, copy.from.begin, copy.bytes, context.stream);
    std::memcpy(copy.to, copy.from.begin, copy.bytes);
    return {};
  }

  static void AddCopies(const CompiledOperator& op, const std::vector<BufferRange>& inputs,
                        Target& target) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const graph::Slot& slot = op.program()->inputs[i];
      if (!slot.owned || slot.bytes == 0) continue;
      target.copies.push_back(
          {inputs[i], target.persistent.begin + op.persistent().offsets[i], slot.bytes});
    }
  }

  const std::shared_ptr<Removal> removal_;
  std::vector<Target> targets_;
};

class Nothing final : public d3d12::Work {
 public:
  Status Run(const d3d12::RunContext&) const override { return {}; }
};

Result<WorkPointer> MakeExecution(const CompiledOperator& op, const BoundRanges& bound) {
  const std::shared_ptr<Removal> removal = op.device().removal();
  std::string note;
  Status status = CheckExecution(op, bound, note);
  WorkPointer work;
  if (status.ok()) work = std::make_shared<Execution>(op, bound);
  if (!note.empty()) removal->Report(D3D12_MESSAGE_SEVERITY_INFO, note);
  if (!status.ok()) return status.error();
  return work;
}

class LateExecution final : public d3d12::Work {
 public:
  LateExecution(ComPtr<CompiledOperator> op, std::shared_ptr<const BoundRanges> bound)
      : op_(std::move(op)), bound_(std::move(bound)) {}

  Result<WorkPointer> Submit() const override {
    const std::shared_ptr<Removal> removal = op_->device().removal();
    if (removal->Reason() != S_OK) return WorkPointer(std::make_shared<Nothing>());
    Result<WorkPointer> work = MakeExecution(*op_.Get(), *bound_);
    if (work.ok()) return work;
    removal->Remove(d3d12::ToHresult(work.error().code),
                    "ExecuteCommandLists: " + work.error().message);
    return WorkPointer(std::make_shared<Nothing>());
  }

  Status Run(const d3d12::RunContext&) const override { return {}; }  // Submit gave another

 private:
  const ComPtr<CompiledOperator> op_;
  const std::shared_ptr<const BoundRanges> bound_;
};

}  // namespace

Result<WorkPointer> MakeWork(const Dispatchable& target, const BoundRanges& bound) {
  if (target.initializer != nullptr) {
    Status status = CheckInitialization(*target.initializer.Get(), bound);
    if (!status.ok()) return status.error();
    return WorkPointer(std::make_shared<InitializationWork>(*target.initializer.Get(), bound));
  }
  return MakeExecution(*target.compiled.Get(), bound);
}

WorkPointer MakeLateWork(ComPtr<CompiledOperator> op, std::shared_ptr<const BoundRanges> bound) {
  return std::make_shared<LateExecution>(std::move(op), std::move(bound));
}

}  // namespace anydml::directml
