// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DV-10: eight threads create, compile and execute every operator, on one
// device, each with a queue of its own.
#include <memory>
#include <thread>

#include "directml/fixture.h"
#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/struct_builder.h"
#include "support/tensor_data.h"

namespace anydml::directml {
namespace {

// A small description of an operator, as bytes of its struct.
struct SmallCase {
  const Definition* definition;
  schema::Arguments arguments;
  std::vector<test::TensorMemory> inputs;
  std::vector<std::vector<uint8_t>> expected;  // elements of each output, by the reference
};

// The first case that the schema can express, packed, in its first data type.
std::vector<SmallCase> SmallCases() {
  std::vector<SmallCase> cases;
  std::mt19937 random(17);
  for (const Definition* definition : Registry()) {
    const test::TypeAssignment types = test::AdmittedTypes(*definition->schema).front();
    for (const Case& c : definition->cases) {
      auto arguments = test::Describe(*definition->schema, c, types);
      if (!arguments) continue;
      SmallCase made = {definition, *arguments, {}, {}};
      Result<Operator> op = CreateOperator(*definition, *arguments, {});
      if (!op.ok()) continue;
      Bindings bindings;
      std::vector<test::TensorMemory> outputs;
      for (size_t field : arguments->inputs()) {
        made.inputs.emplace_back(arguments->tensor(field));
        if (arguments->tensor(field).present()) made.inputs.back().FillRandom(random);
      }
      for (size_t field : arguments->outputs()) {
        outputs.emplace_back(arguments->tensor(field));
      }
      for (size_t i = 0; i < made.inputs.size(); ++i) {
        if (made.inputs[i].desc().present()) bindings.inputs[i] = made.inputs[i].data();
      }
      for (size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].desc().present()) bindings.outputs[i] = outputs[i].data();
      }
      RunReference(op.value(), bindings);
      for (const auto& output : outputs) {
        made.expected.push_back(output.desc().present() ? output.Elements()
                                                        : std::vector<uint8_t>());
      }
      cases.push_back(std::move(made));
      break;
    }
  }
  return cases;
}

class ThreadsTest : public DirectMLTest {};

// A queue and a list of its own, on the device that all share.
class Worker : public DirectMLTest {
 public:
  explicit Worker(const ComPtr<IDMLDevice1>& shared) {
    dml = shared;
    EXPECT_EQ(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)), S_OK);
  }
  void TestBody() override {}

  void Run(const SmallCase& c) {
    const test::StructBuilder raw(c.arguments);
    const auto type = static_cast<DML_OPERATOR_TYPE>(c.definition->schema->type);
    const auto compiled = Compile(Create(type, raw.desc()));
    Initialize(compiled);
    const auto table = Table(compiled.Get());
    std::vector<ComPtr<ID3D12Resource>> buffers;
    BindAll(table, c, buffers);
    const uint64_t temporary = compiled->GetBindingProperties().TemporaryResourceSize;
    if (temporary != 0) {
      const BindingDescs resource = {Range(Buffer(temporary))};
      table->BindTemporaryResource(resource.data());
    }
    recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
    Finish();
    EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
    Compare(c, buffers);
  }

  // Fifty times into a buffer of its own.
  void RunOften(const ComPtr<IDMLCommandRecorder>& shared, const ComPtr<IDMLCompiledOperator>& op,
                const ComPtr<ID3D12Resource>& x, const ComPtr<ID3D12Resource>& dy) {
    recorder = shared;
    const auto result = Buffer(4000);
    for (int i = 0; i < 50; ++i) {
      Record(op, {x, dy}, {result});
      Finish();
    }
    EXPECT_EQ(Contents<float>(result.Get()), std::vector<float>(1000, 3.0f));
  }

 private:
  void BindAll(const ComPtr<IDMLBindingTable>& table, const SmallCase& c,
               std::vector<ComPtr<ID3D12Resource>>& outputs) {
    std::vector<DML_BUFFER_BINDING> ranges;
    std::vector<ComPtr<ID3D12Resource>> inputs;
    for (const auto& input : c.inputs) {
      inputs.push_back(
          input.desc().present()
              ? Buffer(std::vector<uint8_t>(input.data(), input.data() + input.desc().total_bytes))
              : nullptr);
      ranges.push_back(Range(inputs.back()).Binding());
    }
    for (size_t field : c.arguments.outputs()) {
      const TensorDesc& tensor = c.arguments.tensor(field);
      outputs.push_back(tensor.present() ? Buffer(tensor.total_bytes) : nullptr);
      ranges.push_back(Range(outputs.back()).Binding());
    }
    std::vector<DML_BINDING_DESC> descs;
    for (const DML_BUFFER_BINDING& range : ranges) {
      descs.push_back({DML_BINDING_TYPE_BUFFER, &range});
    }
    table->BindInputs(static_cast<UINT>(inputs.size()), descs.data());
    table->BindOutputs(static_cast<UINT>(outputs.size()), descs.data() + inputs.size());
  }

  static void Compare(const SmallCase& c, const std::vector<ComPtr<ID3D12Resource>>& outputs) {
    const std::vector<size_t> fields = c.arguments.outputs();
    for (size_t i = 0; i < fields.size(); ++i) {
      const TensorDesc& tensor = c.arguments.tensor(fields[i]);
      if (!tensor.present()) continue;
      test::TensorMemory actual(tensor);
      const std::vector<uint8_t> bytes = Contents<uint8_t>(outputs[i].Get());
      std::memcpy(actual.data(), bytes.data(), bytes.size());
      EXPECT_EQ(test::FindDifference(tensor, c.expected[i], actual.Elements(),
                                     !c.definition->kernel->preserves_nan_bits),
                std::nullopt)
          << c.definition->schema->name;
    }
  }
};

// The workers are made and destroyed here: GoogleTest's fixtures are not for
// other threads.
template <typename Body>
void RunInThreads(const ComPtr<IDMLDevice1>& dml, const Body& body) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (int t = 0; t < 8; ++t) workers.push_back(std::make_unique<Worker>(dml));
  std::vector<std::thread> threads;
  for (size_t t = 0; t < workers.size(); ++t) {
    threads.emplace_back([&, t] { body(*workers[t], t); });
  }
  for (std::thread& thread : threads) thread.join();
}

// DV-10
TEST_F(ThreadsTest, CreateCompileAndExecuteAtTheSameTime) {
  const std::vector<SmallCase> cases = SmallCases();
  ASSERT_FALSE(cases.empty());
  RunInThreads(dml, [&](Worker& worker, size_t t) {
    for (size_t round = 0; round < 200 && !HasFailure(); ++round) {
      worker.Run(cases[(round + t) % cases.size()]);
    }
  });
}

// C.7: two executions of one compiled operator with distinct outputs.
TEST_F(ThreadsTest, ShareOneCompiledOperatorAndOneRecorder) {
  const auto compiled = CompileGate(1000);
  Initialize(compiled);
  const auto x = Buffer(std::vector<float>(1000, 1.0f));
  const auto dy = Buffer(std::vector<float>(1000, 3.0f));
  RunInThreads(dml, [&](Worker& worker, size_t) { worker.RunOften(recorder, compiled, x, dy); });
}

}  // namespace
}  // namespace anydml::directml
