// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Enumerations of programs that hold no enumerator: refused as numbers, and never
// loaded as what they are not (which UndefinedBehaviorSanitizer would tell).
#include "d3d12/fixture.h"
#include "support/sentences.h"

namespace anydml::d3d12 {
namespace {

constexpr UINT kNoEnumerator = 0x40000000;

// Not assigned: that would already be a value which the type does not have.
template <typename Enum>
void SetNumber(Enum& member) {
  static_assert(sizeof member == sizeof kNoEnumerator);
  std::memcpy(&member, &kNoEnumerator, sizeof member);
}

class NumbersTest : public D3D12Test {
 protected:
  template <typename Desc, typename Method>
  void ExpectRefused(const char* name, Method method, const Desc& desc,
                     HRESULT code = E_INVALIDARG) {
    void* nothing = nullptr;
    test::ExpectSentences(
        {{name, code,
          [&] { return (device.Get()->*method)(&desc, __uuidof(IUnknown), &nothing); }}},
        nullptr);
  }
};

TEST_F(NumbersTest, OfQueuesAreRefused) {
  const auto create = &ID3D12Device9::CreateCommandQueue;
  D3D12_COMMAND_QUEUE_DESC desc = {};
  SetNumber(desc.Flags);
  ExpectRefused("CreateCommandQueue", create, desc);
  EXPECT_EQ(LastErrorOfThread(), "CreateCommandQueue: Flags = 1073741824 must be known");
  desc = {};
  SetNumber(desc.Type);
  ExpectRefused("CreateCommandQueue", create, desc);
}

TEST_F(NumbersTest, OfDescriptorHeapsAreRefused) {
  const auto create = &ID3D12Device9::CreateDescriptorHeap;
  D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1, {}, 0};
  SetNumber(desc.Flags);
  ExpectRefused("CreateDescriptorHeap", create, desc);
  desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1, {}, 0};
  SetNumber(desc.Type);
  ExpectRefused("CreateDescriptorHeap", create, desc, DXGI_ERROR_UNSUPPORTED);
}

TEST_F(NumbersTest, OfHeapsAndQueryHeapsAreRefused) {
  D3D12_HEAP_DESC heap = {65536, HeapOf(D3D12_HEAP_TYPE_DEFAULT), 0, D3D12_HEAP_FLAG_NONE};
  SetNumber(heap.Flags);
  ExpectRefused("CreateHeap", &ID3D12Device9::CreateHeap, heap);
  heap.Flags = D3D12_HEAP_FLAG_NONE;
  SetNumber(heap.Properties.Type);
  ExpectRefused("CreateHeap", &ID3D12Device9::CreateHeap, heap);
  D3D12_QUERY_HEAP_DESC queries = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
  SetNumber(queries.Type);
  ExpectRefused("CreateQueryHeap", &ID3D12Device9::CreateQueryHeap, queries,
                DXGI_ERROR_UNSUPPORTED);
}

TEST_F(NumbersTest, OfBuffersAreRefused) {
  const auto refuses = [&](const D3D12_RESOURCE_DESC& desc) {
    const D3D12_HEAP_PROPERTIES properties = HeapOf(D3D12_HEAP_TYPE_DEFAULT);
    void* nothing = nullptr;
    return FAILED(device->CreateCommittedResource(&properties, {}, &desc, {}, nullptr,
                                                  __uuidof(IUnknown), &nothing));
  };
  D3D12_RESOURCE_DESC desc = BufferOf(16);
  SetNumber(desc.Flags);
  EXPECT_TRUE(refuses(desc)) << "Flags";
  desc = BufferOf(16);
  SetNumber(desc.Dimension);
  EXPECT_TRUE(refuses(desc)) << "Dimension";
  desc = BufferOf(16);
  SetNumber(desc.Layout);
  EXPECT_TRUE(refuses(desc)) << "Layout";
  desc = BufferOf(16);
  SetNumber(desc.Format);
  EXPECT_TRUE(refuses(desc)) << "Format";
}

}  // namespace
}  // namespace anydml::d3d12
