// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Descriptor heaps, views of buffers, and the clears that go through them.
#include <sys/resource.h>

#include "base/last_error.h"
#include "d3d12/fixture.h"

namespace anydml::d3d12 {
namespace {

class DescriptorTest : public D3D12Test {
 protected:
  DescriptorTest() { visible = MakeHeap(4, D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE); }

  ComPtr<ID3D12DescriptorHeap> MakeHeap(UINT count, D3D12_DESCRIPTOR_HEAP_FLAGS flags) {
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, count, flags,
                                             0};
    ComPtr<ID3D12DescriptorHeap> heap;
    EXPECT_EQ(device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
    return heap;
  }

  D3D12_CPU_DESCRIPTOR_HANDLE Cpu(UINT index) {
    return {visible->GetCPUDescriptorHandleForHeapStart().ptr + index * Increment()};
  }
  D3D12_GPU_DESCRIPTOR_HANDLE Gpu(UINT index) {
    return {visible->GetGPUDescriptorHandleForHeapStart().ptr + index * Increment()};
  }
  UINT Increment() {
    return device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  }

  void MakeView(ID3D12Resource* buffer, DXGI_FORMAT format, UINT64 first, UINT count, UINT index) {
    D3D12_UNORDERED_ACCESS_VIEW_DESC desc = {};
    desc.Format = format;
    desc.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
    desc.Buffer.FirstElement = first;
    desc.Buffer.NumElements = count;
    if (format == DXGI_FORMAT_R32_TYPELESS) desc.Buffer.Flags = D3D12_BUFFER_UAV_FLAG_RAW;
    device->CreateUnorderedAccessView(buffer, nullptr, &desc, Cpu(index));
  }

  ComPtr<ID3D12DescriptorHeap> visible;
};

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

TEST_F(DescriptorTest, RawClearWritesItsRangeOnly) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 32);
  MakeView(buffer.Get(), DXGI_FORMAT_R32_TYPELESS, 2, 3, 1);
  const UINT values[] = {0xdeadbeef, 1, 2, 3};
  list->ClearUnorderedAccessViewUint(Gpu(1), Cpu(1), buffer.Get(), values, 0, nullptr);
  Finish();
  EXPECT_EQ(Contents<uint32_t>(buffer.Get()),
            (std::vector<uint32_t>{0, 0, 0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 0, 0, 0}));
}

TEST_F(DescriptorTest, LargeClearsAreExact) {
  const uint64_t count = (5 << 20) / 4 + 3;
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, count * 4);
  MakeView(buffer.Get(), DXGI_FORMAT_R32_TYPELESS, 0, static_cast<UINT>(count), 0);
  const UINT values[] = {0x01020304, 0, 0, 0};
  list->ClearUnorderedAccessViewUint(Gpu(0), Cpu(0), buffer.Get(), values, 0, nullptr);
  Finish();
  EXPECT_EQ(Contents<uint32_t>(buffer.Get()), std::vector<uint32_t>(count, 0x01020304));
}

TEST_F(DescriptorTest, TypedClearsConvert) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 48);
  MakeView(buffer.Get(), DXGI_FORMAT_R16_FLOAT, 0, 2, 0);
  MakeView(buffer.Get(), DXGI_FORMAT_R8_UINT, 4, 4, 1);
  MakeView(buffer.Get(), DXGI_FORMAT_R32G32B32A32_FLOAT, 1, 2, 2);
  const FLOAT floats[] = {1.0f, 2.0f, 3.0f, 4.0f};
  const UINT integers[] = {0x1ff, 0, 0, 0};
  list->ClearUnorderedAccessViewFloat(Gpu(0), Cpu(0), buffer.Get(), floats, 0, nullptr);
  list->ClearUnorderedAccessViewUint(Gpu(1), Cpu(1), buffer.Get(), integers, 0, nullptr);
  list->ClearUnorderedAccessViewFloat(Gpu(2), Cpu(2), buffer.Get(), floats, 0, nullptr);
  Finish();
  const std::vector<uint32_t> words = Contents<uint32_t>(buffer.Get());
  EXPECT_EQ(words[0], 0x3c003c00u);
  EXPECT_EQ(words[1], 0xffffffffu);
  EXPECT_EQ(words[2], 0u);
  const std::vector<float> numbers = Contents<float>(buffer.Get());
  EXPECT_EQ(std::vector<float>(numbers.begin() + 4, numbers.end()),
            (std::vector<float>{1, 2, 3, 4, 1, 2, 3, 4}));
}

// An element of a view takes as many of the four values as it has components, each
// cut to their size; what lies behind the view stays.
TEST_F(DescriptorTest, IntegerClearsCutTheirValuesToTheFormat) {
  const UINT values[] = {0x11121314, 0x21222324, 0x31323334, 0x41424344};
  const struct {
    DXGI_FORMAT format;
    UINT elements;  // 16 bytes
    std::vector<uint32_t> words;
  } cases[] = {
      {DXGI_FORMAT_R32_SINT, 4, {values[0], values[0], values[0], values[0]}},
      {DXGI_FORMAT_R16_UINT, 8, {0x13141314, 0x13141314, 0x13141314, 0x13141314}},
      {DXGI_FORMAT_R16_SINT, 8, {0x13141314, 0x13141314, 0x13141314, 0x13141314}},
      {DXGI_FORMAT_R8_SINT, 16, {0x14141414, 0x14141414, 0x14141414, 0x14141414}},
      {DXGI_FORMAT_R32G32_UINT, 2, {values[0], values[1], values[0], values[1]}},
      {DXGI_FORMAT_R32G32_SINT, 2, {values[0], values[1], values[0], values[1]}},
      {DXGI_FORMAT_R32G32B32A32_UINT, 1, {values[0], values[1], values[2], values[3]}},
      {DXGI_FORMAT_R32G32B32A32_SINT, 1, {values[0], values[1], values[2], values[3]}},
  };
  for (const auto& [format, elements, words] : cases) {
    const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 32);
    SetLastError("");
    MakeView(buffer.Get(), format, 0, elements, 0);
    EXPECT_EQ(LastErrorOfThread(), "") << format;
    list->ClearUnorderedAccessViewUint(Gpu(0), Cpu(0), buffer.Get(), values, 0, nullptr);
    Finish();
    std::vector<uint32_t> expected = words;
    expected.resize(8, 0);
    EXPECT_EQ(Contents<uint32_t>(buffer.Get()), expected) << format;
  }
}

TEST_F(DescriptorTest, FloatClearsKeepBitsOrRoundToHalves) {
  const FLOAT values[] = {-1.5f, 65519.0f, 3.0f, 4.0f, 5.0f};  // four from the second on, too
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 32);
  MakeView(buffer.Get(), DXGI_FORMAT_R32_FLOAT, 0, 2, 0);
  MakeView(buffer.Get(), DXGI_FORMAT_R32G32_FLOAT, 1, 2, 1);
  MakeView(buffer.Get(), DXGI_FORMAT_R32_TYPELESS, 6, 1, 2);
  MakeView(buffer.Get(), DXGI_FORMAT_R16_FLOAT, 14, 2, 3);
  for (UINT i = 0; i < 3; ++i) {
    list->ClearUnorderedAccessViewFloat(Gpu(i), Cpu(i), buffer.Get(), values, 0, nullptr);
  }
  list->ClearUnorderedAccessViewFloat(Gpu(3), Cpu(3), buffer.Get(), values + 1, 0, nullptr);
  Finish();
  const std::vector<float> numbers = Contents<float>(buffer.Get());
  EXPECT_EQ(std::vector<float>(numbers.begin(), numbers.begin() + 7),
            (std::vector<float>{-1.5f, -1.5f, -1.5f, 65519.0f, -1.5f, 65519.0f, -1.5f}));
  EXPECT_EQ(Contents<uint32_t>(buffer.Get())[7], 0x7bff7bffu);  // 65504, the largest half
}

TEST_F(DescriptorTest, ClearsAreChecked) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 32);
  const auto other = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 32);
  MakeView(buffer.Get(), DXGI_FORMAT_R32_UINT, 0, 8, 0);
  const UINT values[4] = {};
  const FLOAT floats[4] = {};
  const D3D12_RECT rect = {};
  list->ClearUnorderedAccessViewUint(Gpu(0), Cpu(0), other.Get(), values, 0, nullptr);
  EXPECT_EQ(LastErrorOfThread(),
            "ClearUnorderedAccessViewUint: the view must be a view of pResource");
  list->ClearUnorderedAccessViewUint(Gpu(0), Cpu(0), buffer.Get(), values, 1, &rect);
  EXPECT_EQ(LastErrorOfThread(),
            "ClearUnorderedAccessViewUint: Values must be given, and a buffer has no rectangles");
  list->ClearUnorderedAccessViewFloat(Gpu(0), Cpu(0), buffer.Get(), floats, 0, nullptr);
  EXPECT_EQ(LastErrorOfThread(),
            "ClearUnorderedAccessViewFloat: the view's format must be a float format, or raw");
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

TEST_F(DescriptorTest, CopiedDescriptorsClearAsTheirOriginals) {
  const auto hidden = MakeHeap(2, D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 8);
  MakeView(buffer.Get(), DXGI_FORMAT_R32_TYPELESS, 1, 1, 0);
  const auto type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
  device->CopyDescriptorsSimple(1, hidden->GetCPUDescriptorHandleForHeapStart(), Cpu(0), type);
  const D3D12_CPU_DESCRIPTOR_HANDLE target = Cpu(3);
  const D3D12_CPU_DESCRIPTOR_HANDLE source = hidden->GetCPUDescriptorHandleForHeapStart();
  device->CopyDescriptors(1, &target, nullptr, 1, &source, nullptr, type);
  const UINT values[] = {5, 0, 0, 0};
  list->ClearUnorderedAccessViewUint(Gpu(3), source, buffer.Get(), values, 0, nullptr);
  Finish();
  EXPECT_EQ(Contents<uint32_t>(buffer.Get()), (std::vector<uint32_t>{0, 5}));
  device->CopyDescriptorsSimple(3, source, Cpu(0), type);
  EXPECT_EQ(LastErrorOfThread(),
            "CopyDescriptors: both sides must have the same number of descriptors, all in heaps of "
            "this device");
  device->CopyDescriptors(1, nullptr, nullptr, 1, &source, nullptr, type);
}

}  // namespace
}  // namespace anydml::d3d12
