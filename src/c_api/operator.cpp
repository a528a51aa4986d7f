// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/operator.h"

#include <fmt/format.h>

#include "c_api/shared_bytes.h"
#include "c_api/with_temporary.h"
#include "schema/tensor_bytes.h"

namespace anydml::c_api {
namespace {

// The memory of one tensor: where it is and which tensor, by its number.
struct Range {
  size_t number;
  uintptr_t begin;
  uintptr_t end;

  bool Overlaps(const Range& other) const { return begin < other.end && other.begin < end; }
};

class PointerChecker {
 public:
  explicit PointerChecker(const BoundOperator& op)
      : arguments_(op.program->arguments()), cuda_(op.program->cuda()) {}

  // The range of a tensor; empty for an absent optional one.
  Result<Range> Check(size_t number, const void* pointer) const {
    const TensorDesc& tensor = arguments_.tensor(number);
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    if (!tensor.present()) {
      if (pointer == nullptr) return Range{number, 0, 0};
      return arguments_.Fail(fmt::format(
          "{} is absent from the description and its pointer must be null", Name(number)));
    }
    if (pointer == nullptr)
      return arguments_.Fail(fmt::format("{} must not be null", Name(number)));
    const uint32_t size = ElementSize(tensor.data_type);
    if (address % size != 0) {
      return arguments_.Fail(fmt::format("{} = {} must be aligned to its element size, {} bytes",
                                         Name(number), fmt::ptr(pointer), size));
    }
    if (cuda_ != nullptr && !cuda::IsReachable(pointer, cuda_->ordinal)) {
      return arguments_.Fail(fmt::format("{} = {} must be memory that the CUDA device can reach",
                                         Name(number), fmt::ptr(pointer)));
    }
    return Range{number, address, address + ByteExtent(tensor)};
  }

  // An output may lie over an input only where the schema allows it, on exactly
  // the same elements.
  Status CheckAlias(const Range& input, const Range& output) const {
    if (!input.Overlaps(output) || IsInPlace(input, output) || !Share(input, output)) return {};
    const std::string in = Name(input.number), out = Name(output.number);
    if (!MayBeOverwritten(input)) {
      return arguments_.Fail(
          fmt::format("{} overlaps {}, and this operator does not run in place on it", out, in));
    }
    return arguments_.Fail(fmt::format(
        "{} overlaps {} and must then have the same address and the same strides", out, in));
  }

  // Ranges that overlap may still be of different elements.
  bool Share(const Range& a, const Range& b) const {
    return MayShareBytes(arguments_.tensor(a.number), a.begin, arguments_.tensor(b.number),
                         b.begin);
  }

  // The temporary memory is written while the tensors are in use.
  Status CheckTemporary(const Bindings& bindings, const BoundOperator& op) const {
    const uint64_t bytes = op.program->temporary_bytes();
    if (bindings.temporary == nullptr) return {};
    const auto address = reinterpret_cast<uintptr_t>(bindings.temporary);
    if (address % kTemporaryAlignment != 0) {
      return arguments_.Fail("the temporary memory must be aligned to 256 bytes");
    }
    if (bytes == 0) return {};
    if (cuda_ != nullptr && !cuda::IsReachable(bindings.temporary, cuda_->ordinal)) {
      return arguments_.Fail("the temporary memory must be memory that the CUDA device can reach");
    }
    const Range temporary = {0, address, address + bytes};
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      Status status = CheckApart(temporary, op.inputs[i], bindings.inputs[i]);
      if (!status.ok()) return status;
    }
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      Status status = CheckApart(temporary, op.outputs[i], bindings.outputs[i]);
      if (!status.ok()) return status;
    }
    return {};
  }

  Error OutputsOverlap(const Range& a, const Range& b) const {
    return arguments_.Fail(
        fmt::format("{} overlaps {}, and both are written", Name(a.number), Name(b.number)));
  }

 private:
  std::string Name(size_t number) const { return arguments_.TensorName(number); }

  bool MayBeOverwritten(const Range& input) const {
    return anydml::MayBeOverwritten(arguments_, input.number);
  }

  bool IsInPlace(const Range& input, const Range& output) const {
    return MayBeOverwritten(input) && input.begin == output.begin &&
           HaveSameLayout(arguments_.tensor(input.number), arguments_.tensor(output.number));
  }

  Status CheckApart(const Range& temporary, size_t number, const void* pointer) const {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    if (pointer == nullptr ||
        !temporary.Overlaps({number, address, address + ByteExtent(arguments_.tensor(number))})) {
      return {};
    }
    return arguments_.Fail(fmt::format("the temporary memory overlaps {}", Name(number)));
  }

  // From the first to the last byte of the elements.
  static uint64_t ByteExtent(const TensorDesc& tensor) {
    return Extent(tensor.Sizes(), tensor.Strides()).value_or(0) * ElementSize(tensor.data_type);
  }

  const schema::Arguments& arguments_;
  const CudaProgram* cuda_;  // null for the CPU
};

}  // namespace

BoundOperator::BoundOperator(std::shared_ptr<Device> owner,
                             std::shared_ptr<const DeviceProgram> compiled)
    : device(std::move(owner)),
      program(std::move(compiled)),
      inputs(program->arguments().inputs()),
      outputs(program->arguments().outputs()) {
  if (!device->cuda) device->temporaries.Expect(temporary_bytes());
}

BoundOperator::BoundOperator(std::shared_ptr<Device> owner,
                             std::shared_ptr<const CompiledGraph> compiled)
    : device(std::move(owner)), graph(std::move(compiled)) {
  if (!device->cuda) device->temporaries.Expect(temporary_bytes());
}

BoundOperator::~BoundOperator() {
  if (!device->cuda) device->temporaries.Forget(temporary_bytes());
}

Result<Bindings> CheckPointers(const BoundOperator& op, const void* const* inputs,
                               void* const* outputs) {
  const bool no_inputs = inputs == nullptr && !op.inputs.empty();
  if (no_inputs || outputs == nullptr) {
    return InvalidArgument("the arrays of input and output pointers must not be null");
  }
  Status fork = op.device->CheckFork();
  if (!fork.ok()) return fork.error();
  const PointerChecker checker(op);
  std::array<Range, kMaxBindings> reads, writes;  // as many as there are tensors are set
  Bindings bindings;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    Result<Range> range = checker.Check(op.inputs[i], inputs[i]);
    if (!range.ok()) return range.error();
    reads[i] = range.value();
    bindings.inputs[i] = inputs[i];
  }
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    Result<Range> range = checker.Check(op.outputs[i], outputs[i]);
    if (!range.ok()) return range.error();
    writes[i] = range.value();
    bindings.outputs[i] = outputs[i];
    for (size_t k = 0; k < op.inputs.size(); ++k) {
      Status status = checker.CheckAlias(reads[k], writes[i]);
      if (!status.ok()) return status.error();
    }
    for (size_t k = 0; k < i; ++k) {
      if (writes[k].Overlaps(writes[i]) && checker.Share(writes[k], writes[i])) {
        return checker.OutputsOverlap(writes[i], writes[k]);
      }
    }
  }
  return bindings;
}

Status CheckTemporary(const BoundOperator& op, const Bindings& bindings) {
  return PointerChecker(op).CheckTemporary(bindings, op);
}

Status LaunchOn(const CudaProgram& program, Bindings bindings, cuda::Stream stream) {
  return WithTemporaryOnStream(program.ordinal, program.temporary_bytes, bindings.temporary, stream,
                               [&](void* temporary) {
                                 bindings.temporary = temporary;
                                 return Launch(program, bindings, stream);
                               });
}

namespace {

Status RunOnCpu(const CpuProgram& program, TemporaryPool& temporaries, Bindings bindings,
                const cpu::Executor& executor) {
  return WithTemporary(temporaries, program.temporary_bytes, bindings.temporary,
                       [&](void* temporary) {
                         bindings.temporary = temporary;
                         return Run(program, bindings, executor);
                       });
}

Status RunOnCuda(const CudaProgram& program, const Bindings& bindings) {
  const cuda::ScopedDevice device(program.ordinal);
  Status status = LaunchOn(program, bindings, nullptr);
  return status.ok() ? cuda::Synchronize(nullptr) : status;
}

}  // namespace

Status RunNow(const DeviceProgram& program, TemporaryPool& temporaries, const Bindings& bindings,
              const cpu::Executor& executor) {
  if (program.cuda() != nullptr) return RunOnCuda(*program.cuda(), bindings);
  return RunOnCpu(*program.cpu(), temporaries, bindings, executor);
}

}  // namespace anydml::c_api
