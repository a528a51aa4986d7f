// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DXCore: what programs read of the adapters before they create a device.
#include <fstream>
#include <string>

#include "d3d12/fixture.h"

namespace anydml::d3d12 {
namespace {

constexpr GUID kCoreCompute = {
    0x248e2800, 0xa793, 0x4724, {0xab, 0xaa, 0x23, 0xa6, 0xde, 0x1b, 0xe0, 0x90}};
constexpr GUID kGenericMl = {
    0xb71b0d41, 0x1088, 0x422f, {0xa2, 0x7c, 0x02, 0x50, 0xb7, 0xd3, 0xa9, 0x88}};
constexpr GUID kGraphics = {
    0x0c9ece4d, 0x2f6e, 0x4f01, {0x8c, 0x96, 0xe8, 0x9e, 0x33, 0x1b, 0x47, 0xb1}};

class DxcoreTest : public testing::Test {
 protected:
  DxcoreTest() {
    EXPECT_EQ(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)), S_OK);
    EXPECT_EQ(factory->CreateAdapterList(1, &kCoreCompute, IID_PPV_ARGS(&list)), S_OK);
    EXPECT_EQ(list->GetAdapter(0, IID_PPV_ARGS(&adapter)), S_OK);
  }

  template <typename T>
  T Property(DXCoreAdapterProperty property) {
    EXPECT_TRUE(adapter->IsPropertySupported(property));
    size_t size = 0;
    EXPECT_EQ(adapter->GetPropertySize(property, &size), S_OK);
    EXPECT_EQ(size, sizeof(T));
    T value = {};
    EXPECT_EQ(adapter->GetProperty(property, &value), S_OK);
    return value;
  }

  ComPtr<IDXCoreAdapterFactory> factory;
  ComPtr<IDXCoreAdapterList> list;
  ComPtr<IDXCoreAdapter> adapter;
};

TEST_F(DxcoreTest, ThereIsOneFactory) {
  ComPtr<IDXCoreAdapterFactory> again;
  ASSERT_EQ(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&again)), S_OK);
  EXPECT_EQ(again.Get(), factory.Get());
  ComPtr<IDXCoreAdapterFactory> of_list;
  ASSERT_EQ(list->GetFactory(IID_PPV_ARGS(&of_list)), S_OK);
  EXPECT_EQ(of_list.Get(), factory.Get());
  ComPtr<IDXCoreAdapterFactory> of_adapter;
  ASSERT_EQ(adapter->GetFactory(IID_PPV_ARGS(&of_adapter)), S_OK);
  EXPECT_EQ(of_adapter.Get(), factory.Get());
}

TEST_F(DxcoreTest, FactoryRefusesWrongArguments) {
  void* nothing = &nothing;
  EXPECT_EQ(DXCoreCreateAdapterFactory(__uuidof(ID3D12Device), &nothing), E_NOINTERFACE);
  EXPECT_EQ(nothing, nullptr);
  EXPECT_EQ(DXCoreCreateAdapterFactory(__uuidof(IDXCoreAdapterFactory), nullptr), E_POINTER);
  ComPtr<IDXCoreAdapterList> none;
  EXPECT_EQ(factory->CreateAdapterList(0, &kCoreCompute, IID_PPV_ARGS(&none)), E_INVALIDARG);
  EXPECT_EQ(factory->CreateAdapterList(1, nullptr, IID_PPV_ARGS(&none)), E_POINTER);
  EXPECT_EQ(factory->CreateAdapterList(1, &kCoreCompute, __uuidof(IDXCoreAdapterList), nullptr),
            E_POINTER);
}

TEST_F(DxcoreTest, ListsHoldTheAdaptersWithAllAttributes) {
  EXPECT_EQ(list->GetAdapterCount(), 1u);
  EXPECT_FALSE(list->IsStale());
  const GUID both[] = {kCoreCompute, kGenericMl};
  ComPtr<IDXCoreAdapterList> ml;
  ASSERT_EQ(factory->CreateAdapterList(2, both, IID_PPV_ARGS(&ml)), S_OK);
  EXPECT_EQ(ml->GetAdapterCount(), 1u);
  ComPtr<IDXCoreAdapterList> graphics;
  ASSERT_EQ(factory->CreateAdapterList(1, &kGraphics, IID_PPV_ARGS(&graphics)), S_OK);
  EXPECT_EQ(graphics->GetAdapterCount(), 0u);
  ComPtr<IDXCoreAdapter> none;
  EXPECT_EQ(list->GetAdapter(1, IID_PPV_ARGS(&none)), E_INVALIDARG);
  EXPECT_EQ(list->GetAdapter(0, __uuidof(IDXCoreAdapter), nullptr), E_POINTER);
}

TEST_F(DxcoreTest, SortTakesPreferences) {
  const DXCoreAdapterPreference preferences[] = {DXCoreAdapterPreference::Hardware,
                                                 DXCoreAdapterPreference::HighPerformance};
  EXPECT_TRUE(list->IsAdapterPreferenceSupported(DXCoreAdapterPreference::MinimumPower));
  EXPECT_EQ(list->Sort(2, preferences), S_OK);
  EXPECT_EQ(list->Sort(0, preferences), E_INVALIDARG);
  EXPECT_EQ(list->Sort(1, nullptr), E_POINTER);
  const DXCoreAdapterPreference unknown = static_cast<DXCoreAdapterPreference>(77);
  EXPECT_EQ(list->Sort(1, &unknown), DXGI_ERROR_UNSUPPORTED);
}

TEST_F(DxcoreTest, AttributesAreComputeOnly) {
  EXPECT_TRUE(adapter->IsValid());
  EXPECT_TRUE(adapter->IsAttributeSupported(kCoreCompute));
  EXPECT_TRUE(adapter->IsAttributeSupported(kGenericMl));
  EXPECT_FALSE(adapter->IsAttributeSupported(kGraphics));
}

TEST_F(DxcoreTest, PropertiesThatClientsRead) {
  EXPECT_GT(Property<uint64_t>(DXCoreAdapterProperty::DriverVersion), 0u);
  EXPECT_EQ(Property<DXCoreHardwareID>(DXCoreAdapterProperty::HardwareID).vendorID, 0u);
  Property<DXCoreHardwareIDParts>(DXCoreAdapterProperty::HardwareIDParts);
  EXPECT_EQ(Property<uint64_t>(DXCoreAdapterProperty::DedicatedAdapterMemory), 0u);
  EXPECT_EQ(Property<uint64_t>(DXCoreAdapterProperty::DedicatedSystemMemory), 0u);
  EXPECT_GT(Property<uint64_t>(DXCoreAdapterProperty::SharedSystemMemory), uint64_t{1} << 28);
  EXPECT_TRUE(Property<bool>(DXCoreAdapterProperty::IsHardware));
  EXPECT_TRUE(Property<bool>(DXCoreAdapterProperty::IsIntegrated));
  EXPECT_FALSE(Property<bool>(DXCoreAdapterProperty::IsDetachable));
  EXPECT_FALSE(adapter->IsPropertySupported(DXCoreAdapterProperty::KmdModelVersion));
}

TEST_F(DxcoreTest, DescriptionIsText) {
  size_t size = 0;
  ASSERT_EQ(adapter->GetPropertySize(DXCoreAdapterProperty::DriverDescription, &size), S_OK);
  std::string text(size, '?');
  ASSERT_EQ(adapter->GetProperty(DXCoreAdapterProperty::DriverDescription, size, text.data()),
            S_OK);
  EXPECT_EQ(text.find("AnyDML CPU"), 0u);
  EXPECT_EQ(text.back(), '\0');
}

TEST_F(DxcoreTest, GetPropertyRefusesAsDocumented) {
  uint64_t value = 0;
  EXPECT_EQ(adapter->GetProperty(DXCoreAdapterProperty::DriverVersion, 4, &value), E_INVALIDARG);
  EXPECT_EQ(adapter->GetProperty(DXCoreAdapterProperty::DriverVersion, 8, nullptr), E_POINTER);
  EXPECT_EQ(adapter->GetProperty(DXCoreAdapterProperty::AcgCompatible, 8, &value),
            DXGI_ERROR_UNSUPPORTED);
  EXPECT_EQ(adapter->GetProperty(static_cast<DXCoreAdapterProperty>(1000), 8, &value),
            DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(adapter->GetPropertySize(DXCoreAdapterProperty::DriverVersion, nullptr), E_POINTER);
}

TEST_F(DxcoreTest, MemoryBudgetHoldsWhatIsInUse) {
  DXCoreAdapterMemoryBudgetNodeSegmentGroup group = {0, DXCoreSegmentGroup::Local};
  DXCoreAdapterMemoryBudget budget = {};
  EXPECT_TRUE(adapter->IsQueryStateSupported(DXCoreAdapterState::AdapterMemoryBudget));
  ASSERT_EQ(adapter->QueryState(DXCoreAdapterState::AdapterMemoryBudget, &group, &budget), S_OK);
  EXPECT_GT(budget.budget, budget.currentUsage);
  EXPECT_EQ(adapter->QueryState(DXCoreAdapterState::AdapterMemoryBudget, &budget), E_POINTER);
  group.nodeIndex = 1;
  EXPECT_EQ(adapter->QueryState(DXCoreAdapterState::AdapterMemoryBudget, &group, &budget),
            E_INVALIDARG);
  EXPECT_EQ(adapter->QueryState(DXCoreAdapterState::IsDriverUpdateInProgress, &budget),
            DXGI_ERROR_UNSUPPORTED);
  EXPECT_FALSE(adapter->IsSetStateSupported(DXCoreAdapterState::AdapterMemoryBudget));
  EXPECT_EQ(adapter->SetState(DXCoreAdapterState::AdapterMemoryBudget, &group, &budget),
            DXGI_ERROR_UNSUPPORTED);
}

uint64_t MemAvailable() {
  std::ifstream info("/proc/meminfo");
  std::string word;
  while (info >> word && word != "MemAvailable:") {
  }
  uint64_t kibibytes = 0;
  info >> kibibytes;
  return kibibytes << 10;
}

// What others do meanwhile moves the number, but not by much.
TEST_F(DxcoreTest, MemoryBudgetIsWhatTheSystemHasAvailable) {
  DXCoreAdapterMemoryBudgetNodeSegmentGroup group = {0, DXCoreSegmentGroup::Local};
  DXCoreAdapterMemoryBudget budget = {};
  ASSERT_EQ(adapter->QueryState(DXCoreAdapterState::AdapterMemoryBudget, &group, &budget), S_OK);
  const auto available = static_cast<double>(MemAvailable());
  EXPECT_NEAR(static_cast<double>(budget.budget - budget.currentUsage), available,
              0.25 * available);
}

TEST_F(DxcoreTest, LuidFindsTheAdapterAndItsDevice) {
  const LUID luid = Property<LUID>(DXCoreAdapterProperty::InstanceLuid);
  ComPtr<IDXCoreAdapter> found;
  ASSERT_EQ(factory->GetAdapterByLuid(luid, IID_PPV_ARGS(&found)), S_OK);
  EXPECT_EQ(found.Get(), adapter.Get());
  EXPECT_EQ(factory->GetAdapterByLuid(LUID{99, 99}, IID_PPV_ARGS(&found)), E_INVALIDARG);
  ComPtr<ID3D12Device> device;
  ASSERT_EQ(D3D12CreateDevice(adapter.Get(), D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)), S_OK);
  EXPECT_EQ(device->GetAdapterLuid().LowPart, luid.LowPart);
  EXPECT_EQ(device->GetAdapterLuid().HighPart, luid.HighPart);
}

TEST_F(DxcoreTest, NotificationsCanBeAskedForAndGivenBack) {
  const auto callback = [](DXCoreNotificationType, IUnknown*, void*) {};
  uint32_t cookie = 0;
  EXPECT_TRUE(factory->IsNotificationTypeSupported(DXCoreNotificationType::AdapterListStale));
  ASSERT_EQ(factory->RegisterEventNotification(list.Get(), DXCoreNotificationType::AdapterListStale,
                                               callback, nullptr, &cookie),
            S_OK);
  EXPECT_EQ(factory->UnregisterEventNotification(cookie), S_OK);
  EXPECT_EQ(factory->UnregisterEventNotification(cookie), E_INVALIDARG);
  EXPECT_EQ(factory->RegisterEventNotification(nullptr, DXCoreNotificationType::AdapterListStale,
                                               callback, nullptr, &cookie),
            E_POINTER);
}

}  // namespace
}  // namespace anydml::d3d12
