// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Enumerations of programs that hold no enumerator: refused as numbers, and never
// loaded as what they are not (which UndefinedBehaviorSanitizer would tell).
#include "base/last_error.h"
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

// For arguments, straight into the call: a variable of the type would be loaded.
template <typename Enum>
constexpr Enum Number() {
  return static_cast<Enum>(kNoEnumerator);
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
  const D3D12_HEAP_PROPERTIES properties = HeapOf(D3D12_HEAP_TYPE_UPLOAD);
  desc = BufferOf(16);
  void* nothing = nullptr;
  EXPECT_EQ(device->CreateCommittedResource(&properties, Number<D3D12_HEAP_FLAGS>(), &desc,
                                            D3D12_RESOURCE_STATE_GENERIC_READ, nullptr,
                                            __uuidof(IUnknown), &nothing),
            E_INVALIDARG);
  EXPECT_EQ(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc,
                                            Number<D3D12_RESOURCE_STATES>(), nullptr,
                                            __uuidof(IUnknown), &nothing),
            E_INVALIDARG);
  const D3D12_HEAP_DESC heap_desc = {65536, properties, 0, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(device->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
  EXPECT_EQ(device->CreatePlacedResource(heap.Get(), 0, &desc, Number<D3D12_RESOURCE_STATES>(),
                                         nullptr, __uuidof(IUnknown), &nothing),
            E_INVALIDARG);
}

// The answer is what is here, however new the program's headers are.
TEST_F(NumbersTest, OfShaderModelsAndRootSignaturesAreLowered) {
  D3D12_FEATURE_DATA_SHADER_MODEL model = {};
  SetNumber(model.HighestShaderModel);
  EXPECT_EQ(device->CheckFeatureSupport(D3D12_FEATURE_SHADER_MODEL, &model, sizeof model), S_OK);
  EXPECT_EQ(model.HighestShaderModel, D3D_SHADER_MODEL_6_2);
  D3D12_FEATURE_DATA_ROOT_SIGNATURE version = {};
  SetNumber(version.HighestVersion);
  EXPECT_EQ(device->CheckFeatureSupport(D3D12_FEATURE_ROOT_SIGNATURE, &version, sizeof version),
            S_OK);
  EXPECT_EQ(version.HighestVersion, D3D_ROOT_SIGNATURE_VERSION_1_1);
}

TEST_F(NumbersTest, OfListsAndCustomHeapsAreRead) {
  void* nothing = nullptr;
  EXPECT_EQ(
      device->CreateCommandList1(0, D3D12_COMMAND_LIST_TYPE_COMPUTE,
                                 Number<D3D12_COMMAND_LIST_FLAGS>(), __uuidof(IUnknown), &nothing),
      E_INVALIDARG);
  EXPECT_EQ(device->GetCustomHeapProperties(0, Number<D3D12_HEAP_TYPE>()).CPUPageProperty,
            D3D12_CPU_PAGE_PROPERTY_WRITE_BACK);
}

TEST_F(NumbersTest, OfViewsAreRefusedAndOfCopiesIgnored) {
  const D3D12_DESCRIPTOR_HEAP_DESC heap_desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 2, {}, 0};
  ComPtr<ID3D12DescriptorHeap> heap;
  ASSERT_EQ(device->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
  const D3D12_CPU_DESCRIPTOR_HANDLE first = heap->GetCPUDescriptorHandleForHeapStart();
  const D3D12_CPU_DESCRIPTOR_HANDLE second = {
      first.ptr + device->GetDescriptorHandleIncrementSize(heap_desc.Type)};
  const ComPtr<ID3D12Resource> buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 64);
  D3D12_SHADER_RESOURCE_VIEW_DESC read = {};
  SetNumber(read.ViewDimension);
  SetLastError("");
  device->CreateShaderResourceView(buffer.Get(), &read, first);
  EXPECT_TRUE(LastErrorOfThread().starts_with("CreateShaderResourceView: "));
  D3D12_UNORDERED_ACCESS_VIEW_DESC written = {};
  SetNumber(written.ViewDimension);
  device->CreateUnorderedAccessView(buffer.Get(), nullptr, &written, first);
  EXPECT_TRUE(LastErrorOfThread().starts_with("CreateUnorderedAccessView: "));
  SetLastError("");
  written = {DXGI_FORMAT_R32_UINT, D3D12_UAV_DIMENSION_BUFFER, {{0, 4, 0, 0, {}}}};
  SetNumber(written.Buffer.Flags);  // without the bit of RAW
  device->CreateUnorderedAccessView(buffer.Get(), nullptr, &written, first);
  device->CopyDescriptorsSimple(1, second, first, Number<D3D12_DESCRIPTOR_HEAP_TYPE>());
  EXPECT_EQ(LastErrorOfThread(), "");
}

TEST_F(NumbersTest, OfQueriesAndBarriersMakeCloseFail) {
  list->EndQuery(nullptr, Number<D3D12_QUERY_TYPE>(), 0);
  EXPECT_EQ(list->Close(), E_INVALIDARG);
  ASSERT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
  D3D12_RESOURCE_BARRIER barrier = {};
  SetNumber(barrier.Type);
  list->ResourceBarrier(1, &barrier);
  EXPECT_EQ(list->Close(), E_INVALIDARG);
  EXPECT_NE(LastErrorOfThread().find("Type = 1073741824 is no barrier"), std::string::npos);
}

}  // namespace
}  // namespace anydml::d3d12
