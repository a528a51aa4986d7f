// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "fuzz/call_machine.h"
#include "fuzz/valid_description.h"
#include "operators/describe.h"
#include "support/struct_builder.h"

namespace anydml::test {

using Microsoft::WRL::ComPtr;

namespace {

// No tensor of a valid description is larger, and its temporary memory hardly.
constexpr uint64_t kRange = 1 << 20;
constexpr uint64_t kRanges = 6;

// Bytes of the description's inputs or outputs that are bound at execution; 0 where
// a tensor is absent, or was bound at initialization.
std::vector<uint64_t> SizesOf(const schema::Arguments& arguments, bool outputs) {
  std::vector<uint64_t> sizes;
  for (size_t field : outputs ? arguments.outputs() : arguments.inputs()) {
    const TensorDesc& tensor = arguments.tensor(field);
    sizes.push_back(tensor.flags != 0 ? 0 : tensor.total_bytes);
  }
  return sizes;
}

// One buffer with a range for each tensor of an operator and its temporary memory.
class WellBound {
 public:
  explicit WellBound(ComPtr<ID3D12Resource> buffer) : buffer_(std::move(buffer)) {
    bindings_.reserve(kRanges);
  }

  std::vector<DML_BINDING_DESC> Ranges(const std::vector<uint64_t>& sizes) {
    std::vector<DML_BINDING_DESC> descs;
    for (uint64_t bytes : sizes) descs.push_back(Range(bytes));
    return descs;
  }

  DML_BINDING_DESC Range(uint64_t bytes) {
    if (bytes == 0) return {DML_BINDING_TYPE_NONE, nullptr};
    bindings_.push_back({buffer_.Get(), kRange * bindings_.size(), bytes});
    return {DML_BINDING_TYPE_BUFFER, &bindings_.back()};
  }

 private:
  ComPtr<ID3D12Resource> buffer_;
  std::vector<DML_BUFFER_BINDING> bindings_;
};

}  // namespace

void CallMachine::MakeDml() {
  ID3D12Device* device = In(devices_).Get();
  const auto flags = static_cast<DML_CREATE_DEVICE_FLAGS>(bytes_.Below(2));
  ComPtr<IDMLDevice1>& dml = In(dml_);
  Try([&] { return DMLCreateDevice(device, flags, IID_PPV_ARGS(dml.ReleaseAndGetAddressOf())); });
  if (dml == nullptr) return;
  Try([&] {
    return dml->CreateCommandRecorder(IID_PPV_ARGS(In(recorders_).ReleaseAndGetAddressOf()));
  });
}

void CallMachine::MakeOperator() {
  IDMLDevice1* dml = In(dml_).Get();
  if (dml == nullptr) return;
  const Definition& definition = ChooseDefinition(bytes_);
  schema::Arguments arguments = MakeValidDescription(definition, bytes_);
  if (bytes_.Rarely()) arguments.tensor(arguments.inputs()[0]).flags = 1;
  const StructBuilder description(arguments);
  const DML_OPERATOR_DESC desc = {static_cast<DML_OPERATOR_TYPE>(arguments.schema().type),
                                  description.desc()};
  const uint32_t slot = bytes_.Below(kSlots);
  Try([&] {
    return dml->CreateOperator(&desc, IID_PPV_ARGS(operators_[slot].ReleaseAndGetAddressOf()));
  });
  arguments_[slot] = std::make_shared<const schema::Arguments>(std::move(arguments));
}

void CallMachine::Compile() {
  IDMLDevice1* dml = In(dml_).Get();
  if (dml == nullptr) return;
  const uint32_t slot = bytes_.Below(kSlots);
  constexpr DML_EXECUTION_FLAGS kFlags[] = {DML_EXECUTION_FLAG_NONE, DML_EXECUTION_FLAG_NONE,
                                            DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE,
                                            DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION};
  Compiled& compiled = compiled_[bytes_.Below(kSlots)];
  const DML_EXECUTION_FLAGS flags = bytes_.OneOf(kFlags);
  Try([&] {
    return dml->CompileOperator(operators_[slot].Get(), flags,
                                IID_PPV_ARGS(compiled.object.ReleaseAndGetAddressOf()));
  });
  compiled.arguments = arguments_[slot];
}

void CallMachine::MakeInitializer() {
  IDMLDevice1* dml = In(dml_).Get();
  IDMLCompiledOperator* operators[] = {compiled_[bytes_.Below(kSlots)].object.Get(),
                                       compiled_[bytes_.Below(kSlots)].object.Get()};
  const UINT count = bytes_.Rarely() ? 2 : bytes_.Rarely() ? 0 : 1;
  ComPtr<IDMLOperatorInitializer>& initializer = In(initializers_);
  if (initializer != nullptr && bytes_.Flip()) {
    return Try([&] { return initializer->Reset(count, operators); });
  }
  if (dml == nullptr) return;
  Try([&] {
    return dml->CreateOperatorInitializer(count, operators,
                                          IID_PPV_ARGS(initializer.ReleaseAndGetAddressOf()));
  });
}

IDMLDispatchable* CallMachine::Dispatchable() {
  if (bytes_.Byte() % 4 == 3) return In(initializers_).Get();
  return compiled_[bytes_.Below(kSlots)].object.Get();
}

DML_BINDING_TABLE_DESC CallMachine::TableDesc(IDMLDispatchable* dispatchable) {
  DML_BINDING_TABLE_DESC desc = {dispatchable, {}, {}, bytes_.Rarely() ? 0u : 1u};
  ID3D12DescriptorHeap* heap = In(descriptors_).Get();
  if (heap == nullptr) return desc;
  desc.CPUDescriptorHandle = heap->GetCPUDescriptorHandleForHeapStart();
  if ((heap->GetDesc().Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0) {
    desc.GPUDescriptorHandle = heap->GetGPUDescriptorHandleForHeapStart();
  }
  return desc;
}

void CallMachine::MakeTable() {
  IDMLDevice1* dml = In(dml_).Get();
  const DML_BINDING_TABLE_DESC desc = TableDesc(Dispatchable());
  const DML_BINDING_TABLE_DESC* given = bytes_.Rarely() ? nullptr : &desc;
  ComPtr<IDMLBindingTable>& table = In(tables_);
  if (table != nullptr && bytes_.Flip()) return Try([&] { return table->Reset(given); });
  if (dml == nullptr) return;
  Try([&] { return dml->CreateBindingTable(given, IID_PPV_ARGS(table.ReleaseAndGetAddressOf())); });
}

// Anything, anywhere: mostly misuse.
void CallMachine::Bind() {
  IDMLBindingTable* table = In(tables_).Get();
  if (table == nullptr) return;
  DML_BUFFER_BINDING buffers[3];
  DML_BINDING_DESC descs[3];
  for (int i = 0; i < 3; ++i) {
    buffers[i] = {In(buffers_).Get(), Number(16 * bytes_.Below(8)), Number(256)};
    descs[i] = {static_cast<DML_BINDING_TYPE>(bytes_.Below(3)), &buffers[i]};
    if (bytes_.Rarely()) descs[i].Desc = nullptr;
  }
  // One buffer's binding is no array of them.
  const DML_BUFFER_ARRAY_BINDING array = {bytes_.Below(3), buffers};
  for (DML_BINDING_DESC& desc : descs) {
    if (desc.Type == DML_BINDING_TYPE_BUFFER_ARRAY && desc.Desc != nullptr) desc.Desc = &array;
  }
  const UINT count = bytes_.Below(4);
  switch (bytes_.Below(4)) {
    case 0:
      return table->BindInputs(count, descs);
    case 1:
      return table->BindOutputs(count, descs);
    case 2:
      return table->BindTemporaryResource(bytes_.Rarely() ? nullptr : descs);
    default:
      return table->BindPersistentResource(bytes_.Rarely() ? nullptr : descs);
  }
}

// Records a compiled operator with everything that it asks for.
void CallMachine::BindWell() {
  const Compiled& compiled = compiled_[bytes_.Below(kSlots)];
  IDMLDevice1* dml = In(dml_).Get();
  ID3D12Device* device = In(devices_).Get();
  ID3D12GraphicsCommandList* list = In(lists_).Get();
  IDMLCommandRecorder* recorder = In(recorders_).Get();
  if (compiled.object == nullptr || dml == nullptr || device == nullptr || recorder == nullptr ||
      list == nullptr) {
    return;
  }
  if (bytes_.Flip()) return RecordInitializer(dml, compiled.object.Get(), recorder, list);
  const uint64_t temporary_bytes = compiled.object->GetBindingProperties().TemporaryResourceSize;
  if (temporary_bytes > kRange) return;
  const D3D12_RESOURCE_DESC desc =
      d3d12::BufferOf(kRange * kRanges, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  const D3D12_HEAP_PROPERTIES properties = d3d12::HeapOf(D3D12_HEAP_TYPE_DEFAULT);
  ComPtr<ID3D12Resource> buffer;
  Try([&] {
    return device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc,
                                           D3D12_RESOURCE_STATE_COMMON, nullptr,
                                           IID_PPV_ARGS(&buffer));
  });
  const DML_BINDING_TABLE_DESC table_desc = TableDesc(compiled.object.Get());
  ComPtr<IDMLBindingTable> table;
  Try([&] { return dml->CreateBindingTable(&table_desc, IID_PPV_ARGS(&table)); });
  if (buffer == nullptr || table == nullptr) return;
  WellBound bound(buffer);
  const auto inputs = bound.Ranges(SizesOf(*compiled.arguments, false));
  table->BindInputs(static_cast<UINT>(inputs.size()), inputs.data());
  const auto outputs = bound.Ranges(SizesOf(*compiled.arguments, true));
  table->BindOutputs(static_cast<UINT>(outputs.size()), outputs.data());
  const DML_BINDING_DESC temporary = bound.Range(temporary_bytes);
  if (temporary_bytes != 0) table->BindTemporaryResource(&temporary);
  recorder->RecordDispatch(list, compiled.object.Get(), table.Get());
}

void CallMachine::RecordInitializer(IDMLDevice1* dml, IDMLCompiledOperator* compiled,
                                    IDMLCommandRecorder* recorder, ID3D12CommandList* list) {
  ComPtr<IDMLOperatorInitializer> initializer;
  Try([&] { return dml->CreateOperatorInitializer(1, &compiled, IID_PPV_ARGS(&initializer)); });
  if (initializer == nullptr) return;
  const DML_BINDING_TABLE_DESC desc = TableDesc(initializer.Get());
  ComPtr<IDMLBindingTable> table;
  Try([&] { return dml->CreateBindingTable(&desc, IID_PPV_ARGS(&table)); });
  if (table != nullptr) recorder->RecordDispatch(list, initializer.Get(), table.Get());
}

void CallMachine::Record() {
  IDMLCommandRecorder* recorder = In(recorders_).Get();
  if (recorder == nullptr) return;
  ID3D12GraphicsCommandList* list = In(lists_).Get();
  recorder->RecordDispatch(list, Dispatchable(), In(tables_).Get());
}

void CallMachine::AskDml() {
  IDMLDevice1* dml = In(dml_).Get();
  if (dml == nullptr) return;
  switch (bytes_.Below(4)) {
    case 0:
      return Try([&] { return dml->GetDeviceRemovedReason(); });
    case 1: {
      IDMLPageable* objects[] = {compiled_[bytes_.Below(kSlots)].object.Get()};
      return Try(
          [&] { return bytes_.Flip() ? dml->Evict(1, objects) : dml->MakeResident(1, objects); });
    }
    case 2: {
      const DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT query = {
          static_cast<DML_TENSOR_DATA_TYPE>(bytes_.Below(16))};
      DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT data = {};
      return Try([&] {
        return dml->CheckFeatureSupport(static_cast<DML_FEATURE>(bytes_.Below(2)),
                                        static_cast<UINT>(Number(sizeof query)),
                                        bytes_.Rarely() ? nullptr : &query, sizeof data, &data);
      });
    }
    default:
      if (In(operators_) != nullptr) Try([&] { return dml->SetName(bytes_.Flip() ? L"a" : L""); });
  }
}

}  // namespace anydml::test
