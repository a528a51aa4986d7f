// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The steps that real programs take before and around DirectML, in their order:
// load the libraries by name, choose an adapter, make a device and one queue, move
// data up, through and down, wait after each step, and read the time.
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "clients/client_fixture.h"

namespace anydml::clients {
namespace {

std::vector<float> Counting(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.5f);
  return values;
}

TEST_F(ClientStyleTest, TheThreeNamesAreOneLibrary) {
  const LoadedLibrary directml("libdirectml.so");
  ASSERT_TRUE(directml.loaded());
  EXPECT_EQ(directml.Find<CreateDevice>("D3D12CreateDevice"),
            d3d12.Find<CreateDevice>("D3D12CreateDevice"));
  EXPECT_EQ(dxcore.Find<CreateDevice>("D3D12CreateDevice"),
            d3d12.Find<CreateDevice>("D3D12CreateDevice"));
}

TEST_F(ClientStyleTest, AdapterDescribesItself) {
  size_t size = 0;
  ASSERT_EQ(adapter->GetPropertySize(DXCoreAdapterProperty::DriverDescription, &size), S_OK);
  std::vector<char> description(size);
  ASSERT_EQ(
      adapter->GetProperty(DXCoreAdapterProperty::DriverDescription, size, description.data()),
      S_OK);
  EXPECT_GT(std::strlen(description.data()), 0u);
  uint64_t shared_memory = 0;
  ASSERT_EQ(adapter->GetProperty(DXCoreAdapterProperty::SharedSystemMemory, &shared_memory), S_OK);
  EXPECT_GT(shared_memory, 0u);
}

TEST_F(ClientStyleTest, DataGoesUpAndComesBack) {
  const std::vector<float> values = Counting(4096);
  const auto tensor = Upload(values);
  EXPECT_EQ(Download(tensor.Get()), values);
}

TEST_F(ClientStyleTest, UpdateSubresourcesOfTheHelperHeaderWorks) {
  const std::vector<float> values = Counting(24);
  const UINT64 bytes = values.size() * sizeof(float);
  const auto tensor = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, bytes, L"tensor");
  const auto upload = MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, bytes, L"upload");
  D3D12_SUBRESOURCE_DATA data = {};
  data.pData = values.data();
  data.RowPitch = static_cast<LONG_PTR>(bytes);
  data.SlicePitch = data.RowPitch;
  ASSERT_EQ(UpdateSubresources(list.Get(), tensor.Get(), upload.Get(), 0, 0, 1, &data), bytes);
  ExecuteAndWait();
  EXPECT_EQ(Download(tensor.Get()), values);
}

TEST_F(ClientStyleTest, TimestampPairsGiveMilliseconds) {
  const auto source = Upload(Counting(1 << 18));
  const auto target = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, source->GetDesc().Width, L"target");
  constexpr UINT kRuns = 10;
  for (UINT run = 0; run < kRuns; ++run) {
    list->EndQuery(timestamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 2 * run);
    list->CopyResource(target.Get(), source.Get());
    const auto barrier = CD3DX12_RESOURCE_BARRIER::UAV(nullptr);
    list->ResourceBarrier(1, &barrier);
    list->EndQuery(timestamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 2 * run + 1);
  }
  const auto readback = MakeBuffer(D3D12_HEAP_TYPE_READBACK, kTimestamps * 8, L"timestamps");
  list->ResolveQueryData(timestamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2 * kRuns, readback.Get(),
                         0);
  ExecuteAndWait();
  UINT64 frequency = 0;
  ASSERT_EQ(queue->GetTimestampFrequency(&frequency), S_OK);
  void* data = nullptr;
  ASSERT_EQ(readback->Map(0, nullptr, &data), S_OK);  // and never unmapped
  const auto* ticks = static_cast<const uint64_t*>(data);
  for (UINT run = 0; run < kRuns; ++run) {
    const double milliseconds = static_cast<double>(ticks[2 * run + 1] - ticks[2 * run]) * 1000.0 /
                                static_cast<double>(frequency);
    EXPECT_GT(milliseconds, 0.0);
    EXPECT_LT(milliseconds, 10000.0);
  }
}

TEST_F(ClientStyleTest, DescriptorHeapsAndClearsWork) {
  D3D12_DESCRIPTOR_HEAP_DESC desc = {};
  desc.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
  desc.NumDescriptors = 2;
  desc.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
  ComPtr<ID3D12DescriptorHeap> heap;
  ASSERT_EQ(device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
  const UINT step = device->GetDescriptorHandleIncrementSize(desc.Type);
  const CD3DX12_CPU_DESCRIPTOR_HANDLE cpu(heap->GetCPUDescriptorHandleForHeapStart(), 1, step);
  const CD3DX12_GPU_DESCRIPTOR_HANDLE gpu(heap->GetGPUDescriptorHandleForHeapStart(), 1, step);
  const auto tensor = Upload(Counting(64));
  D3D12_UNORDERED_ACCESS_VIEW_DESC view = {};
  view.Format = DXGI_FORMAT_R32_TYPELESS;
  view.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
  view.Buffer.NumElements = 64;
  view.Buffer.Flags = D3D12_BUFFER_UAV_FLAG_RAW;
  device->CreateUnorderedAccessView(tensor.Get(), nullptr, &view, cpu);
  ID3D12DescriptorHeap* heaps[] = {heap.Get()};
  list->SetDescriptorHeaps(1, heaps);
  const UINT zeros[4] = {};
  list->ClearUnorderedAccessViewUint(gpu, cpu, tensor.Get(), zeros, 0, nullptr);
  EXPECT_EQ(Download(tensor.Get()), std::vector<float>(64, 0.0f));
}

// The way of an allocator that hands out regions of one heap.
TEST_F(ClientStyleTest, ThreeBuffersAliasOneHeap) {
  const CD3DX12_HEAP_DESC desc(UINT64{1} << 20, D3D12_HEAP_TYPE_DEFAULT, 0,
                               D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(device->CreateHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
  const auto buffer =
      CD3DX12_RESOURCE_DESC::Buffer(UINT64{1} << 20, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  ComPtr<ID3D12Resource> aliases[3];
  const D3D12_RESOURCE_STATES states[] = {D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
                                          D3D12_RESOURCE_STATE_COPY_SOURCE,
                                          D3D12_RESOURCE_STATE_COPY_DEST};
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(device->CreatePlacedResource(heap.Get(), 0, &buffer, states[i], nullptr,
                                           IID_PPV_ARGS(&aliases[i])),
              S_OK);
  }
  const std::vector<float> values = Counting(256);
  const auto source = Upload(values);
  const auto target = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 1024, L"target");
  list->CopyBufferRegion(aliases[2].Get(), 4096, source.Get(), 0, 1024);
  const auto barrier = CD3DX12_RESOURCE_BARRIER::Aliasing(nullptr, nullptr);
  list->ResourceBarrier(1, &barrier);
  list->CopyBufferRegion(target.Get(), 0, aliases[1].Get(), 4096, 1024);
  ExecuteAndWait();
  EXPECT_EQ(Download(target.Get()), values);
}

TEST_F(ClientStyleTest, DebugLayerTellsMistakesToACallback) {
  auto* get = d3d12.Find<GetDebugInterface>("D3D12GetDebugInterface");
  ASSERT_NE(get, nullptr);
  ComPtr<ID3D12Debug3> debug;
  ASSERT_EQ(get(IID_PPV_ARGS(&debug)), S_OK);
  debug->EnableDebugLayer();
  debug->SetEnableGPUBasedValidation(TRUE);
  ComPtr<ID3D12InfoQueue1> messages;
  ASSERT_EQ(device->QueryInterface(IID_PPV_ARGS(&messages)), S_OK);
  std::string heard;
  const auto listen = [](D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID,
                         LPCSTR text,
                         void* context) { *static_cast<std::string*>(context) = text; };
  DWORD cookie = 0;
  ASSERT_EQ(
      messages->RegisterMessageCallback(listen, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &heard, &cookie),
      S_OK);
  list->CopyResource(nullptr, nullptr);
  EXPECT_EQ(heard, "CopyResource: pDstResource must be a buffer of this device");
  EXPECT_EQ(messages->UnregisterMessageCallback(cookie), S_OK);
  EXPECT_EQ(list->Close(), E_INVALIDARG);
}

}  // namespace
}  // namespace anydml::clients
