// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Clears, which go through views of buffers.
#include "d3d12/descriptor_fixture.h"

namespace anydml::d3d12 {
namespace {

using ClearsTest = DescriptorTest;

TEST_F(ClearsTest, RawClearWritesItsRangeOnly) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 32);
  MakeView(buffer.Get(), DXGI_FORMAT_R32_TYPELESS, 2, 3, 1);
  const UINT values[] = {0xdeadbeef, 1, 2, 3};
  list->ClearUnorderedAccessViewUint(Gpu(1), Cpu(1), buffer.Get(), values, 0, nullptr);
  Finish();
  EXPECT_EQ(Contents<uint32_t>(buffer.Get()),
            (std::vector<uint32_t>{0, 0, 0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 0, 0, 0}));
}

TEST_F(ClearsTest, LargeClearsAreExact) {
  const uint64_t count = (5 << 20) / 4 + 3;
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, count * 4);
  MakeView(buffer.Get(), DXGI_FORMAT_R32_TYPELESS, 0, static_cast<UINT>(count), 0);
  const UINT values[] = {0x01020304, 0, 0, 0};
  list->ClearUnorderedAccessViewUint(Gpu(0), Cpu(0), buffer.Get(), values, 0, nullptr);
  Finish();
  EXPECT_EQ(Contents<uint32_t>(buffer.Get()), std::vector<uint32_t>(count, 0x01020304));
}

TEST_F(ClearsTest, TypedClearsConvert) {
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
TEST_F(ClearsTest, IntegerClearsCutTheirValuesToTheFormat) {
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

TEST_F(ClearsTest, FloatClearsKeepBitsOrRoundToHalves) {
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

TEST_F(ClearsTest, ClearsAreChecked) {
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

TEST_F(ClearsTest, CopiedDescriptorsClearAsTheirOriginals) {
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
