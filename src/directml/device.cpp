// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "directml/device.h"

#include "base/raw_value.h"
#include "directml/binding_table.h"
#include "directml/command_recorder.h"
#include "directml/compiled_operator.h"
#include "directml/feature_support.h"
#include "directml/graph_desc.h"
#include "directml/operator.h"
#include "directml/operator_initializer.h"

namespace anydml::directml {
namespace {

constexpr UINT kExecutionFlags = DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION |
                                 DML_EXECUTION_FLAG_DISABLE_META_COMMANDS |
                                 DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE;

ComPtr<IUnknown> IdentityOf(IUnknown* object) {
  ComPtr<IUnknown> identity;
  if (FAILED(object->QueryInterface(__uuidof(IUnknown), &identity))) return nullptr;
  return identity;
}

Status CheckFlags(uint32_t flags) {
  if ((flags & ~kExecutionFlags) == 0) return {};
  return InvalidArgument(
      fmt::format("flags = {:#x} must be DML_EXECUTION_FLAGS, of which there "
                  "are {:#x}",
                  flags, kExecutionFlags));
}

Status CheckResult(void** result) {
  if (result != nullptr) return {};
  return InvalidArgument("the result pointer must not be null");
}

}  // namespace

Device::Device(ComPtr<ID3D12Device> parent, ComPtr<IAnydmlDevice> messages,
               const DeviceOptions& options, bool debug)
    : parent_(std::move(parent)),
      messages_(std::move(messages)),
      parent_identity_(IdentityOf(parent_.Get())),
      options_(options),
      removal_(std::make_shared<Removal>(*parent_.Get(), *messages_.Get(), debug)),
      debug_device_(*this, *removal_) {}

void* Device::FindOther(REFIID riid) {
  if (riid == kClassId) return this;
  const bool asks_debug = riid == __uuidof(IDMLDebugDevice) && removal_->debug();
  return asks_debug ? static_cast<IDMLDebugDevice*>(&debug_device_) : nullptr;
}

HRESULT ProvideDevice(Device& device, std::string_view method, REFIID riid, void** result) {
  return device.Provide(method, riid, result);
}

HRESULT CheckAlive(Device& device, std::string_view method) noexcept {
  return device.CheckAlive(method);
}

void ReportComplaint(Device& device, HRESULT code, std::string_view sentence) noexcept {
  device.ReportComplaint(code, sentence);
}

HRESULT Device::CheckAlive(std::string_view method) noexcept {
  if (removal_->Reason() == S_OK) return S_OK;
  ComObject::Call(method, [&] {
    return Complain(DXGI_ERROR_DEVICE_REMOVED, method,
                    "the device was removed: " + removal_->Sentence());
  });
  return DXGI_ERROR_DEVICE_REMOVED;
}

// Questions that are answered by no are notes, the rest are errors.
void Device::ReportComplaint(HRESULT code, std::string_view sentence) noexcept {
  const bool is_answer = code == E_NOINTERFACE || code == DXGI_ERROR_NOT_FOUND;
  removal_->Report(is_answer ? D3D12_MESSAGE_SEVERITY_INFO : D3D12_MESSAGE_SEVERITY_ERROR,
                   sentence);
}

HRESULT Device::FailInterface(std::string_view method) noexcept {
  d3d12::SetError(E_NOINTERFACE, method, d3d12::kNoInterface);
  removal_->Report(D3D12_MESSAGE_SEVERITY_ERROR, LastErrorOfThread());
  return E_NOINTERFACE;
}

bool Device::IsSibling(ID3D12DeviceChild* object) const {
  ComPtr<IUnknown> identity;
  return SUCCEEDED(object->GetDevice(__uuidof(IUnknown), &identity)) &&
         identity.Get() == parent_identity_.Get();
}

HRESULT Device::CheckFeatureSupport(DML_FEATURE feature, UINT query_size, const void* query,
                                    UINT data_size, void* data) {
  return Call("CheckFeatureSupport", [&]() -> Result<HRESULT> {
    Status status = directml::CheckFeatureSupport(options_.feature_level, RawValue(feature),
                                                  {query, query_size}, {data, data_size});
    if (!status.ok()) return status.error();
    return S_OK;
  });
}

HRESULT Device::CreateOperator(const DML_OPERATOR_DESC* desc, REFIID riid, void** result) {
  if (result != nullptr) *result = nullptr;
  return Call("CreateOperator", [&]() -> Result<HRESULT> {
    Result<anydml::Operator> op = anydml::CreateOperator(desc, options_);
    if (!op.ok()) return op.error();
    return Create<Operator>(riid, result, *this, std::move(op).value());
  });
}

HRESULT Device::CompileOperator(IDMLOperator* op, DML_EXECUTION_FLAGS flags, REFIID riid,
                                void** result) {
  if (result != nullptr) *result = nullptr;
  return Call("CompileOperator", [&]() -> Result<HRESULT> {
    const ComPtr<Operator> ours = As<Operator>(op);
    if (ours == nullptr || &ours->device() != this) {
      return InvalidArgument("the operator must be one of this device");
    }
    Status status = CheckFlags(RawValue(flags));
    if (!status.ok()) return status.error();
    auto program = graph::Compile(graph::GraphOf(ours->op()), messages_->CudaOrdinal());
    if (!program.ok()) return program.error();
    return Create<CompiledOperator>(riid, result, *this, std::move(program).value(), flags);
  });
}

HRESULT Device::CompileGraph(const DML_GRAPH_DESC* desc, DML_EXECUTION_FLAGS flags, REFIID riid,
                             void** result) {
  if (result != nullptr) *result = nullptr;
  return Call("CompileGraph", [&]() -> Result<HRESULT> {
    Status status = CheckFlags(RawValue(flags));
    if (!status.ok()) return status.error();
    Result<graph::Graph> graph = ReadGraph(*this, desc);
    if (!graph.ok()) return graph.error();
    auto program = graph::Compile(graph.value(), messages_->CudaOrdinal());
    if (!program.ok()) return program.error();
    for (const std::string& note : program.value()->notes) {
      removal_->Report(D3D12_MESSAGE_SEVERITY_WARNING, note);
    }
    return Create<CompiledOperator>(riid, result, *this, std::move(program).value(), flags);
  });
}

HRESULT Device::CreateOperatorInitializer(UINT count, IDMLCompiledOperator* const* operators,
                                          REFIID riid, void** result) {
  if (result != nullptr) *result = nullptr;
  return Call("CreateOperatorInitializer", [&]() -> Result<HRESULT> {
    Status status = CheckResult(result);
    if (!status.ok()) return status.error();
    auto list = ReadOperators(*this, count, operators);
    if (!list.ok()) return list.error();
    return Create<OperatorInitializer>(riid, result, *this, std::move(list).value());
  });
}

HRESULT Device::CreateCommandRecorder(REFIID riid, void** result) {
  if (result != nullptr) *result = nullptr;
  return Call("CreateCommandRecorder", [&]() -> Result<HRESULT> {
    Status status = CheckResult(result);
    if (!status.ok()) return status.error();
    return Create<CommandRecorder>(riid, result, *this);
  });
}

HRESULT Device::CreateBindingTable(const DML_BINDING_TABLE_DESC* desc, REFIID riid, void** result) {
  if (result != nullptr) *result = nullptr;
  return Call("CreateBindingTable", [&]() -> Result<HRESULT> {
    Status status = CheckResult(result);
    if (!status.ok()) return status.error();
    Result<Dispatchable> target = ReadTarget(*this, desc);
    if (!target.ok()) return target.error();
    return Create<BindingTable>(riid, result, *this, std::move(target).value());
  });
}

// Memory of the host is always resident: only the arguments are checked.
HRESULT Device::CheckPageables(std::string_view method, UINT count, IDMLPageable* const* objects) {
  return Call(method, [&]() -> Result<HRESULT> {
    if (count != 0 && objects == nullptr) {
      return InvalidArgument(fmt::format("the array of {} objects must not be null", count));
    }
    for (UINT i = 0; i < count; ++i) {
      ComPtr<IDMLDevice> owner;
      if (objects[i] == nullptr || FAILED(objects[i]->GetDevice(__uuidof(IDMLDevice), &owner)) ||
          owner.Get() != this) {
        return InvalidArgument(fmt::format("object {} must be one of this device", i));
      }
    }
    return S_OK;
  });
}

HRESULT Device::Evict(UINT count, IDMLPageable* const* objects) {
  return CheckPageables("Evict", count, objects);
}

HRESULT Device::MakeResident(UINT count, IDMLPageable* const* objects) {
  return CheckPageables("MakeResident", count, objects);
}

// What went wrong on a queue's thread is told to whoever asks for the reason.
HRESULT Device::GetDeviceRemovedReason() {
  const HRESULT reason = removal_->Reason();
  if (FAILED(reason)) {
    d3d12::Guard("GetDeviceRemovedReason", [&] { return removal_->TellSentence(), S_OK; });
  }
  return reason;
}

HRESULT Device::GetParentDevice(REFIID riid, void** result) {
  const HRESULT found = result == nullptr ? E_POINTER : parent_->QueryInterface(riid, result);
  if (SUCCEEDED(found)) return found;
  return Complain(found, "GetParentDevice",
                  result == nullptr ? d3d12::kNullResult : d3d12::kNoInterface);
}

}  // namespace anydml::directml
