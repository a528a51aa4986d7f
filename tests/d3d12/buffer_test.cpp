// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Buffers: what can be made and mapped.
#include "base/last_error.h"
#include "d3d12/fixture.h"

namespace anydml::d3d12 {
namespace {

class BufferTest : public D3D12Test {
 protected:
  HRESULT Commit(const D3D12_HEAP_PROPERTIES& properties, const D3D12_RESOURCE_DESC& desc,
                 D3D12_RESOURCE_STATES state, D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE) {
    ComPtr<ID3D12Resource> buffer;
    return device->CreateCommittedResource(&properties, flags, &desc, state, nullptr,
                                           IID_PPV_ARGS(&buffer));
  }

  // The refusal of a DEFAULT buffer that `change` spoils.
  std::string Refusal(const std::function<void(D3D12_RESOURCE_DESC&)>& change) {
    D3D12_RESOURCE_DESC desc = BufferOf(256);
    change(desc);
    EXPECT_LT(Commit(HeapOf(D3D12_HEAP_TYPE_DEFAULT), desc, D3D12_RESOURCE_STATE_COMMON), 0);
    return std::string(LastErrorOfThread());
  }
};

TEST_F(BufferTest, CommittedBufferIsAlignedAndZero) {
  for (const uint64_t bytes : {uint64_t{1}, uint64_t{4}, uint64_t{70000}, uint64_t{5} << 20}) {
    const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, bytes);
    EXPECT_EQ(buffer->GetGPUVirtualAddress() % 65536, 0u);
    EXPECT_EQ(Contents<uint8_t>(buffer.Get()), std::vector<uint8_t>(bytes, 0));
  }
}

TEST_F(BufferTest, DescriptionsComeBackCompleted) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, 100);
  const D3D12_RESOURCE_DESC desc = buffer->GetDesc();
  EXPECT_EQ(desc.Dimension, D3D12_RESOURCE_DIMENSION_BUFFER);
  EXPECT_EQ(desc.Width, 100u);
  EXPECT_EQ(desc.Alignment, 65536u);
  EXPECT_EQ(desc.Layout, D3D12_TEXTURE_LAYOUT_ROW_MAJOR);
  D3D12_HEAP_PROPERTIES properties = {};
  D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_SHARED;
  ASSERT_EQ(buffer->GetHeapProperties(&properties, &flags), S_OK);
  EXPECT_EQ(properties.Type, D3D12_HEAP_TYPE_UPLOAD);
  EXPECT_EQ(properties.CreationNodeMask, 1u);
  EXPECT_EQ(flags, D3D12_HEAP_FLAG_NONE);
  EXPECT_EQ(buffer->GetHeapProperties(nullptr, nullptr), S_OK);
  ComPtr<ID3D12Resource2> newer;
  ASSERT_EQ(buffer->QueryInterface(IID_PPV_ARGS(&newer)), S_OK);
  EXPECT_EQ(newer->GetDesc1().Width, 100u);
}

TEST_F(BufferTest, DescriptionsThatAreNoBufferAreRefusedInWords) {
  EXPECT_EQ(Refusal([](auto& desc) { desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D; }),
            "CreateCommittedResource: Dimension = 3 is not D3D12_RESOURCE_DIMENSION_BUFFER; this "
            "device has no textures");
  EXPECT_EQ(Refusal([](auto& desc) { desc.Width = 0; }),
            "CreateCommittedResource: Width = 0 must be at least 1");
  EXPECT_EQ(Refusal([](auto& desc) { desc.Height = 2; }),
            "CreateCommittedResource: Height = 2 must be 1 for a buffer");
  EXPECT_EQ(Refusal([](auto& desc) { desc.DepthOrArraySize = 0; }),
            "CreateCommittedResource: DepthOrArraySize = 0 must be 1 for a buffer");
  EXPECT_EQ(Refusal([](auto& desc) { desc.MipLevels = 0; }),
            "CreateCommittedResource: MipLevels = 0 must be 1 for a buffer");
  EXPECT_EQ(Refusal([](auto& desc) { desc.SampleDesc.Count = 4; }),
            "CreateCommittedResource: SampleDesc.Count = 4 must be 1 for a buffer");
  EXPECT_EQ(Refusal([](auto& desc) { desc.SampleDesc.Quality = 1; }),
            "CreateCommittedResource: SampleDesc.Quality = 1 must be 0 for a buffer");
  EXPECT_EQ(Refusal([](auto& desc) { desc.Alignment = 4096; }),
            "CreateCommittedResource: Alignment = 4096 must be 0 or 65536");
  EXPECT_EQ(Refusal([](auto& desc) { desc.Format = DXGI_FORMAT_R32_FLOAT; }),
            "CreateCommittedResource: Format = 41 must be DXGI_FORMAT_UNKNOWN for a buffer");
  EXPECT_EQ(Refusal([](auto& desc) { desc.Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN; }),
            "CreateCommittedResource: Layout = 0 must be D3D12_TEXTURE_LAYOUT_ROW_MAJOR for a "
            "buffer");
  EXPECT_EQ(Refusal([](auto& desc) { desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET; }),
            "CreateCommittedResource: Flags = 1 must have only bits that buffers know");
}

TEST_F(BufferTest, HeapPropertiesFollowTheHeapType) {
  const D3D12_RESOURCE_DESC desc = BufferOf(256);
  const auto common = D3D12_RESOURCE_STATE_COMMON;
  D3D12_HEAP_PROPERTIES properties = HeapOf(D3D12_HEAP_TYPE_DEFAULT);
  properties.CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_BACK;
  EXPECT_EQ(Commit(properties, desc, common), E_INVALIDARG);
  properties = HeapOf(D3D12_HEAP_TYPE_CUSTOM);
  EXPECT_EQ(Commit(properties, desc, common), E_INVALIDARG);
  properties = device->GetCustomHeapProperties(0, D3D12_HEAP_TYPE_UPLOAD);
  EXPECT_EQ(properties.Type, D3D12_HEAP_TYPE_CUSTOM);
  EXPECT_EQ(Commit(properties, desc, common), S_OK);
  properties.MemoryPoolPreference = D3D12_MEMORY_POOL_L1;
  EXPECT_EQ(Commit(properties, desc, common), E_INVALIDARG);
  properties = HeapOf(static_cast<D3D12_HEAP_TYPE>(0));
  EXPECT_EQ(Commit(properties, desc, common), E_INVALIDARG);
  properties = HeapOf(D3D12_HEAP_TYPE_DEFAULT);
  properties.VisibleNodeMask = 2;
  EXPECT_EQ(Commit(properties, desc, common), E_INVALIDARG);
  EXPECT_EQ(Commit(HeapOf(D3D12_HEAP_TYPE_DEFAULT), desc, common, D3D12_HEAP_FLAG_DENY_BUFFERS),
            DXGI_ERROR_UNSUPPORTED);
}

TEST_F(BufferTest, UploadAndReadbackHaveTheirStates) {
  const D3D12_RESOURCE_DESC desc = BufferOf(256);
  EXPECT_EQ(Commit(HeapOf(D3D12_HEAP_TYPE_UPLOAD), desc, D3D12_RESOURCE_STATE_COPY_DEST),
            E_INVALIDARG);
  EXPECT_EQ(Commit(HeapOf(D3D12_HEAP_TYPE_READBACK), desc, D3D12_RESOURCE_STATE_GENERIC_READ),
            E_INVALIDARG);
  const D3D12_RESOURCE_DESC written = BufferOf(256, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  EXPECT_EQ(Commit(HeapOf(D3D12_HEAP_TYPE_UPLOAD), written, D3D12_RESOURCE_STATE_GENERIC_READ),
            E_INVALIDARG);
}

TEST_F(BufferTest, TooMuchMemoryIsAnErrorAndNoCrash) {
  EXPECT_EQ(Commit(HeapOf(D3D12_HEAP_TYPE_DEFAULT), BufferOf(UINT64_MAX - 5),
                   D3D12_RESOURCE_STATE_COMMON),
            E_OUTOFMEMORY);
  EXPECT_EQ(Commit(HeapOf(D3D12_HEAP_TYPE_DEFAULT), BufferOf(uint64_t{1} << 60),
                   D3D12_RESOURCE_STATE_COMMON),
            E_OUTOFMEMORY);
}

TEST_F(BufferTest, NullArgumentsAreRefused) {
  const D3D12_HEAP_PROPERTIES properties = HeapOf(D3D12_HEAP_TYPE_DEFAULT);
  const D3D12_RESOURCE_DESC desc = BufferOf(256);
  void* made = &made;
  EXPECT_EQ(device->CreateCommittedResource(nullptr, D3D12_HEAP_FLAG_NONE, &desc,
                                            D3D12_RESOURCE_STATE_COMMON, nullptr,
                                            __uuidof(ID3D12Resource), &made),
            E_INVALIDARG);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, nullptr,
                                            D3D12_RESOURCE_STATE_COMMON, nullptr,
                                            __uuidof(ID3D12Resource), &made),
            E_INVALIDARG);
  EXPECT_EQ(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc,
                                            D3D12_RESOURCE_STATE_COMMON, nullptr,
                                            __uuidof(ID3D12Resource), nullptr),
            S_FALSE);
  EXPECT_EQ(device->CreateHeap(nullptr, __uuidof(ID3D12Heap), &made), E_INVALIDARG);
  EXPECT_EQ(device->CreatePlacedResource(nullptr, 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                         __uuidof(ID3D12Resource), &made),
            E_INVALIDARG);
}

TEST_F(BufferTest, MapChecksHeapSubresourceAndRange) {
  void* data = nullptr;
  EXPECT_EQ(MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 64)->Map(0, nullptr, &data), E_INVALIDARG);
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, 64);
  EXPECT_EQ(buffer->Map(1, nullptr, &data), E_INVALIDARG);
  const D3D12_RANGE nothing = {0, 0};
  const D3D12_RANGE inside = {16, 64};
  const D3D12_RANGE outside = {16, 65};
  EXPECT_EQ(buffer->Map(0, &outside, &data), E_INVALIDARG);
  ASSERT_EQ(buffer->Map(0, &nothing, &data), S_OK);
  EXPECT_EQ(reinterpret_cast<uint64_t>(data), buffer->GetGPUVirtualAddress());
  EXPECT_EQ(buffer->Map(0, &inside, nullptr), S_OK);  // nested, without an address
  buffer->Unmap(0, &inside);
  buffer->Unmap(0, nullptr);
  SetLastError("");
  buffer->Unmap(0, nullptr);
  EXPECT_EQ(LastErrorOfThread(), "Unmap: the buffer is not mapped");
  EXPECT_EQ(buffer->WriteToSubresource(0, nullptr, data, 0, 0), E_NOTIMPL);
  EXPECT_EQ(buffer->ReadFromSubresource(data, 0, 0, 0, nullptr), E_NOTIMPL);
}

TEST_F(BufferTest, AllocationInfoLinesBuffersUp) {
  const D3D12_RESOURCE_DESC descs[] = {BufferOf(1), BufferOf(65537)};
  const auto one = device->GetResourceAllocationInfo(0, 1, descs);
  EXPECT_EQ(one.SizeInBytes, 65536u);
  EXPECT_EQ(one.Alignment, 65536u);
  D3D12_RESOURCE_ALLOCATION_INFO1 infos[2] = {};
  const auto both = device->GetResourceAllocationInfo1(0, 2, descs, infos);
  EXPECT_EQ(both.SizeInBytes, 3u * 65536);
  EXPECT_EQ(infos[1].Offset, 65536u);
  EXPECT_EQ(infos[1].SizeInBytes, 2u * 65536);
  D3D12_RESOURCE_DESC texture = BufferOf(16);
  texture.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  EXPECT_EQ(device->GetResourceAllocationInfo(0, 1, &texture).SizeInBytes, UINT64_MAX);
  EXPECT_EQ(device->GetResourceAllocationInfo(0, 1, nullptr).SizeInBytes, UINT64_MAX);
  const D3D12_RESOURCE_DESC huge = BufferOf(UINT64_MAX);
  EXPECT_EQ(device->GetResourceAllocationInfo(0, 1, &huge).SizeInBytes, UINT64_MAX);
}

TEST_F(BufferTest, FootprintOfABufferIsOneRow) {
  const D3D12_RESOURCE_DESC desc = BufferOf(1000);
  D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout = {};
  UINT rows = 0;
  UINT64 row_size = 0;
  UINT64 total = 0;
  device->GetCopyableFootprints(&desc, 0, 1, 512, &layout, &rows, &row_size, &total);
  EXPECT_EQ(layout.Offset, 512u);
  EXPECT_EQ(layout.Footprint.Width, 1000u);
  EXPECT_EQ(layout.Footprint.RowPitch, 1024u);
  EXPECT_EQ(rows, 1u);
  EXPECT_EQ(row_size, 1000u);
  EXPECT_EQ(total, 1000u);
  device->GetCopyableFootprints(&desc, 0, 1, 0, nullptr, nullptr, nullptr, nullptr);
  D3D12_RESOURCE_DESC texture = desc;
  texture.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  device->GetCopyableFootprints(&texture, 0, 1, 0, &layout, &rows, &row_size, &total);
  EXPECT_EQ(total, UINT64_MAX);
}

// As GetRequiredIntermediateSize of d3dx12.h asks: only a footprint has 32 bits.
TEST_F(BufferTest, SizesOfLargeBuffersDoNotWrap) {
  for (const uint64_t bytes : {(uint64_t{1} << 32) - 255, uint64_t{1} << 32, uint64_t{5} << 40}) {
    const D3D12_RESOURCE_DESC desc = BufferOf(bytes);
    UINT rows = 0;
    UINT64 row_size = 0, total = 0;
    device->GetCopyableFootprints(&desc, 0, 1, 0, nullptr, &rows, &row_size, &total);
    EXPECT_EQ(rows, 1u);
    EXPECT_EQ(row_size, bytes);
    EXPECT_EQ(total, bytes);
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout = {};
    device->GetCopyableFootprints(&desc, 0, 1, 0, &layout, &rows, &row_size, &total);
    EXPECT_EQ(layout.Footprint.RowPitch, UINT32_MAX);
    EXPECT_EQ(total, UINT64_MAX);
    EXPECT_EQ(LastErrorOfThread(),
              "GetCopyableFootprints: pLayouts must be null for a buffer of 4 GiB and more");
  }
  const D3D12_RESOURCE_DESC widest = BufferOf((uint64_t{1} << 32) - 256);
  D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout = {};
  device->GetCopyableFootprints(&widest, 0, 1, 0, &layout, nullptr, nullptr, nullptr);
  EXPECT_EQ(layout.Footprint.RowPitch, UINT32_MAX - 255);
}

}  // namespace
}  // namespace anydml::d3d12
