// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

#include "backends/cpu/rows.h"
#include "base/checked_math.h"
#include "graph/fusion.h"
#include "graph/program.h"
#include "graph/wiring.h"

namespace anydml::graph {
namespace {

// A program and its addresses.
struct Memory {
  const Program& program;
  const Addresses& addresses;

  const void* Read(const Place& place) const { return addresses.Read(program, place); }
  void* Write(const Place& place) const { return addresses.Write(place); }
};

Status RunAlone(const Stage& stage, const Memory& memory, const cpu::Executor& executor) {
  return anydml::Run(*stage.program.cpu(), BindingsOf(memory.program, stage, memory.addresses),
                     executor);
}

// `count` elements in the order of the output, from number `first` on: where they lie side by
// side, or in the block.
const void* Gather(const StridedLoop<2>& loop, uint32_t element_size, const void* memory,
                   uint64_t first, uint64_t count, void* block) {
  const void* gathered = block;
  DispatchWidth(element_size, [&]<typename T>() {
    const auto length = static_cast<int64_t>(loop.inner_size());
    const int64_t stride = loop.inner_stride(0);
    auto at = static_cast<int64_t>(first) % length, rest = static_cast<int64_t>(count);
    T* to = static_cast<T*>(block);
    for (RowWalk<2> rows(loop, first / loop.inner_size()); rest != 0; rows.Next(), at = 0) {
      const T* const from = static_cast<const T*>(memory) + rows.offsets()[0] + at * stride;
      const int64_t run = std::min(length - at, rest);
      if (stride == 0) {
        std::fill_n(to, run, *from);
      } else if (run == static_cast<int64_t>(count)) {
        gathered = from;
      } else {
        std::copy_n(from, run, to);
      }
      to += run;
      rest -= run;
    }
  });
  return gathered;
}

// The stages of one block of `count` elements, the first of which is `first`. What is gathered
// goes behind the blocks between the stages.
void RunBlock(const Step& step, const Memory& memory, std::byte* blocks, uint64_t first,
              uint64_t count, Bindings& bindings) {
  for (const Stage& stage : step.stages) {
    for (size_t i = 0; i < stage.inputs.size(); ++i) {
      const Place& place = stage.inputs[i];
      bindings.inputs[i] =
          place.kind == Place::Kind::kBlock
              ? blocks + place.at
              : static_cast<const std::byte*>(memory.Read(place)) + first * place.element_size;
    }
    std::byte* gathered = blocks + kMaxBlocks * kBlockBytes;
    for (const Spread& spread : stage.spread) {
      const Place& place = stage.inputs[spread.input];
      bindings.inputs[spread.input] =
          Gather(spread.loop, place.element_size, memory.Read(place), first, count, gathered);
      gathered += kBlockBytes;
    }
    const Place& place = stage.outputs[0];
    bindings.outputs[0] =
        place.kind == Place::Kind::kBlock
            ? blocks + place.at
            : static_cast<std::byte*>(memory.Write(place)) + first * place.element_size;
    RunRow(*stage.program.cpu(), bindings, count);
  }
}

void RunInBlocks(const Step& step, const Memory& memory, const cpu::Executor& executor) {
  const uint64_t length = step.elements_per_block;
  const uint64_t grain = std::max<uint64_t>(1, cpu::kElementsPerUnit / length);
  executor.ParallelFor(CeilDivide(step.elements, length), grain, [&](uint64_t begin, uint64_t end) {
    alignas(64) std::byte blocks[(kMaxBlocks + kMaxSpread) * kBlockBytes];
    Bindings bindings;
    for (uint64_t block = begin; block < end; ++block) {
      const uint64_t first = block * length;
      RunBlock(step, memory, blocks, first, std::min(length, step.elements - first), bindings);
    }
  });
}

// The elements and nothing between them: padding of an output is not ours.
void CopyElements(const TensorDesc& tensor, const void* from, void* to,
                  const cpu::Executor& executor) {
  const StridedLoop<2> loop = ElementwiseLoop<2>({&tensor, &tensor});
  DispatchWidth(ElementSize(tensor.data_type), [&]<typename T>() {
    cpu::ForEachRowPiece(loop, executor, [&](const auto& at, uint64_t count) {
      const T* source = static_cast<const T*>(from) + at[0];
      T* target = static_cast<T*>(to) + at[1];
      const int64_t stride = loop.inner_stride(1);
      if (stride == 1) {
        std::memcpy(target, source, count * sizeof(T));
        return;
      }
      for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
        target[i * stride] = source[i * stride];
      }
    });
  });
}

Status RunStep(const Step& step, const Memory& memory, const cpu::Executor& executor) {
  if (step.elements != 0) {
    RunInBlocks(step, memory, executor);
  } else {
    Status status = RunAlone(step.stages[0], memory, executor);
    if (!status.ok()) return status;
  }
  for (const Copy& copy : step.copies) {
    CopyElements(copy.tensor, memory.addresses.outputs[copy.from],
                 memory.addresses.outputs[copy.to], executor);
  }
  return {};
}

// The step reads the input and writes the output at once: whether every read
// of an element happens before its bytes are overwritten.
bool RunsInPlace(const Step& step, uint32_t input, uint32_t output) {
  const Stage& writer = step.stages.back();
  for (const Stage& stage : step.stages) {
    const Ports ports = PortsOf(stage.program.op());
    for (size_t i = 0; i < stage.inputs.size(); ++i) {
      if (!stage.inputs[i].Is(Place::Kind::kInput, input)) continue;
      if (&stage != &writer) {  // an earlier stage of the same block
        if (stage.inputs[i].element_size != writer.outputs[0].element_size ||
            std::ranges::count(stage.spread, i, &Spread::input) != 0) {
          return false;
        }
        continue;
      }
      if (!stage.program.op().definition->schema->in_place.Contains(ports.inputs[i].field)) {
        return false;
      }
      for (size_t k = 0; k < stage.outputs.size(); ++k) {
        if (!stage.outputs[k].Is(Place::Kind::kOutput, output)) continue;
        const TensorDesc& in = *ports.inputs[i].tensor;
        const TensorDesc& out = *ports.outputs[k].tensor;
        if (ElementSize(in.data_type) != ElementSize(out.data_type) || !HaveSameLayout(in, out)) {
          return false;
        }
      }
    }
  }
  return true;
}

bool Reads(const Step& step, uint32_t input) {
  return std::ranges::any_of(step.stages, [&](const Stage& stage) {
    return std::ranges::any_of(
        stage.inputs, [&](const Place& place) { return place.Is(Place::Kind::kInput, input); });
  });
}

}  // namespace

const void* Addresses::Read(const Program& program, const Place& place) const {
  switch (place.kind) {
    case Place::Kind::kInput:
      return inputs[place.at];
    case Place::Kind::kConstant:
      return program.constants[place.at].get();
    default:
      return Write(place);
  }
}

void* Addresses::Write(const Place& place) const {
  switch (place.kind) {
    case Place::Kind::kOutput:
      return outputs[place.at];
    case Place::Kind::kTemporary:
      return static_cast<std::byte*>(temporary) + place.at;
    default:
      return nullptr;
  }
}

Bindings BindingsOf(const Program& program, const Stage& stage, const Addresses& addresses) {
  Bindings bindings;
  for (size_t i = 0; i < stage.inputs.size(); ++i) {
    bindings.inputs[i] = addresses.Read(program, stage.inputs[i]);
  }
  for (size_t i = 0; i < stage.outputs.size(); ++i) {
    bindings.outputs[i] = addresses.Write(stage.outputs[i]);
  }
  bindings.temporary = addresses.Write(stage.temporary);
  return bindings;
}

Status Run(const Program& program, const Addresses& addresses, const cpu::Executor& executor) {
  const Memory memory = {program, addresses};
  try {
    for (const Step& step : program.steps) {
      Status status = RunStep(step, memory, executor);
      if (!status.ok()) return status;
    }
    return {};
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow("graph: not enough memory to run it");
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, std::string("graph: ") + exception.what()};
  }
}

bool MayAlias(const Program& program, uint32_t input, uint32_t output) {
  bool is_written = false;
  for (const Step& step : program.steps) {
    if (is_written && Reads(step, input)) return false;
    const bool writes = std::ranges::any_of(step.stages.back().outputs, [&](const Place& place) {
      return place.Is(Place::Kind::kOutput, output);
    });
    if (writes && !RunsInPlace(step, input, output)) return false;
    is_written = is_written || writes || std::ranges::any_of(step.copies, [&](const Copy& copy) {
                   return copy.to == output;
                 });
  }
  return true;
}

}  // namespace anydml::graph
