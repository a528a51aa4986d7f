// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Uses directml.h the way header-only clients do, at target version 3.0. It passes when it
// compiles; nothing calls it.

#define DML_TARGET_VERSION 0x3000

#include <wrl/client.h>

#include <vector>

#include "DirectML.h"
#include "directml_guids.h"

// Names of later levels belong to the client.
struct DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC {
  int of_the_client;
};
enum { DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD, DML_TENSOR_DATA_TYPE_INT4, DML_PADDING_MODE_WRAP };

static_assert(DML_TARGET_VERSION == 0x3000);
static_assert(DML_OPERATOR_GATHER_ND1 == 140, "the last operator of level 3.0");
static_assert(DML_FEATURE_LEVEL_6_4 == 0x6400, "levels are not gated");
static_assert((DML_EXECUTION_FLAG_DISABLE_META_COMMANDS |
               DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE) == 6);

using Microsoft::WRL::ComPtr;

HRESULT CreateDevice(ID3D12Device* d3d12_device, bool debug, ComPtr<IDMLDevice1>& device1) {
  DML_CREATE_DEVICE_FLAGS flags = DML_CREATE_DEVICE_FLAG_NONE;
  if (debug) flags |= DML_CREATE_DEVICE_FLAG_DEBUG;

  ComPtr<IDMLDevice> device;
  const HRESULT result =
      DMLCreateDevice1(d3d12_device, flags, DML_FEATURE_LEVEL_3_0, IID_PPV_ARGS(&device));
  if (FAILED(result)) return DMLCreateDevice(d3d12_device, flags, IID_PPV_ARGS(&device1));
  return device.As(&device1);
}

HRESULT CompileReluGrad(IDMLDevice1* device, const std::vector<UINT>& sizes,
                        ComPtr<IDMLCompiledOperator>& compiled) {
  DML_BUFFER_TENSOR_DESC buffer = {};
  buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
  buffer.Flags = DML_TENSOR_FLAG_NONE;
  buffer.DimensionCount = static_cast<UINT>(sizes.size());
  buffer.Sizes = sizes.data();
  buffer.TotalTensorSizeInBytes = 256;
  const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};

  DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {};
  desc.InputTensor = &tensor;
  desc.InputGradientTensor = &tensor;
  desc.OutputGradientTensor = &tensor;
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc};

  ComPtr<IDMLOperator> op;
  const HRESULT result = device->CreateOperator(&operator_desc, IID_PPV_ARGS(&op));
  if (FAILED(result)) return result;
  return device->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled));
}

HRESULT RecordInitialization(IDMLDevice1* device, IDMLCompiledOperator* compiled,
                             ID3D12DescriptorHeap* heap, ID3D12GraphicsCommandList* list) {
  ComPtr<IDMLOperatorInitializer> initializer;
  HRESULT result = device->CreateOperatorInitializer(1, &compiled, IID_PPV_ARGS(&initializer));
  if (FAILED(result)) return result;

  const DML_BINDING_PROPERTIES properties = initializer->GetBindingProperties();
  const DML_BINDING_TABLE_DESC desc = {
      initializer.Get(), heap->GetCPUDescriptorHandleForHeapStart(),
      heap->GetGPUDescriptorHandleForHeapStart(), properties.RequiredDescriptorCount};
  ComPtr<IDMLBindingTable> table;
  result = device->CreateBindingTable(&desc, IID_PPV_ARGS(&table));
  if (FAILED(result)) return result;

  const DML_BUFFER_BINDING absent = {};
  const DML_BUFFER_ARRAY_BINDING inputs = {1, &absent};
  const DML_BINDING_DESC binding = {DML_BINDING_TYPE_BUFFER_ARRAY, &inputs};
  table->BindInputs(1, &binding);

  ComPtr<IDMLCommandRecorder> recorder;
  result = device->CreateCommandRecorder(IID_PPV_ARGS(&recorder));
  if (FAILED(result)) return result;
  recorder->RecordDispatch(list, initializer.Get(), table.Get());
  return device->GetDeviceRemovedReason();
}
