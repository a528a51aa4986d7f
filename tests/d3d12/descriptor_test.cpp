// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Descriptor heaps and views of buffers.
#include <sys/resource.h>

#include "base/last_error.h"
#include "d3d12/descriptor_fixture.h"

namespace anydml::d3d12 {
namespace {

TEST_F(DescriptorTest, HandlesStepByTheIncrement) {
  EXPECT_GT(Increment(), 0u);
  EXPECT_NE(visible->GetCPUDescriptorHandleForHeapStart().ptr, 0u);
  EXPECT_NE(visible->GetGPUDescriptorHandleForHeapStart().ptr, 0u);
  EXPECT_EQ(visible->GetDesc().NumDescriptors, 4u);
  const auto hidden = MakeHeap(1, D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
  EXPECT_EQ(hidden->GetGPUDescriptorHandleForHeapStart().ptr, 0u);
}

TEST_F(DescriptorTest, HeapsAreChecked) {
  ComPtr<ID3D12DescriptorHeap> heap;
  D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 0,
                                     D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
  EXPECT_EQ(device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)), E_INVALIDARG);
  desc.NumDescriptors = 1;
  desc.Type = D3D12_DESCRIPTOR_HEAP_TYPE_RTV;
  EXPECT_EQ(device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)), DXGI_ERROR_UNSUPPORTED);
  EXPECT_EQ(device->CreateDescriptorHeap(nullptr, IID_PPV_ARGS(&heap)), E_INVALIDARG);
}

// The limits of "Hardware tiers" on Microsoft's pages.
TEST_F(DescriptorTest, HeapsThatShadersSeeHaveALargestSize) {
  const auto create = [this](D3D12_DESCRIPTOR_HEAP_TYPE type, UINT count, bool visible) {
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {
        type, count,
        visible ? D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE : D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    ComPtr<ID3D12DescriptorHeap> heap;
    return device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap));
  };
  EXPECT_EQ(create(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1000000, true), S_OK);
  EXPECT_EQ(create(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1000001, true), E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(),
            "CreateDescriptorHeap: NumDescriptors = 1000001 must be at most 1000000 in a "
            "shader-visible heap of CBV_SRV_UAV");
  EXPECT_EQ(create(D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER, 2048, true), S_OK);
  EXPECT_EQ(create(D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER, 2049, true), E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(),
            "CreateDescriptorHeap: NumDescriptors = 2049 must be at most 2048 in a "
            "shader-visible heap of SAMPLER");
  EXPECT_EQ(create(D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER, 2049, false), S_OK);
}

long LargestResidentKibibytes() {
  rusage use = {};
  getrusage(RUSAGE_SELF, &use);
  return use.ru_maxrss;
}

// More than 100 MiB that nobody has written to.
TEST_F(DescriptorTest, AHeapIsNotTouchedWhereItIsMadeOrAskedFor) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer touches memory of its own for it";
#endif
  const D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 4000000,
                                           D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
  const long before = LargestResidentKibibytes();
  EXPECT_EQ(device->CreateDescriptorHeap(&desc, __uuidof(ID3D12DescriptorHeap), nullptr), S_FALSE);
  EXPECT_EQ(device->CreateDescriptorHeap(&desc, __uuidof(ID3D12Fence), nullptr), E_NOINTERFACE);
  ComPtr<ID3D12DescriptorHeap> heap;
  EXPECT_EQ(device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
  EXPECT_LT(LargestResidentKibibytes(), before + (16 << 10));
}

TEST_F(DescriptorTest, ListsTakeShaderVisibleHeapsOfDifferentTypes) {
  ID3D12DescriptorHeap* heaps[] = {visible.Get(), visible.Get()};
  list->SetDescriptorHeaps(1, heaps);
  Finish();
  list->SetDescriptorHeaps(2, heaps);
  EXPECT_EQ(LastErrorOfThread(), "SetDescriptorHeaps: two heaps have the same type");
  EXPECT_EQ(list->Close(), E_INVALIDARG);
  ASSERT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
  const auto hidden = MakeHeap(1, D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
  heaps[0] = hidden.Get();
  list->SetDescriptorHeaps(1, heaps);
  EXPECT_EQ(list->Close(), E_INVALIDARG);
}

TEST_F(DescriptorTest, ViewsAreChecked) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 32);
  MakeView(buffer.Get(), DXGI_FORMAT_R32_TYPELESS, 1, 8, 0);
  EXPECT_EQ(LastErrorOfThread(),
            "CreateUnorderedAccessView: FirstElement = 1 and NumElements = 8 of 4 bytes must lie "
            "inside the buffer of 32 bytes");
  MakeView(buffer.Get(), DXGI_FORMAT_BC1_UNORM, 0, 1, 0);
  EXPECT_EQ(LastErrorOfThread(),
            "CreateUnorderedAccessView: Format = 71 is no format of buffer views here");
  const auto upload = MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, 32);
  MakeView(upload.Get(), DXGI_FORMAT_R32_TYPELESS, 0, 1, 0);
  EXPECT_EQ(LastErrorOfThread(),
            "CreateUnorderedAccessView: pResource must allow unordered access");
  SetLastError("");
  MakeView(buffer.Get(), DXGI_FORMAT_R32_TYPELESS, 0, 1, 4);
  EXPECT_EQ(LastErrorOfThread(),
            "CreateUnorderedAccessView: DestDescriptor must be a handle of a heap of this device");
  device->CreateUnorderedAccessView(buffer.Get(), nullptr, nullptr, Cpu(0));
  device->CreateUnorderedAccessView(nullptr, nullptr, nullptr, Cpu(0));  // a null view
}

TEST_F(DescriptorTest, ShaderResourceAndConstantViewsAreAccepted) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 256);
  SetLastError("");
  D3D12_SHADER_RESOURCE_VIEW_DESC desc = {};
  desc.ViewDimension = D3D12_SRV_DIMENSION_BUFFER;
  desc.Buffer.NumElements = 16;
  desc.Buffer.StructureByteStride = 16;
  device->CreateShaderResourceView(buffer.Get(), &desc, Cpu(0));
  const D3D12_CONSTANT_BUFFER_VIEW_DESC constants = {buffer->GetGPUVirtualAddress(), 256};
  device->CreateConstantBufferView(&constants, Cpu(1));
  EXPECT_EQ(LastErrorOfThread(), "");
  desc.Buffer.NumElements = 17;
  device->CreateShaderResourceView(buffer.Get(), &desc, Cpu(0));
  EXPECT_NE(LastErrorOfThread(), "");
}

// Its elements would have two sizes.
TEST_F(DescriptorTest, AStructuredViewHasNoFormat) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 256);
  D3D12_UNORDERED_ACCESS_VIEW_DESC desc = {};
  desc.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
  desc.Buffer.NumElements = 1;
  desc.Buffer.StructureByteStride = 4;
  SetLastError("");
  device->CreateUnorderedAccessView(buffer.Get(), nullptr, &desc, Cpu(0));
  EXPECT_EQ(LastErrorOfThread(), "");
  desc.Format = DXGI_FORMAT_R32G32B32A32_UINT;
  device->CreateUnorderedAccessView(buffer.Get(), nullptr, &desc, Cpu(0));
  EXPECT_EQ(LastErrorOfThread(),
            "CreateUnorderedAccessView: a structured view must have the format UNKNOWN and not be "
            "RAW");
  desc.Format = DXGI_FORMAT_R32_TYPELESS;
  desc.Buffer.Flags = D3D12_BUFFER_UAV_FLAG_RAW;
  SetLastError("");
  device->CreateUnorderedAccessView(buffer.Get(), nullptr, &desc, Cpu(0));
  EXPECT_NE(LastErrorOfThread(), "");
}

}  // namespace
}  // namespace anydml::d3d12
