// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A DirectML device on top of the Direct3D 12 fixture, and the steps that a
// program goes through: compile, initialise, bind, record, execute.
#pragma once

#include "d3d12/fixture.h"
// The Direct3D 12 headers first: directml_guids.h wants them before it.
#include <directml_guids.h>

#include "base/last_error.h"
#include "support/run.h"

namespace anydml::directml {

using Microsoft::WRL::ComPtr;
using test::Tensor;

// What a test binds: a range of a buffer, or nothing.
struct Range {
  ComPtr<ID3D12Resource> buffer;
  uint64_t offset = 0;
  uint64_t bytes = 0;  // 0: to the end of the buffer

  Range() = default;
  Range(const ComPtr<ID3D12Resource>& whole) : buffer(whole) {}  // NOLINT: by design
  Range(const ComPtr<ID3D12Resource>& part, uint64_t part_offset, uint64_t part_bytes)
      : buffer(part), offset(part_offset), bytes(part_bytes) {}

  DML_BUFFER_BINDING Binding() const {
    if (buffer == nullptr) return {};
    return {buffer.Get(), offset, bytes != 0 ? bytes : buffer->GetDesc().Width - offset};
  }
};

// DML_BINDING_DESCs with what they point to.
class BindingDescs {
 public:
  BindingDescs(std::initializer_list<Range> ranges) : ranges_(ranges) {
    for (const Range& range : ranges_) buffers_.push_back(range.Binding());
    for (const DML_BUFFER_BINDING& buffer : buffers_) {
      descs_.push_back(buffer.Buffer == nullptr
                           ? DML_BINDING_DESC{DML_BINDING_TYPE_NONE, nullptr}
                           : DML_BINDING_DESC{DML_BINDING_TYPE_BUFFER, &buffer});
    }
  }
  UINT size() const { return static_cast<UINT>(descs_.size()); }
  const DML_BINDING_DESC* data() const { return descs_.data(); }

 private:
  std::vector<Range> ranges_;
  std::vector<DML_BUFFER_BINDING> buffers_;
  std::vector<DML_BINDING_DESC> descs_;
};

inline std::string LastError() { return std::string(LastErrorOfThread()); }

class DirectMLTest : public d3d12::D3D12Test {
 protected:
  DirectMLTest() {
    EXPECT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)), S_OK);
    EXPECT_EQ(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)), S_OK);
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1,
                                             D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    EXPECT_EQ(device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&descriptors)), S_OK);
  }

  // A buffer that operators read and write.
  template <typename T>
  ComPtr<ID3D12Resource> Buffer(const std::vector<T>& values) {
    ComPtr<ID3D12Resource> buffer = Buffer(values.size() * sizeof(T));
    SetContents(buffer.Get(), values);
    return buffer;
  }
  ComPtr<ID3D12Resource> Buffer(uint64_t bytes) {
    return MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, bytes);
  }

  ComPtr<IDMLOperator> Create(DML_OPERATOR_TYPE type, const void* desc) {
    const DML_OPERATOR_DESC operator_desc = {type, desc};
    ComPtr<IDMLOperator> op;
    EXPECT_EQ(dml->CreateOperator(&operator_desc, IID_PPV_ARGS(&op)), S_OK) << LastError();
    return op;
  }

  // ACTIVATION_RELU_GRAD, dx = x > 0 ? dy : 0.
  ComPtr<IDMLOperator> CreateGate(const Tensor& x, const Tensor& dy, const Tensor& dx) {
    const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {x, dy, dx};
    return Create(DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc);
  }
  ComPtr<IDMLOperator> CreateGate(UINT count) {
    const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {count});
    return CreateGate(tensor, tensor, tensor);
  }

  ComPtr<IDMLCompiledOperator> Compile(const ComPtr<IDMLOperator>& op,
                                       DML_EXECUTION_FLAGS flags = DML_EXECUTION_FLAG_NONE) {
    ComPtr<IDMLCompiledOperator> compiled;
    EXPECT_EQ(dml->CompileOperator(op.Get(), flags, IID_PPV_ARGS(&compiled)), S_OK) << LastError();
    return compiled;
  }
  ComPtr<IDMLCompiledOperator> CompileGate(UINT count,
                                           DML_EXECUTION_FLAGS flags = DML_EXECUTION_FLAG_NONE) {
    return Compile(CreateGate(count), flags);
  }

  DML_BINDING_TABLE_DESC TableDesc(IDMLDispatchable* dispatchable) {
    return {dispatchable, descriptors->GetCPUDescriptorHandleForHeapStart(),
            descriptors->GetGPUDescriptorHandleForHeapStart(), 1};
  }
  ComPtr<IDMLBindingTable> Table(IDMLDispatchable* dispatchable) {
    const DML_BINDING_TABLE_DESC desc = TableDesc(dispatchable);
    ComPtr<IDMLBindingTable> table;
    EXPECT_EQ(dml->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), S_OK) << LastError();
    return table;
  }

  ComPtr<IDMLOperatorInitializer> Initializer(IDMLCompiledOperator* compiled) {
    ComPtr<IDMLOperatorInitializer> initializer;
    EXPECT_EQ(dml->CreateOperatorInitializer(1, &compiled, IID_PPV_ARGS(&initializer)), S_OK);
    return initializer;
  }

  // For operators that own no tensor.
  void Initialize(const ComPtr<IDMLCompiledOperator>& compiled) {
    const auto initializer = Initializer(compiled.Get());
    const auto table = Table(initializer.Get());
    recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
    Finish();
  }

  static void Bind(const ComPtr<IDMLBindingTable>& table, const BindingDescs& inputs,
                   const BindingDescs& outputs) {
    table->BindInputs(inputs.size(), inputs.data());
    table->BindOutputs(outputs.size(), outputs.data());
  }

  // Records one dispatch with a table that is released right after.
  void Record(const ComPtr<IDMLCompiledOperator>& compiled, const BindingDescs& inputs,
              const BindingDescs& outputs) {
    const auto table = Table(compiled.Get());
    Bind(table, inputs, outputs);
    recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  }

  // The device was removed for misuse, in these words.
  void ExpectRemoved(const std::string& sentence) {
    EXPECT_EQ(LastError(), sentence);
    EXPECT_EQ(dml->GetDeviceRemovedReason(), E_INVALIDARG);
    EXPECT_EQ(device->GetDeviceRemovedReason(), S_OK) << "the parent must not be removed";
  }

  ComPtr<IDMLDevice1> dml;
  ComPtr<IDMLCommandRecorder> recorder;
  ComPtr<ID3D12DescriptorHeap> descriptors;
};

}  // namespace anydml::directml
