// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// C.1, C.2 and what every IDMLObject has.
#include <cstdlib>

#include "directml/fixture.h"

namespace anydml::directml {
namespace {

class DeviceTest : public DirectMLTest {
 protected:
  HRESULT Check(DML_FEATURE feature, UINT query_size, const void* query, UINT data_size,
                void* data) {
    return dml->CheckFeatureSupport(feature, query_size, query, data_size, data);
  }
  // As numbers: a copy of an enumeration that holds no enumerator is undefined.
  HRESULT CheckLevels(const std::vector<UINT>& levels, DML_FEATURE_LEVEL& highest) {
    const DML_FEATURE_QUERY_FEATURE_LEVELS query = {
        static_cast<UINT>(levels.size()),
        reinterpret_cast<const DML_FEATURE_LEVEL*>(levels.data())};
    DML_FEATURE_DATA_FEATURE_LEVELS data = {};
    const HRESULT result =
        Check(DML_FEATURE_FEATURE_LEVELS, sizeof query, &query, sizeof data, &data);
    highest = data.MaxSupportedFeatureLevel;
    return result;
  }
};

// DV-01
TEST_F(DeviceTest, AnswersTheHighestOfTheRequestedLevels) {
  DML_FEATURE_LEVEL highest = {};
  EXPECT_EQ(CheckLevels({DML_FEATURE_LEVEL_1_0, DML_FEATURE_LEVEL_3_0}, highest), S_OK);
  EXPECT_EQ(highest, DML_FEATURE_LEVEL_3_0);
  EXPECT_EQ(CheckLevels({DML_FEATURE_LEVEL_6_4, 0x9000, DML_FEATURE_LEVEL_2_0}, highest), S_OK);
  EXPECT_EQ(highest, DML_FEATURE_LEVEL_6_4);
}

TEST_F(DeviceTest, RefusesEmptyAndUnsupportedLists) {
  DML_FEATURE_LEVEL highest = {};
  EXPECT_EQ(CheckLevels({}, highest), E_INVALIDARG);
  EXPECT_EQ(LastError(), "CheckFeatureSupport: RequestedFeatureLevels must not be empty");
  EXPECT_EQ(CheckLevels({0x9000}, highest), DXGI_ERROR_UNSUPPORTED);
}

TEST_F(DeviceTest, KnowsWhichDataTypesSomeOperatorTakes) {
  const auto is_supported = [&](UINT type) {
    const DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT query = {
        static_cast<DML_TENSOR_DATA_TYPE>(type)};
    DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT data = {2};
    EXPECT_EQ(Check(DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT, sizeof query, &query, sizeof data, &data),
              S_OK);
    return data.IsSupported;
  };
  EXPECT_EQ(is_supported(DML_TENSOR_DATA_TYPE_FLOAT32), TRUE);
  EXPECT_EQ(is_supported(DML_TENSOR_DATA_TYPE_FLOAT16), TRUE);
  EXPECT_EQ(is_supported(DML_TENSOR_DATA_TYPE_INT8), TRUE);
  EXPECT_EQ(is_supported(DML_TENSOR_DATA_TYPE_UNKNOWN), FALSE);
  EXPECT_EQ(is_supported(DML_TENSOR_DATA_TYPE_UINT4), FALSE);
  EXPECT_EQ(is_supported(4711), FALSE);
}

TEST_F(DeviceTest, RefusesFeatureQueriesOfTheWrongSize) {
  const DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT query = {DML_TENSOR_DATA_TYPE_FLOAT32};
  DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT data = {};
  const DML_FEATURE feature = DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT;
  EXPECT_EQ(Check(feature, 3, &query, sizeof data, &data), E_INVALIDARG);
  EXPECT_EQ(Check(feature, sizeof query, nullptr, sizeof data, &data), E_INVALIDARG);
  EXPECT_EQ(Check(feature, sizeof query, &query, 8, &data), E_INVALIDARG);
  EXPECT_EQ(Check(feature, sizeof query, &query, sizeof data, nullptr), E_INVALIDARG);
  EXPECT_EQ(Check(static_cast<DML_FEATURE>(7), sizeof query, &query, sizeof data, &data),
            DXGI_ERROR_UNSUPPORTED);
}

// DV-02
TEST_F(DeviceTest, RefusesAMinimumLevelAboveTheNewest) {
  ComPtr<IDMLDevice> created;
  EXPECT_EQ(DMLCreateDevice1(device.Get(), DML_CREATE_DEVICE_FLAG_NONE,
                             static_cast<DML_FEATURE_LEVEL>(0x6500), IID_PPV_ARGS(&created)),
            DXGI_ERROR_UNSUPPORTED);
  EXPECT_EQ(created, nullptr);
  EXPECT_EQ(DMLCreateDevice1(device.Get(), DML_CREATE_DEVICE_FLAG_NONE,
                             static_cast<DML_FEATURE_LEVEL>(0x1234), IID_PPV_ARGS(&created)),
            E_INVALIDARG);
  EXPECT_EQ(DMLCreateDevice1(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_6_4,
                             IID_PPV_ARGS(&created)),
            S_OK);
}

// C.1: the minimum never restricts the device.
TEST_F(DeviceTest, IsNotRestrictedByItsMinimumLevel) {
  ComPtr<IDMLDevice1> created;
  ASSERT_EQ(DMLCreateDevice1(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_1_0,
                             IID_PPV_ARGS(&created)),
            S_OK);
  dml = created;
  CreateGate(4);  // introduced in 3_0
}

TEST_F(DeviceTest, ChecksTheArgumentsOfItsCreation) {
  ComPtr<IDMLDevice> created;
  const auto create = [&](ID3D12Device* parent, UINT flags) {
    return DMLCreateDevice(parent, static_cast<DML_CREATE_DEVICE_FLAGS>(flags),
                           IID_PPV_ARGS(&created));
  };
  EXPECT_EQ(create(nullptr, 0), E_INVALIDARG);
  EXPECT_EQ(LastError(), "DMLCreateDevice: the ID3D12Device must not be null");
  EXPECT_EQ(create(device.Get(), 2), E_INVALIDARG);
  EXPECT_EQ(LastError(), "DMLCreateDevice: flags = 0x2 must be DML_CREATE_DEVICE_FLAGS");
  EXPECT_EQ(create(device.Get(), 1), S_OK);
  void* wrong = this;
  EXPECT_EQ(
      DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, __uuidof(ID3D12Fence), &wrong),
      E_NOINTERFACE);
  EXPECT_EQ(wrong, nullptr);
  EXPECT_EQ(
      DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, __uuidof(IDMLDevice), nullptr),
      S_FALSE);
}

TEST_F(DeviceTest, ReadsThePixelOffsetsFromTheEnvironment) {
  ComPtr<IDMLDevice> created;
  setenv("ANYDML_PIXEL_OFFSETS", "nonsense", 1);
  EXPECT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&created)),
            E_INVALIDARG);
  EXPECT_EQ(LastError(),
            "DMLCreateDevice: ANYDML_PIXEL_OFFSETS = 'nonsense' must be 'documented' or "
            "'exchanged'");
  setenv("ANYDML_PIXEL_OFFSETS", "exchanged", 1);
  EXPECT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&created)),
            S_OK);
  unsetenv("ANYDML_PIXEL_OFFSETS");
}

TEST_F(DeviceTest, IsNotASingleton) {
  ComPtr<IDMLDevice> other;
  ASSERT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&other)), S_OK);
  EXPECT_NE(static_cast<IDMLDevice*>(dml.Get()), other.Get());
}

TEST_F(DeviceTest, GivesItsParent) {
  ComPtr<ID3D12Device> parent;
  ASSERT_EQ(dml->GetParentDevice(IID_PPV_ARGS(&parent)), S_OK);
  EXPECT_EQ(parent.Get(), static_cast<ID3D12Device*>(device.Get()));
  void* other = nullptr;
  EXPECT_EQ(dml->GetParentDevice(__uuidof(IDMLDevice), &other), E_NOINTERFACE);
}

TEST_F(DeviceTest, KeepsPrivateDataAndNames) {
  const GUID guid = {1, 2, 3, {4}};
  const int value = 42;
  EXPECT_EQ(dml->SetPrivateData(guid, sizeof value, &value), S_OK);
  int read = 0;
  UINT size = sizeof read;
  EXPECT_EQ(dml->GetPrivateData(guid, &size, &read), S_OK);
  EXPECT_EQ(read, 42);
  EXPECT_EQ(recorder->SetName(L"a recorder"), S_OK);
  EXPECT_EQ(recorder->SetPrivateDataInterface(guid, dml.Get()), S_OK);
  ComPtr<IDMLDevice> kept;
  size = sizeof(void*);
  EXPECT_EQ(recorder->GetPrivateData(guid, &size, kept.GetAddressOf()), S_OK);
  EXPECT_EQ(kept.Get(), static_cast<IDMLDevice*>(dml.Get()));
  EXPECT_EQ(recorder->SetPrivateDataInterface(guid, nullptr), S_OK);
}

TEST_F(DeviceTest, GivesEveryChildItsDevice) {
  const auto compiled = CompileGate(4);
  const auto table = Table(compiled.Get());
  const auto initializer = Initializer(compiled.Get());
  const auto op = CreateGate(4);
  for (IDMLDeviceChild* child : std::initializer_list<IDMLDeviceChild*>{
           recorder.Get(), compiled.Get(), table.Get(), initializer.Get(), op.Get()}) {
    ComPtr<IDMLDevice> owner;
    ASSERT_EQ(child->GetDevice(IID_PPV_ARGS(&owner)), S_OK);
    EXPECT_EQ(owner.Get(), static_cast<IDMLDevice*>(dml.Get()));
  }
}

TEST_F(DeviceTest, EvictsAndMakesResidentItsPageables) {
  const auto compiled = CompileGate(4);
  IDMLPageable* objects[] = {compiled.Get()};
  EXPECT_EQ(dml->Evict(1, objects), S_OK);
  EXPECT_EQ(dml->MakeResident(1, objects), S_OK);
  EXPECT_EQ(dml->Evict(0, nullptr), S_OK);
  EXPECT_EQ(dml->Evict(1, nullptr), E_INVALIDARG);
  objects[0] = nullptr;
  EXPECT_EQ(dml->MakeResident(1, objects), E_INVALIDARG);
  EXPECT_EQ(LastError(), "MakeResident: object 0 must be one of this device");
}

TEST_F(DeviceTest, HasADebugDeviceOnlyWithTheDebugFlag) {
  ComPtr<IDMLDebugDevice> debug;
  EXPECT_EQ(dml->QueryInterface(IID_PPV_ARGS(&debug)), E_NOINTERFACE);
  ComPtr<IDMLDevice> created;
  ASSERT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_DEBUG, IID_PPV_ARGS(&created)),
            S_OK);
  ASSERT_EQ(created->QueryInterface(IID_PPV_ARGS(&debug)), S_OK);
  ComPtr<IDMLDevice> back;
  ASSERT_EQ(debug->QueryInterface(IID_PPV_ARGS(&back)), S_OK);
  EXPECT_EQ(back.Get(), created.Get());
}

TEST_F(DeviceTest, ExplainsMisuseThroughTheInfoQueueUnlessItIsMuted) {
  ComPtr<ID3D12Debug> layer;
  ASSERT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&layer)), S_OK);
  layer->EnableDebugLayer();
  ComPtr<ID3D12InfoQueue1> messages;
  ASSERT_EQ(device->QueryInterface(IID_PPV_ARGS(&messages)), S_OK);
  messages->ClearStoredMessages();
  ComPtr<IDMLDevice> created;
  ASSERT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_DEBUG, IID_PPV_ARGS(&created)),
            S_OK);
  EXPECT_EQ(created->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
  EXPECT_EQ(messages->GetNumStoredMessages(), 1u);
  ComPtr<IDMLDebugDevice> debug;
  ASSERT_EQ(created->QueryInterface(IID_PPV_ARGS(&debug)), S_OK);
  debug->SetMuteDebugOutput(TRUE);
  EXPECT_EQ(created->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
  EXPECT_EQ(messages->GetNumStoredMessages(), 1u);
  EXPECT_EQ(dml->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
  EXPECT_EQ(messages->GetNumStoredMessages(), 1u) << "that device has no debug flag";
}

// The debug layer is built in: nobody need have enabled it.
TEST_F(DeviceTest, ExplainsMisuseWithoutTheDebugLayerOfDirect3D12) {
  ComPtr<ID3D12Debug1> layer;
  ASSERT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&layer)), S_OK);
  ComPtr<ID3D12Debug4> switchable;
  if (SUCCEEDED(layer->QueryInterface(IID_PPV_ARGS(&switchable)))) switchable->DisableDebugLayer();
  ComPtr<IDMLDevice> created;
  ASSERT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_DEBUG, IID_PPV_ARGS(&created)),
            S_OK);
  ComPtr<ID3D12InfoQueue> messages;
  ASSERT_EQ(device->QueryInterface(IID_PPV_ARGS(&messages)), S_OK);
  messages->ClearStoredMessages();
  EXPECT_EQ(created->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
  EXPECT_EQ(messages->GetNumStoredMessages(), 1u);
}

// C.6: removal of the parent removes the device.
TEST_F(DeviceTest, IsRemovedWithItsParent) {
  ComPtr<ID3D12Device5> parent;
  ASSERT_EQ(device->QueryInterface(IID_PPV_ARGS(&parent)), S_OK);
  parent->RemoveDevice();
  EXPECT_NE(dml->GetDeviceRemovedReason(), S_OK);
  ComPtr<IDMLOperator> op;
  EXPECT_EQ(dml->CreateOperator(nullptr, IID_PPV_ARGS(&op)), DXGI_ERROR_DEVICE_REMOVED);
  ComPtr<IDMLDevice> created;
  EXPECT_EQ(DMLCreateDevice(parent.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&created)),
            DXGI_ERROR_DEVICE_REMOVED);
}

}  // namespace
}  // namespace anydml::directml
