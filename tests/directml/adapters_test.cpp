// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What depends on the adapter, on the default one: a CUDA device where there is
// one, the CPU elsewhere. (CUDA_VISIBLE_DEVICES= makes it the CPU everywhere.)
#include <array>

#include "directml/graph_builder.h"

namespace anydml::directml {
namespace {

using Floats = std::vector<float>;

class AdapterTest : public DirectMLTest {
 protected:
  // Closes the list and keeps it.
  void SubmitAgain() {
    Submit();
    WaitForQueue();
  }
};

TEST_F(AdapterTest, RunsAListAgainAndAgainOnWhatItsBuffersHold) {
  const auto compiled = CompileGate(4);
  Initialize(compiled);
  const auto x = Buffer(Floats{1, -1, 1, -1}), dx = Buffer(16);
  const auto upload = Upload(Floats{0, 0, 0, 0});
  const auto dy = Buffer(16);
  list->CopyBufferRegion(dy.Get(), 0, upload.Get(), 0, 16);
  Record(compiled, {x, dy}, {dx});
  ASSERT_EQ(list->Close(), S_OK);
  for (float round = 1; round <= 6; ++round) {
    void* mapped = nullptr;
    ASSERT_EQ(upload->Map(0, nullptr, &mapped), S_OK);
    const Floats values(4, round);
    std::memcpy(mapped, values.data(), 16);
    upload->Unmap(0, nullptr);
    SubmitAgain();
    EXPECT_EQ(Contents<float>(dx.Get()), (Floats{round, 0, round, 0}));
  }
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK);
}

// After a removal nothing runs any more, not even a list that has run before.
TEST_F(AdapterTest, RunsNothingAfterARemoval) {
  const auto compiled = CompileGate(4);
  Initialize(compiled);
  const auto x = Buffer(Floats{1, 1, 1, 1}), dy = Buffer(Floats{1, 2, 3, 4}), dx = Buffer(16);
  Record(compiled, {x, dy}, {dx});
  ASSERT_EQ(list->Close(), S_OK);
  for (int round = 0; round < 4; ++round) SubmitAgain();
  SetContents(dx.Get(), Floats(4, -1));
  const auto table = Table(compiled.Get());
  table->BindInputs(1, nullptr);  // a mistake
  ASSERT_NE(dml->GetDeviceRemovedReason(), S_OK);
  SubmitAgain();
  EXPECT_EQ(Contents<float>(dx.Get()), Floats(4, -1));
}

TEST_F(AdapterTest, CopiesRangesThatOverlapAsIfThroughAThird) {
  const auto buffer = Buffer(Floats{1, 2, 3, 4, 5, 6, 7, 8});
  list->CopyBufferRegion(buffer.Get(), 4, buffer.Get(), 0, 24);
  Finish();
  EXPECT_EQ(Contents<float>(buffer.Get()), (Floats{1, 1, 2, 3, 4, 5, 6, 8}));
}

TEST_F(AdapterTest, StampsTimesInOrder) {
  D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2, 0};
  ComPtr<ID3D12QueryHeap> heap;
  ASSERT_EQ(device->CreateQueryHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
  const auto from = Buffer(uint64_t{64} << 20), to = Buffer(uint64_t{64} << 20);
  const auto times = MakeBuffer(D3D12_HEAP_TYPE_READBACK, 16);
  list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
  list->CopyResource(to.Get(), from.Get());
  list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
  list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, times.Get(), 0);
  Finish();
  const std::vector<uint64_t> ticks = Contents<uint64_t>(times.Get());
  EXPECT_GT(ticks[0], 0u);
  EXPECT_GT(ticks[1], ticks[0]);
}

TEST_F(AdapterTest, ImportsMemoryOfItsOwnKind) {
  ComPtr<IAnydmlDevice> internal;
  ASSERT_EQ(device->QueryInterface(IID_PPV_ARGS(&internal)), S_OK);
  const std::optional<int> cuda = internal->CudaOrdinal();
  if (!cuda) GTEST_SKIP() << "the CPU's imports are HeapTest's";
  const cuda::ScopedDevice scope(*cuda);
  Result<cuda::Memory> memory = cuda::Allocate(65536);
  ASSERT_TRUE(memory.ok());
  const Floats values = {3, 1, 2, 4};
  CopyNow(memory.value().get(), values.data(), 16, cuda);
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(device->OpenExistingHeapFromAddress(memory.value().get(), IID_PPV_ARGS(&heap)), S_OK)
      << LastError();
  const D3D12_RESOURCE_DESC desc = d3d12::BufferOf(16, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  ComPtr<ID3D12Resource> buffer;
  ASSERT_EQ(device->CreatePlacedResource(heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                         IID_PPV_ARGS(&buffer)),
            S_OK)
      << LastError();
  EXPECT_EQ(Contents<float>(buffer.Get()), values);
}

TEST_F(AdapterTest, RefusesMemoryThatACardDoesNotReach) {
  ComPtr<IAnydmlDevice> internal;
  ASSERT_EQ(device->QueryInterface(IID_PPV_ARGS(&internal)), S_OK);
  const std::optional<int> cuda = internal->CudaOrdinal();
  if (!cuda) GTEST_SKIP() << "the CPU's imports are HeapTest's";
  alignas(64) std::array<float, 16> values = {};
  if (cuda::IsReachable(values.data(), *cuda)) GTEST_SKIP() << "this card reaches all memory";
  ComPtr<ID3D12Heap> heap;
  EXPECT_EQ(device->OpenExistingHeapFromAddress(values.data(), IID_PPV_ARGS(&heap)), E_INVALIDARG);
  EXPECT_EQ(LastError(),
            "OpenExistingHeapFromAddress: pAddress must lie in memory of this card, or of the host "
            "where the card reaches it (cudaHostRegister)");
}

TEST_F(AdapterTest, HasNoRoomForWhatIsTooLarge) {
  const D3D12_HEAP_PROPERTIES properties = d3d12::HeapOf(D3D12_HEAP_TYPE_DEFAULT);
  const D3D12_RESOURCE_DESC desc = d3d12::BufferOf(uint64_t{1} << 50);
  ComPtr<ID3D12Resource> buffer;
  EXPECT_EQ(
      device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc,
                                      D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&buffer)),
      E_OUTOFMEMORY);
  EXPECT_NE(LastError(), "");
  EXPECT_EQ(device->GetDeviceRemovedReason(), S_OK);
}

}  // namespace
}  // namespace anydml::directml
