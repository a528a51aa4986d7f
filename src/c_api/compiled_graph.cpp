// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/compiled_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/escaped.h"
#include "c_api/shared_bytes.h"
#include "c_api/with_temporary.h"

namespace anydml::c_api {
namespace {

// Names of values may hold anything.
Error Fail(std::string_view rest) {
  return InvalidArgument(fmt::format("graph: {}", Escaped(rest)));
}

// The memory of one tensor.
struct Range {
  const GraphTensor* tensor = nullptr;  // null for one that is not used
  uintptr_t begin = 0;
  uintptr_t end = 0;

  bool Overlaps(const Range& other) const { return begin < other.end && other.begin < end; }
  bool Shares(const Range& other) const {
    return Overlaps(other) &&
           MayShareBytes(tensor->tensor, begin, other.tensor->tensor, other.begin);
  }
};

Result<Range> CheckPointer(const GraphTensor& tensor, const void* pointer, CudaOrdinal cuda) {
  if (!tensor.is_used) return Range();
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (pointer == nullptr) return Fail(fmt::format("{} must not be null", tensor.name));
  const uint32_t size = ElementSize(tensor.tensor.data_type);
  if (address % size != 0) {
    return Fail(fmt::format("{} = {} must be aligned to its element size, {} bytes", tensor.name,
                            fmt::ptr(pointer), size));
  }
  if (cuda && !cuda::IsReachable(pointer, *cuda)) {
    return Fail(fmt::format("{} = {} must be memory that the CUDA device can reach", tensor.name,
                            fmt::ptr(pointer)));
  }
  const uint64_t elements = Extent(tensor.tensor.Sizes(), tensor.tensor.Strides()).value_or(0);
  return Range{&tensor, address, address + elements * size};
}

bool MayShare(const CompiledGraph& graph, uint32_t input, uint32_t output) {
  return std::ranges::any_of(graph.shared,
                             [=](const graph::SharedMemory& pair) {
                               return pair.input == input && pair.output == output;
                             }) ||
         graph::MayAlias(*graph.program, input, output);
}

Status CheckAlias(const CompiledGraph& graph, uint32_t i, const Range& input, uint32_t o,
                  const Range& output) {
  if (input.tensor == nullptr || !output.Shares(input)) return {};
  if (input.begin != output.begin || input.end != output.end) {
    return Fail(fmt::format("{} overlaps {} and must then have exactly its bytes",
                            output.tensor->name, input.tensor->name));
  }
  if (MayShare(graph, i, o)) return {};
  return Fail(fmt::format("{} is given the memory of {}, which is read after it is written",
                          output.tensor->name, input.tensor->name));
}

Status CheckTemporary(const CompiledGraph& graph, void* temporary, std::span<const Range> ranges) {
  if (temporary == nullptr) return {};
  const auto address = reinterpret_cast<uintptr_t>(temporary);
  if (address % kTemporaryAlignment != 0) {
    return Fail("the temporary memory must be aligned to 256 bytes");
  }
  const uint64_t bytes = graph.program->temporary_bytes;
  if (bytes == 0) return {};
  if (graph.program->cuda && !cuda::IsReachable(temporary, *graph.program->cuda)) {
    return Fail("the temporary memory must be memory that the CUDA device can reach");
  }
  for (const Range& range : ranges) {
    if (!Range{nullptr, address, address + bytes}.Overlaps(range)) continue;
    return Fail(fmt::format("the temporary memory overlaps {}", range.tensor->name));
  }
  return {};
}

// Whether the output may be written over the input, of a graph that was built for it.
Status CheckShared(const CompiledGraph& graph, const graph::SharedMemory& pair) {
  const GraphTensor& input = graph.inputs[pair.input];
  const GraphTensor& output = graph.outputs[pair.output];
  if (!input.is_used) return {};  // nobody reads it
  const auto refuse = [&](std::string_view why) {
    return Fail(
        fmt::format("output {} cannot share memory with {}: {}", pair.output, input.name, why));
  };
  if (input.tensor.data_type != output.tensor.data_type ||
      input.tensor.total_bytes != output.tensor.total_bytes) {
    return refuse(fmt::format("it has {} bytes of {}, and the input {} of {}",
                              output.tensor.total_bytes, DataTypeName(output.tensor.data_type),
                              input.tensor.total_bytes, DataTypeName(input.tensor.data_type)));
  }
  if (graph::MayAlias(*graph.program, pair.input, pair.output)) return {};
  return refuse("the operator that writes it does not run in place on the input");
}

void Describe(CompiledGraph& graph) {
  size_t operators = 0;
  for (const graph::Step& step : graph.program->steps) {
    operators += step.stages.size();
    for (const graph::Stage& stage : step.stages) {
      graph.table_bytes += sizeof stage + stage.program.table_bytes();
    }
  }
  const size_t steps = graph.program->steps.size();
  graph.strategy = fmt::format("{} step{} of {} operator{}", steps, steps == 1 ? "" : "s",
                               operators, operators == 1 ? "" : "s");
}

}  // namespace

Result<std::shared_ptr<const CompiledGraph>> CompileGraph(
    const graph::Values& values, std::span<const GraphValue> outputs,
    std::vector<std::string> names, std::span<const graph::SharedMemory> shared,
    const Device& device) {
  if (outputs.empty()) return Fail("a graph that is compiled has an output or more");
  Result<graph::Graph> built = values.Build(outputs, device.options, shared);
  if (!built.ok()) return built.error();
  Result<std::shared_ptr<const graph::Program>> program =
      graph::Compile(built.value(), device.cuda);
  if (!program.ok()) return program.error();
  auto graph = std::make_shared<CompiledGraph>();
  graph->program = std::move(program).value();
  graph->shared.assign(shared.begin(), shared.end());
  for (size_t i = 0; i < values.inputs().size(); ++i) {
    graph->inputs.push_back(
        {values.input_names()[i], values.inputs()[i].tensor, graph->program->inputs[i].bytes != 0});
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    graph->outputs.push_back({std::move(names[i]), values.OutputTensor(outputs[i])});
  }
  for (const graph::SharedMemory& pair : shared) {
    Status status = CheckShared(*graph, pair);
    if (!status.ok()) return status.error();
    graph->inputs[pair.input].may_be_overwritten = true;
  }
  Describe(*graph);
  return std::shared_ptr<const CompiledGraph>(std::move(graph));
}

Result<GraphBindings> CheckPointers(const CompiledGraph& graph, const void* const* inputs,
                                    void* const* outputs, void* temporary) {
  if ((inputs == nullptr && !graph.inputs.empty()) || outputs == nullptr) {
    return InvalidArgument("the arrays of input and output pointers must not be null");
  }
  const size_t input_count = graph.inputs.size(), output_count = graph.outputs.size();
  std::vector<Range> ranges;  // inputs, then outputs
  for (size_t i = 0; i < input_count + output_count; ++i) {
    const bool is_input = i < input_count;
    Result<Range> range = is_input ? CheckPointer(graph.inputs[i], inputs[i], graph.program->cuda)
                                   : CheckPointer(graph.outputs[i - input_count],
                                                  outputs[i - input_count], graph.program->cuda);
    if (!range.ok()) return range.error();
    ranges.push_back(range.value());
  }
  for (size_t o = 0; o < output_count; ++o) {
    const Range& output = ranges[input_count + o];
    for (size_t i = 0; i < input_count; ++i) {
      Status status =
          CheckAlias(graph, static_cast<uint32_t>(i), ranges[i], static_cast<uint32_t>(o), output);
      if (!status.ok()) return status.error();
    }
    for (size_t k = 0; k < o; ++k) {
      const Range& other = ranges[input_count + k];
      if (!output.Shares(other)) continue;
      return Fail(fmt::format("{} overlaps {}, and both are written", output.tensor->name,
                              other.tensor->name));
    }
  }
  Status status = CheckTemporary(graph, temporary, ranges);
  if (!status.ok()) return status.error();
  // Not in braces, where the two pointers would be the list's entries.
  return GraphBindings{std::vector<const void*>(inputs, inputs + input_count),
                       std::vector<void*>(outputs, outputs + output_count), temporary};
}

Status RunNow(const CompiledGraph& graph, TemporaryPool& temporaries, const GraphBindings& bindings,
              const cpu::Executor& executor) {
  const graph::Program& program = *graph.program;
  if (program.cuda) {
    const cuda::ScopedDevice device(*program.cuda);
    Status status = LaunchOn(graph, bindings, nullptr);
    return status.ok() ? cuda::Synchronize(nullptr) : status;
  }
  return WithTemporary(
      temporaries, program.temporary_bytes, bindings.temporary, [&](void* temporary) {
        return graph::Run(program, {bindings.inputs, bindings.outputs, temporary}, executor);
      });
}

Status LaunchOn(const CompiledGraph& graph, GraphBindings bindings, cuda::Stream stream) {
  const graph::Program& program = *graph.program;
  return WithTemporaryOnStream(
      *program.cuda, program.temporary_bytes, bindings.temporary, stream, [&](void* temporary) {
        return graph::Launch(program, {bindings.inputs, bindings.outputs, temporary}, stream);
      });
}

}  // namespace anydml::c_api
