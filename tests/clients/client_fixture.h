// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A program around DirectML: adapter, device, one queue and one list, uploads and
// downloads, a full wait after each step.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "clients/loaded_library.h"

namespace anydml::clients {

using Microsoft::WRL::ComPtr;

inline constexpr GUID kGenericMl = {
    0xb71b0d41, 0x1088, 0x422f, {0xa2, 0x7c, 0x02, 0x50, 0xb7, 0xd3, 0xa9, 0x88}};
inline constexpr GUID kCoreCompute = {
    0x248e2800, 0xa793, 0x4724, {0xab, 0xaa, 0x23, 0xa6, 0xde, 0x1b, 0xe0, 0x90}};
inline constexpr GUID kGraphics = {
    0x0c9ece4d, 0x2f6e, 0x4f01, {0x8c, 0x96, 0xe8, 0x9e, 0x33, 0x1b, 0x47, 0xb1}};
inline constexpr UINT kTimestamps = 16384;

class ClientStyleTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(dxcore.loaded()) << dlerror();
    ASSERT_TRUE(d3d12.loaded()) << dlerror();
    ChooseAdapter();
    if (!HasFatalFailure()) MakeDevice();
    if (!HasFatalFailure()) MakeQueue();
  }

  void ChooseAdapter() {
    auto* create = dxcore.Find<CreateFactory>("DXCoreCreateAdapterFactory");
    ASSERT_NE(create, nullptr);
    ComPtr<IDXCoreAdapterFactory> factory;
    ASSERT_EQ(create(IID_PPV_ARGS(&factory)), S_OK);
    ComPtr<IDXCoreAdapterList> adapters;
    ASSERT_EQ(factory->CreateAdapterList(1, &kGenericMl, IID_PPV_ARGS(&adapters)), S_OK);
    if (adapters->GetAdapterCount() == 0) {
      ASSERT_EQ(factory->CreateAdapterList(1, &kCoreCompute,
                                           IID_PPV_ARGS(adapters.ReleaseAndGetAddressOf())),
                S_OK);
    }
    const DXCoreAdapterPreference preferences[] = {DXCoreAdapterPreference::Hardware,
                                                   DXCoreAdapterPreference::HighPerformance};
    ASSERT_EQ(adapters->Sort(2, preferences), S_OK);
    ASSERT_GE(adapters->GetAdapterCount(), 1u);
    ASSERT_EQ(adapters->GetAdapter(0, IID_PPV_ARGS(&adapter)), S_OK);
  }

  void MakeDevice() {
    auto* create = d3d12.Find<CreateDevice>("D3D12CreateDevice");
    ASSERT_NE(create, nullptr);
    ASSERT_EQ(create(adapter.Get(), D3D_FEATURE_LEVEL_1_0_CORE, IID_PPV_ARGS(&device)), S_OK);
    D3D12_FEATURE_DATA_ARCHITECTURE1 architecture = {};
    ASSERT_EQ(device->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE1, &architecture,
                                          sizeof architecture),
              S_OK);
    const D3D_FEATURE_LEVEL levels[] = {D3D_FEATURE_LEVEL_1_0_CORE, D3D_FEATURE_LEVEL_11_0,
                                        D3D_FEATURE_LEVEL_11_1, D3D_FEATURE_LEVEL_12_0,
                                        D3D_FEATURE_LEVEL_12_1};
    D3D12_FEATURE_DATA_FEATURE_LEVELS supported = {5, levels, {}};
    ASSERT_EQ(
        device->CheckFeatureSupport(D3D12_FEATURE_FEATURE_LEVELS, &supported, sizeof supported),
        S_OK);
  }

  void MakeQueue() {
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = adapter->IsAttributeSupported(kGraphics) ? D3D12_COMMAND_LIST_TYPE_DIRECT
                                                         : D3D12_COMMAND_LIST_TYPE_COMPUTE;
    ASSERT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)), S_OK);
    ASSERT_EQ(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)), S_OK);
    ASSERT_EQ(device->CreateCommandAllocator(desc.Type, IID_PPV_ARGS(&allocator)), S_OK);
    ASSERT_EQ(
        device->CreateCommandList(0, desc.Type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)),
        S_OK);
    D3D12_QUERY_HEAP_DESC queries = {};
    queries.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP;
    queries.Count = kTimestamps;
    ASSERT_EQ(device->CreateQueryHeap(&queries, IID_PPV_ARGS(&timestamps)), S_OK);
  }

  ComPtr<ID3D12Resource> MakeBuffer(D3D12_HEAP_TYPE type, UINT64 bytes, const wchar_t* name) {
    const CD3DX12_HEAP_PROPERTIES heap(type);
    const auto desc = CD3DX12_RESOURCE_DESC::Buffer(
        bytes, type == D3D12_HEAP_TYPE_DEFAULT ? D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS
                                               : D3D12_RESOURCE_FLAG_NONE);
    const D3D12_RESOURCE_STATES state =
        type == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
        : type == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                           : D3D12_RESOURCE_STATE_COMMON;
    ComPtr<ID3D12Resource> buffer;
    EXPECT_EQ(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                              IID_PPV_ARGS(&buffer)),
              S_OK);
    EXPECT_EQ(buffer->SetName(name), S_OK);
    return buffer;
  }

  void Transition(ID3D12Resource* buffer, D3D12_RESOURCE_STATES before,
                  D3D12_RESOURCE_STATES after) {
    const auto barrier = CD3DX12_RESOURCE_BARRIER::Transition(buffer, before, after);
    list->ResourceBarrier(1, &barrier);
  }

  // Everything that was recorded is run and waited for, as after each step of a
  // dispatcher.
  void ExecuteAndWait() {
    ASSERT_EQ(list->Close(), S_OK);
    ID3D12CommandList* lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
    ASSERT_EQ(device->GetDeviceRemovedReason(), S_OK);
    const UINT64 next = fence->GetCompletedValue() + 1;
    ASSERT_EQ(queue->Signal(fence.Get(), next), S_OK);
    ASSERT_EQ(fence->SetEventOnCompletion(next, nullptr), S_OK);
    ASSERT_EQ(allocator->Reset(), S_OK);
    ASSERT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
  }

  ComPtr<ID3D12Resource> Upload(const std::vector<float>& values) {
    const UINT64 bytes = values.size() * sizeof(float);
    const auto target = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, bytes, L"tensor");
    const auto upload = MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, bytes, L"upload");
    void* data = nullptr;
    EXPECT_EQ(upload->Map(0, nullptr, &data), S_OK);
    std::memcpy(data, values.data(), bytes);
    upload->Unmap(0, nullptr);
    Transition(target.Get(), D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_DEST);
    list->CopyResource(target.Get(), upload.Get());
    Transition(target.Get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    ExecuteAndWait();
    return target;
  }

  std::vector<float> Download(ID3D12Resource* buffer) {
    D3D12_HEAP_PROPERTIES properties = {};
    EXPECT_EQ(buffer->GetHeapProperties(&properties, nullptr), S_OK);
    EXPECT_EQ(properties.Type, D3D12_HEAP_TYPE_DEFAULT);
    const UINT64 bytes = buffer->GetDesc().Width;
    const auto readback = MakeBuffer(D3D12_HEAP_TYPE_READBACK, bytes, L"readback");
    Transition(buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
    list->CopyResource(readback.Get(), buffer);
    Transition(buffer, D3D12_RESOURCE_STATE_COPY_SOURCE, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    ExecuteAndWait();
    std::vector<float> values(bytes / sizeof(float));
    void* data = nullptr;
    const CD3DX12_RANGE all(0, static_cast<SIZE_T>(bytes));
    EXPECT_EQ(readback->Map(0, &all, &data), S_OK);
    std::memcpy(values.data(), data, bytes);
    const CD3DX12_RANGE none(0, 0);
    readback->Unmap(0, &none);
    return values;
  }

  const LoadedLibrary dxcore{"libdxcore.so"};
  const LoadedLibrary d3d12{"libd3d12.so"};
  ComPtr<IDXCoreAdapter> adapter;
  ComPtr<ID3D12Device9> device;
  ComPtr<ID3D12Fence> fence;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
  ComPtr<ID3D12QueryHeap> timestamps;
};

}  // namespace anydml::clients
