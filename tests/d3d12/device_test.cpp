// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// D3D12CreateDevice and the methods of the device that make no other object.
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/last_error.h"
#include "d3d12/fixture.h"

namespace anydml::d3d12 {
namespace {

class DeviceTest : public D3D12Test {
 protected:
  template <typename T>
  HRESULT Check(D3D12_FEATURE feature, T& data) {
    return device->CheckFeatureSupport(feature, &data, sizeof data);
  }
};

TEST(CreateDevice, TakesEveryLevelFromCoreComputeOn) {
  for (const UINT level : {0x100, 0x1000, 0xb000, 0xb100, 0xc000, 0xc100, 0xc200}) {
    ComPtr<ID3D12Device> device;
    EXPECT_EQ(
        D3D12CreateDevice(nullptr, static_cast<D3D_FEATURE_LEVEL>(level), IID_PPV_ARGS(&device)),
        S_OK)
        << level;
  }
  ComPtr<ID3D12Device> device;
  EXPECT_EQ(
      D3D12CreateDevice(nullptr, static_cast<D3D_FEATURE_LEVEL>(0xd000), IID_PPV_ARGS(&device)),
      E_INVALIDARG);
}

TEST(CreateDevice, NullResultAsksWhetherItWouldWork) {
  EXPECT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, __uuidof(ID3D12Device), nullptr),
            S_FALSE);
  void* nothing = &nothing;
  EXPECT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, __uuidof(ID3D12Fence), &nothing),
            E_NOINTERFACE);
  EXPECT_EQ(nothing, nullptr);
}

TEST(CreateDevice, AdapterHasOneDeviceAtATime) {
  ComPtr<ID3D12Device> one;
  ComPtr<ID3D12Device9> two;
  ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&one)), S_OK);
  ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_12_0, IID_PPV_ARGS(&two)), S_OK);
  EXPECT_EQ(one.Get(), two.Get());
}

TEST(CreateDevice, RemovedDeviceIsReplaced) {
  ComPtr<ID3D12Device9> one;
  ComPtr<ID3D12Device9> two;
  ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&one)), S_OK);
  one->RemoveDevice();
  ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&two)), S_OK);
  EXPECT_NE(one.Get(), two.Get());
  EXPECT_EQ(two->GetDeviceRemovedReason(), S_OK);
}

template <typename T>
void ExpectServed(IUnknown* object, IUnknown* identity) {
  ComPtr<T> served;
  ASSERT_EQ(object->QueryInterface(IID_PPV_ARGS(&served)), S_OK);
  ComPtr<IUnknown> unknown;
  ASSERT_EQ(served->QueryInterface(__uuidof(IUnknown), &unknown), S_OK);
  EXPECT_EQ(unknown.Get(), identity);
}

TEST_F(DeviceTest, ServesEveryDeviceInterfaceWithOneIdentity) {
  ComPtr<IUnknown> identity;
  ASSERT_EQ(device->QueryInterface(__uuidof(IUnknown), &identity), S_OK);
  ExpectServed<ID3D12Object>(device.Get(), identity.Get());
  ExpectServed<ID3D12Device>(device.Get(), identity.Get());
  ExpectServed<ID3D12Device1>(device.Get(), identity.Get());
  ExpectServed<ID3D12Device2>(device.Get(), identity.Get());
  ExpectServed<ID3D12Device3>(device.Get(), identity.Get());
  ExpectServed<ID3D12Device4>(device.Get(), identity.Get());
  ExpectServed<ID3D12Device5>(device.Get(), identity.Get());
  ExpectServed<ID3D12Device6>(device.Get(), identity.Get());
  ExpectServed<ID3D12Device7>(device.Get(), identity.Get());
  ExpectServed<ID3D12Device8>(device.Get(), identity.Get());
  ExpectServed<ID3D12Device9>(device.Get(), identity.Get());
  ExpectServed<IAnydmlDevice>(device.Get(), identity.Get());
  ComPtr<ID3D12Device10> newer;
  EXPECT_EQ(device->QueryInterface(IID_PPV_ARGS(&newer)), E_NOINTERFACE);
  EXPECT_EQ(device->QueryInterface(__uuidof(IUnknown), nullptr), E_POINTER);
}

TEST_F(DeviceTest, MemoryIsUnified) {
  D3D12_FEATURE_DATA_ARCHITECTURE1 one = {};
  ASSERT_EQ(Check(D3D12_FEATURE_ARCHITECTURE1, one), S_OK);
  EXPECT_TRUE(one.UMA && one.CacheCoherentUMA);
  D3D12_FEATURE_DATA_ARCHITECTURE zero = {};
  ASSERT_EQ(Check(D3D12_FEATURE_ARCHITECTURE, zero), S_OK);
  EXPECT_TRUE(zero.UMA && zero.CacheCoherentUMA);
  zero.NodeIndex = 1;
  EXPECT_EQ(Check(D3D12_FEATURE_ARCHITECTURE, zero), E_INVALIDARG);
  EXPECT_EQ(device->GetNodeCount(), 1u);
}

TEST_F(DeviceTest, FeatureLevelIsThatOfADeviceWithoutGraphics) {
  const D3D_FEATURE_LEVEL levels[] = {static_cast<D3D_FEATURE_LEVEL>(0x100),  // 1_0_GENERIC
                                      D3D_FEATURE_LEVEL_1_0_CORE, D3D_FEATURE_LEVEL_12_0,
                                      D3D_FEATURE_LEVEL_11_0,
                                      static_cast<D3D_FEATURE_LEVEL>(0xf000)};
  D3D12_FEATURE_DATA_FEATURE_LEVELS data = {5, levels, {}};
  ASSERT_EQ(Check(D3D12_FEATURE_FEATURE_LEVELS, data), S_OK);
  EXPECT_EQ(data.MaxSupportedFeatureLevel, D3D_FEATURE_LEVEL_1_0_CORE);
  data.NumFeatureLevels = 1;
  ASSERT_EQ(Check(D3D12_FEATURE_FEATURE_LEVELS, data), S_OK);
  EXPECT_EQ(data.MaxSupportedFeatureLevel, levels[0]);
}

// Programs that only know graphics compute here too, as after D3D12CreateDevice.
TEST_F(DeviceTest, FeatureLevelIsTheHighestOfThoseThatAProgramForGraphicsKnows) {
  const D3D_FEATURE_LEVEL levels[] = {D3D_FEATURE_LEVEL_12_0, D3D_FEATURE_LEVEL_11_0,
                                      static_cast<D3D_FEATURE_LEVEL>(0xf000)};
  D3D12_FEATURE_DATA_FEATURE_LEVELS data = {3, levels, {}};
  ASSERT_EQ(Check(D3D12_FEATURE_FEATURE_LEVELS, data), S_OK);
  EXPECT_EQ(data.MaxSupportedFeatureLevel, D3D_FEATURE_LEVEL_12_0);
  data.NumFeatureLevels = 0;
  EXPECT_EQ(Check(D3D12_FEATURE_FEATURE_LEVELS, data), E_INVALIDARG);
}

TEST_F(DeviceTest, OptionsThatClientsRead) {
  D3D12_FEATURE_DATA_D3D12_OPTIONS options = {};
  ASSERT_EQ(Check(D3D12_FEATURE_D3D12_OPTIONS, options), S_OK);
  EXPECT_EQ(options.TiledResourcesTier, D3D12_TILED_RESOURCES_TIER_NOT_SUPPORTED);
  D3D12_FEATURE_DATA_D3D12_OPTIONS4 options4 = {};
  ASSERT_EQ(Check(D3D12_FEATURE_D3D12_OPTIONS4, options4), S_OK);
  EXPECT_TRUE(options4.Native16BitShaderOpsSupported);
  D3D12_FEATURE_DATA_SHADER_MODEL model = {D3D_SHADER_MODEL_6_6};
  ASSERT_EQ(Check(D3D12_FEATURE_SHADER_MODEL, model), S_OK);
  EXPECT_EQ(model.HighestShaderModel, D3D_SHADER_MODEL_6_2);
  D3D12_FEATURE_DATA_ROOT_SIGNATURE signature = {D3D_ROOT_SIGNATURE_VERSION_1_0};
  ASSERT_EQ(Check(D3D12_FEATURE_ROOT_SIGNATURE, signature), S_OK);
  EXPECT_EQ(signature.HighestVersion, D3D_ROOT_SIGNATURE_VERSION_1_0);
  D3D12_FEATURE_DATA_EXISTING_HEAPS heaps = {};
  ASSERT_EQ(Check(D3D12_FEATURE_EXISTING_HEAPS, heaps), S_OK);
  EXPECT_TRUE(heaps.Supported);
}

TEST_F(DeviceTest, FeaturesOfGraphicsAreThereAndSayNo) {
  D3D12_FEATURE_DATA_D3D12_OPTIONS5 rays;
  std::memset(&rays, 0xff, sizeof rays);
  ASSERT_EQ(Check(D3D12_FEATURE_D3D12_OPTIONS5, rays), S_OK);
  EXPECT_EQ(rays.RaytracingTier, D3D12_RAYTRACING_TIER_NOT_SUPPORTED);
  EXPECT_EQ(rays.RenderPassesTier, D3D12_RENDER_PASS_TIER_0);
  D3D12_FEATURE_DATA_D3D12_OPTIONS7 meshes;
  std::memset(&meshes, 0xff, sizeof meshes);
  ASSERT_EQ(Check(D3D12_FEATURE_D3D12_OPTIONS7, meshes), S_OK);
  EXPECT_EQ(meshes.MeshShaderTier, D3D12_MESH_SHADER_TIER_NOT_SUPPORTED);
  D3D12_FEATURE_DATA_SHADER_CACHE cache;
  std::memset(&cache, 0xff, sizeof cache);
  ASSERT_EQ(Check(D3D12_FEATURE_SHADER_CACHE, cache), S_OK);
  EXPECT_EQ(cache.SupportFlags, D3D12_SHADER_CACHE_SUPPORT_NONE);
}

TEST_F(DeviceTest, QueuesHaveTheTwoPrioritiesThatNeedNoRights) {
  for (const auto& [value, supported] :
       {std::pair<UINT, BOOL>{D3D12_COMMAND_QUEUE_PRIORITY_NORMAL, TRUE},
        {D3D12_COMMAND_QUEUE_PRIORITY_HIGH, TRUE},
        {D3D12_COMMAND_QUEUE_PRIORITY_GLOBAL_REALTIME, FALSE}}) {
    D3D12_FEATURE_DATA_COMMAND_QUEUE_PRIORITY priority = {D3D12_COMMAND_LIST_TYPE_COMPUTE, value,
                                                          FALSE};
    ASSERT_EQ(Check(D3D12_FEATURE_COMMAND_QUEUE_PRIORITY, priority), S_OK);
    EXPECT_EQ(priority.PriorityForTypeIsSupported, supported) << value;
  }
}

TEST_F(DeviceTest, NumbersThatKernelsAndCopiesNeedAreThere) {
  D3D12_FEATURE_DATA_D3D12_OPTIONS1 integers = {};
  ASSERT_EQ(Check(D3D12_FEATURE_D3D12_OPTIONS1, integers), S_OK);
  EXPECT_TRUE(integers.Int64ShaderOps);
  D3D12_FEATURE_DATA_D3D12_OPTIONS3 timestamps = {};
  ASSERT_EQ(Check(D3D12_FEATURE_D3D12_OPTIONS3, timestamps), S_OK);
  EXPECT_TRUE(timestamps.CopyQueueTimestampQueriesSupported);
  D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT addresses = {};
  ASSERT_EQ(Check(D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT, addresses), S_OK);
  EXPECT_GE(addresses.MaxGPUVirtualAddressBitsPerResource, 40u);
}

TEST_F(DeviceTest, FeatureOfAnotherSizeIsRefusedInWords) {
  // DxDispatch asks for OPTIONS1 with a struct of 40 bytes and tolerates the refusal.
  char data[40] = {};
  EXPECT_EQ(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS1, data, 40), E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(),
            "CheckFeatureSupport: feature 8 is unknown here, or refuses its struct of 40 bytes");
  EXPECT_EQ(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS1, nullptr, 24), E_INVALIDARG);
  EXPECT_EQ(device->CheckFeatureSupport(static_cast<D3D12_FEATURE>(999), data, 40), E_INVALIDARG);
}

TEST_F(DeviceTest, SettingsWithoutAnEffectSucceed) {
  EXPECT_EQ(device->SetStablePowerState(TRUE), S_OK);
  BOOL further = TRUE;
  EXPECT_EQ(
      device->SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE_ALLOWED,
                                          D3D12_MEASUREMENTS_ACTION_KEEP_ALL, nullptr, &further),
      S_OK);
  EXPECT_FALSE(further);
  EXPECT_EQ(device->ShaderCacheControl(D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CACHE_FOR_DRIVER,
                                       D3D12_SHADER_CACHE_CONTROL_FLAG_CLEAR),
            S_OK);
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16);
  ID3D12Pageable* pageable = buffer.Get();
  const D3D12_RESIDENCY_PRIORITY priority = D3D12_RESIDENCY_PRIORITY_HIGH;
  EXPECT_EQ(device->MakeResident(1, &pageable), S_OK);
  EXPECT_EQ(device->Evict(1, &pageable), S_OK);
  EXPECT_EQ(device->SetResidencyPriority(1, &pageable, &priority), S_OK);
  EXPECT_EQ(device->MakeResident(1, nullptr), E_INVALIDARG);
  EXPECT_EQ(device->EnqueueMakeResident(D3D12_RESIDENCY_FLAG_NONE, 1, &pageable, fence.Get(), 9),
            S_OK);
  EXPECT_EQ(fence->GetCompletedValue(), 9u);
  UINT count = 5;
  EXPECT_EQ(device->EnumerateMetaCommands(&count, nullptr), S_OK);
  EXPECT_EQ(count, 0u);
}

TEST_F(DeviceTest, WhatIsNotComputeIsRefusedInWords) {
  void* made = &made;
  EXPECT_EQ(device->CreateComputePipelineState(nullptr, __uuidof(ID3D12PipelineState), &made),
            E_NOTIMPL);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(LastErrorOfThread(),
            "CreateComputePipelineState: this device computes on buffers; shaders, textures, tiles "
            "and sharing are not here");
  const D3D12_RESOURCE_DESC desc = BufferOf(65536);
  EXPECT_EQ(device->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                           __uuidof(ID3D12Resource), &made),
            E_NOTIMPL);
  EXPECT_EQ(device->CreateRootSignature(0, nullptr, 0, __uuidof(ID3D12RootSignature), &made),
            E_NOTIMPL);
  EXPECT_EQ(device->CreateSharedHandle(nullptr, nullptr, 0, nullptr, &made), E_NOTIMPL);
  device->CreateSampler(nullptr, {});
  device->CreateRenderTargetView(nullptr, nullptr, {});
  UINT tiles = 7;
  device->GetResourceTiling(nullptr, &tiles, nullptr, nullptr, nullptr, 0, nullptr);
  EXPECT_EQ(tiles, 0u);
}

TEST_F(DeviceTest, RemovalStopsEverythingAndKeepsItsReason) {
  const auto upload = MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, 16);
  ComPtr<IAnydmlDevice> internal;
  ASSERT_EQ(device->QueryInterface(IID_PPV_ARGS(&internal)), S_OK);
  EXPECT_EQ(device->GetDeviceRemovedReason(), S_OK);
  internal->Remove(E_INVALIDARG, "a first reason");
  internal->Remove(E_OUTOFMEMORY, "a second one");
  EXPECT_EQ(device->GetDeviceRemovedReason(), E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(), "a first reason");
  EXPECT_EQ(fence->GetCompletedValue(), UINT64_MAX);
  EXPECT_EQ(fence->SetEventOnCompletion(1000, nullptr), S_OK);
  ComPtr<ID3D12Fence> other;
  EXPECT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&other)),
            DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(queue->Signal(fence.Get(), 1), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(queue->Wait(fence.Get(), 1), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(fence->Signal(1), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(list->Close(), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(list->Reset(allocator.Get(), nullptr), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(allocator->Reset(), DXGI_ERROR_DEVICE_REMOVED);
  void* data = &data;
  EXPECT_EQ(upload->Map(0, nullptr, &data), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(data, nullptr);
  Submit();  // does nothing
}

}  // namespace
}  // namespace anydml::d3d12
