// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Whatever a description says, DirectML's interface, the C interface and the
// functions behind them agree: an operator, or a failure with a sentence. An
// operator has a plan, and every strategy has an opinion on it.
#include "d3d12/fixture.h"
// The Direct3D 12 headers first: directml_guids.h wants them before it.
#include <anydml/anydml.h>
#include <directml_guids.h>
#include <fmt/format.h>

#include "base/last_error.h"
#include "fuzz/raw_description.h"
#include "fuzz/valid_description.h"
#include "operators/registry.h"
#include "schema/interpreter.h"

namespace {

using namespace anydml;
using namespace anydml::test;
using Microsoft::WRL::ComPtr;

struct Devices {
  Devices() {
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    ComPtr<ID3D12Device> parent;
    Require(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_1_0_CORE, IID_PPV_ARGS(&parent)) == S_OK,
            "no Direct3D 12 device");
    Require(DMLCreateDevice(parent.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)) == S_OK,
            "no DirectML device");
    Require(anydml_open_device("cpu", nullptr, &c) == ANYDML_OK, "no device");
  }
  ~Devices() { anydml_close_device(c); }

  ComPtr<IDMLDevice> dml;
  anydml_device* c = nullptr;
};

// Tables are as long as the axes, so compiling is for small ones.
bool IsSmall(const Operator& op) {
  constexpr uint32_t kLongestAxis = 1 << 12;
  for (size_t i = 0; i < op.definition->schema->fields.size(); ++i) {
    for (uint32_t size : op.arguments->tensor(i).Sizes()) {
      if (size > kLongestAxis) return false;
    }
  }
  return true;
}

void RequireFailure(HRESULT code) {
  Require(code == E_INVALIDARG || code == DXGI_ERROR_UNSUPPORTED || code == E_OUTOFMEMORY,
          fmt::format("HRESULT {:#x}", static_cast<uint32_t>(code)));
  RequireSentence(LastErrorOfThread());
}

// What everything in front of the kernels makes of a plan, of any size.
void RequirePlan(const Operator& op) {
  const Kernel& kernel = *op.definition->kernel;
  const std::shared_ptr<const void> plan = kernel.make_plan(op.desc.get());
  Require(!kernel.explain(plan.get()).empty(), "a plan without an explanation");
  for (const CpuStrategy& strategy : kernel.cpu_strategies) {
    if (strategy.accepts(plan.get()).accepted()) strategy.temporary_bytes(plan.get());
  }
  Require(kernel.cpu_strategies.back().accepts(plan.get()).accepted(),
          "the last strategy must accept everything");
}

void Compile(const Devices& devices, const DML_OPERATOR_DESC* desc, IDMLOperator* op) {
  ComPtr<IDMLCompiledOperator> compiled;
  const HRESULT code =
      devices.dml->CompileOperator(op, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled));
  if (FAILED(code)) RequireFailure(code);
  anydml_operator* c_operator = nullptr;
  const anydml_status status = anydml_create_operator(devices.c, desc, &c_operator);
  Require((status == ANYDML_OK) == SUCCEEDED(code), "the C interface has another opinion");
  Require((c_operator != nullptr) == (status == ANYDML_OK), "a status without an operator");
  anydml_release_operator(c_operator);
}

// An output that is inferred keeps every rule, or the description is refused in words.
// (Nothing is created: what is inferred may be too large to compile here.)
void Infer(const DML_OPERATOR_DESC* desc) {
  const Result<const Definition*> definition = FindDefinition(desc);
  if (!definition.ok()) return;
  const Result<schema::Arguments> read =
      schema::ReadDescription(*definition.value()->schema, desc->Desc, kNewestFeatureLevel,
                              schema::AbsentOutputs::kInferred);
  if (!read.ok()) return RequireSentence(read.error().message);
  Require(schema::Validate(read.value(), kNewestFeatureLevel).ok(), "an output that breaks a rule");
}

void Create(const Devices& devices, const DML_OPERATOR_DESC* desc, const DeviceOptions& options,
            bool leaves_out_output) {
  const Result<Operator> newest = CreateOperator(desc, {});
  const Result<Operator> older = CreateOperator(desc, options);
  if (!older.ok()) RequireSentence(older.error().message);
  Require(newest.ok() || !older.ok(), "a lower feature level takes more");
  ComPtr<IDMLOperator> op;
  const HRESULT code = devices.dml->CreateOperator(desc, IID_PPV_ARGS(&op));
  Require(newest.ok() == (code == S_OK), "DirectML's interface has another opinion");
  Require((op != nullptr) == (code == S_OK), "S_OK without an operator");
  if (code != S_OK) {
    RequireFailure(code);
    if (leaves_out_output) return Infer(desc);
    anydml_operator* none = nullptr;
    Require(anydml_create_operator(devices.c, desc, &none) != ANYDML_OK,
            "the C interface takes it");
    RequireSentence(anydml_last_error());
    return;
  }
  RequirePlan(newest.value());
  if (IsSmall(newest.value())) Compile(devices, desc, op.Get());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Devices devices;
  Bytes bytes(data, size);
  const DeviceOptions options = {
      .feature_level = kFeatureLevels[bytes.Below(static_cast<uint32_t>(kFeatureLevels.size()))],
      .exchange_pixel_offsets = bytes.Flip()};
  const Definition& definition = ChooseAnyDefinition(bytes);
  const uint32_t changes = bytes.Below(6);
  const bool mend = bytes.Flip();
  RawDescription description(MakeValidDescription(definition, bytes));
  for (uint32_t i = 0; i < changes; ++i) description.Break(bytes);
  if (mend) description.MendTotalSizes();
  Create(devices, description.Build(), options, description.leaves_out_output());
  return 0;
}
