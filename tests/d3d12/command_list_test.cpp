// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Recording and running: copies, clears, queries, appended work.
#include <chrono>
#include <numeric>
#include <string>
#include <thread>

#include "base/last_error.h"
#include "d3d12/fixture.h"

namespace anydml::d3d12 {
namespace {

class CommandListTest : public D3D12Test {};

std::vector<uint32_t> Counting(size_t count) {
  std::vector<uint32_t> values(count);
  std::iota(values.begin(), values.end(), 1u);
  return values;
}

TEST_F(CommandListTest, CopyResourceMovesBytesThroughAllHeaps) {
  const std::vector<uint32_t> values = Counting(1000);
  const auto upload = Upload(values);
  const auto middle = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 4000);
  const auto readback = MakeBuffer(D3D12_HEAP_TYPE_READBACK, 4000);
  list->CopyResource(middle.Get(), upload.Get());
  list->CopyResource(readback.Get(), middle.Get());
  Finish();
  void* data = nullptr;
  ASSERT_EQ(readback->Map(0, nullptr, &data), S_OK);
  EXPECT_EQ(std::memcmp(data, values.data(), 4000), 0);
}

TEST_F(CommandListTest, CopyBufferRegionTouchesNothingElse) {
  const auto source = Upload(Counting(64));
  const auto target = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 256);
  list->CopyBufferRegion(target.Get(), 8, source.Get(), 20, 12);
  Finish();
  std::vector<uint32_t> expected(64, 0);
  expected[2] = 6;
  expected[3] = 7;
  expected[4] = 8;
  EXPECT_EQ(Contents<uint32_t>(target.Get()), expected);
}

TEST_F(CommandListTest, LargeCopiesOfOddSizeAreExact) {
  const size_t bytes = (size_t{9} << 20) + 13;
  std::vector<uint8_t> values(bytes);
  for (size_t i = 0; i < bytes; ++i) values[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
  const auto source = Upload(values);
  const auto target = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, bytes);
  list->CopyBufferRegion(target.Get(), 0, source.Get(), 0, bytes);
  Finish();
  EXPECT_EQ(Contents<uint8_t>(target.Get()), values);
}

TEST_F(CommandListTest, AppendedWorkRunsInOrderWithCopies) {
  const auto source = Upload(Counting(4));
  const auto target = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16);
  std::vector<uint32_t> seen;
  list->CopyResource(target.Get(), source.Get());
  Append([&]() -> Status {
    seen = Contents<uint32_t>(target.Get());
    return {};
  });
  Finish();
  EXPECT_EQ(seen, Counting(4));
}

TEST_F(CommandListTest, ThousandsOfCommandsRunInOrder) {
  const auto counter = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 4 * 5001);
  const auto one = Upload(std::vector<uint32_t>{1});
  list->CopyBufferRegion(counter.Get(), 0, one.Get(), 0, 4);
  // Each copy takes what the one before it wrote.
  for (uint64_t i = 0; i < 5000; ++i) {
    list->CopyBufferRegion(counter.Get(), 4 * (i + 1), counter.Get(), 4 * i, 4);
  }
  Finish();
  EXPECT_EQ(Contents<uint32_t>(counter.Get()), std::vector<uint32_t>(5001, 1));
}

TEST_F(CommandListTest, OverlappingCopyBehavesAsIfThroughASecondBuffer) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16);
  const auto source = Upload(Counting(4));
  list->CopyResource(buffer.Get(), source.Get());
  list->CopyBufferRegion(buffer.Get(), 4, buffer.Get(), 0, 12);
  Finish();
  EXPECT_EQ(Contents<uint32_t>(buffer.Get()), (std::vector<uint32_t>{1, 1, 2, 3}));
}

TEST_F(CommandListTest, AtomicCopiesMoveOneNumber) {
  ComPtr<ID3D12GraphicsCommandList1> newer;
  ASSERT_EQ(list->QueryInterface(IID_PPV_ARGS(&newer)), S_OK);
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16);
  const auto source = Upload(Counting(4));
  newer->AtomicCopyBufferUINT(buffer.Get(), 0, source.Get(), 12, 0, nullptr, nullptr);
  newer->AtomicCopyBufferUINT64(buffer.Get(), 8, source.Get(), 0, 0, nullptr, nullptr);
  Finish();
  EXPECT_EQ(Contents<uint32_t>(buffer.Get()), (std::vector<uint32_t>{4, 0, 1, 2}));
}

TEST_F(CommandListTest, BarriersMarkersAndStateHaveNoEffect) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16);
  const auto discarded = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16);
  const auto source = Upload(Counting(4));
  list->CopyResource(buffer.Get(), source.Get());
  D3D12_RESOURCE_BARRIER barriers[3] = {};
  barriers[0].Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barriers[0].Transition = {buffer.Get(), D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES,
                            D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_DEST};
  barriers[1].Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
  barriers[2].Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING;
  list->ResourceBarrier(3, barriers);
  list->SetMarker(0, nullptr, 0);
  list->BeginEvent(0, nullptr, 0);
  list->EndEvent();
  list->ClearState(nullptr);
  list->SetPipelineState(nullptr);
  list->SetComputeRootSignature(nullptr);
  list->DiscardResource(discarded.Get(), nullptr);
  Finish();
  EXPECT_EQ(Contents<uint32_t>(buffer.Get()), Counting(4));
}

// What is recorded wrong surfaces at Close.
struct WrongCommand {
  HRESULT code;
  std::string sentence;
  std::function<void(ID3D12GraphicsCommandList*, ID3D12Resource*)> command;
};

class WrongCommandTest : public CommandListTest {
 protected:
  // Each on a list of its own, with a buffer of 64 bytes.
  void ExpectFailures(const std::vector<WrongCommand>& wrongs) {
    const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 64);
    for (const WrongCommand& wrong : wrongs) {
      SetLastError("");
      wrong.command(list.Get(), buffer.Get());
      EXPECT_EQ(LastErrorOfThread(), wrong.sentence);
      EXPECT_EQ(list->Close(), wrong.code) << wrong.sentence;
      ASSERT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
    }
    EXPECT_EQ(device->GetDeviceRemovedReason(), S_OK);
  }
};

TEST_F(WrongCommandTest, CopiesMakeCloseFailInWords) {
  const auto small = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 32);
  ExpectFailures({
      {E_INVALIDARG,
       "CopyBufferRegion: SrcOffset = 60 and 8 bytes from there must lie inside the buffer of 64 "
       "bytes",
       [](auto* l, auto* b) { l->CopyBufferRegion(b, 0, b, 60, 8); }},
      {E_INVALIDARG,
       "CopyBufferRegion: DstOffset = 18446744073709551615 and 8 bytes from there must lie inside "
       "the buffer of 64 bytes",
       [](auto* l, auto* b) { l->CopyBufferRegion(b, UINT64_MAX, b, 0, 8); }},
      {E_INVALIDARG, "CopyBufferRegion: pDstBuffer must be a buffer of this device",
       [](auto* l, auto* b) { l->CopyBufferRegion(nullptr, 0, b, 0, 8); }},
      {E_INVALIDARG, "CopyBufferRegion: pSrcBuffer must be a buffer of this device",
       [](auto* l, auto* b) { l->CopyBufferRegion(b, 0, nullptr, 0, 8); }},
      {E_INVALIDARG,
       "CopyResource: the two buffers, of 64 and 32 bytes, must have the same size and be two",
       [&](auto* l, auto* b) { l->CopyResource(b, small.Get()); }},
      {E_INVALIDARG,
       "CopyResource: the two buffers, of 64 and 64 bytes, must have the same size and be two",
       [](auto* l, auto* b) { l->CopyResource(b, b); }},
  });
}

TEST_F(WrongCommandTest, AllOthersMakeCloseFailInWords) {
  D3D12_RESOURCE_BARRIER barrier = {};
  ExpectFailures({
      {E_INVALIDARG, "ResourceBarrier: barriers are missing",
       [](auto* l, auto*) { l->ResourceBarrier(1, nullptr); }},
      {E_INVALIDARG, "ResourceBarrier: Transition.pResource must be a buffer of this device",
       [&](auto* l, auto*) { l->ResourceBarrier(1, &barrier); }},
      {E_INVALIDARG, "SetDescriptorHeaps: ppDescriptorHeaps is null",
       [](auto* l, auto*) { l->SetDescriptorHeaps(1, nullptr); }},
      {E_INVALIDARG,
       "ClearUnorderedAccessViewUint: both handles must point to an unordered access "
       "view",
       [](auto* l, auto* b) { l->ClearUnorderedAccessViewUint({8}, {8}, b, nullptr, 0, nullptr); }},
      {E_INVALIDARG, "DiscardResource: pResource must be a buffer of this device",
       [](auto* l, auto*) { l->DiscardResource(nullptr, nullptr); }},
      {E_INVALIDARG, "EndQuery: query 3 must be a timestamp of a query heap of this device",
       [](auto* l, auto*) { l->EndQuery(nullptr, D3D12_QUERY_TYPE_TIMESTAMP, 3); }},
      {E_INVALIDARG,
       "ResolveQueryData: queries 3 to 5 must be timestamps of a query heap of this device",
       [](auto* l, auto* b) {
         l->ResolveQueryData(nullptr, D3D12_QUERY_TYPE_TIMESTAMP, 3, 2, b, 0);
       }},
      {E_NOTIMPL,
       "Dispatch: this device copies, clears and runs DirectML's operators; shaders, textures and "
       "graphics are not here",
       [](auto* l, auto*) { l->Dispatch(1, 1, 1); }},
  });
}

TEST_F(CommandListTest, TheFirstErrorIsTheOneThatCloseReturns) {
  list->Dispatch(1, 1, 1);
  list->CopyResource(nullptr, nullptr);
  EXPECT_EQ(list->Close(), E_NOTIMPL);
}

TEST_F(CommandListTest, AClosedListRecordsNothing) {
  ComPtr<IAnydmlCommandList> internal;
  ASSERT_EQ(list->QueryInterface(IID_PPV_ARGS(&internal)), S_OK);
  ASSERT_EQ(list->Close(), S_OK);
  EXPECT_EQ(list->Close(), E_FAIL);
  EXPECT_EQ(internal->Append(std::make_shared<TestWork>([]() -> Status { return {}; })), E_FAIL);
  list->CopyResource(nullptr, nullptr);
  EXPECT_EQ(LastErrorOfThread(), "CopyResource: the command list is closed");
  Submit();
  WaitForQueue();
}

TEST_F(CommandListTest, AnAllocatorServesOneRecordingListAtATime) {
  const auto type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
  ComPtr<ID3D12GraphicsCommandList> second;
  EXPECT_EQ(device->CreateCommandList(0, type, allocator.Get(), nullptr, IID_PPV_ARGS(&second)),
            E_INVALIDARG);
  EXPECT_EQ(allocator->Reset(), E_FAIL);
  EXPECT_EQ(list->Reset(allocator.Get(), nullptr), E_FAIL);
  ASSERT_EQ(list->Close(), S_OK);
  EXPECT_EQ(list->Reset(nullptr, nullptr), E_INVALIDARG);
  ASSERT_EQ(device->CreateCommandList(0, type, allocator.Get(), nullptr, IID_PPV_ARGS(&second)),
            S_OK);
  EXPECT_EQ(list->Reset(allocator.Get(), nullptr), E_INVALIDARG);
  second = nullptr;  // a list that dies while recording frees its allocator
  EXPECT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
}

TEST_F(CommandListTest, TypesMustAgree) {
  ComPtr<ID3D12CommandAllocator> copy;
  ComPtr<ID3D12GraphicsCommandList> made;
  ASSERT_EQ(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COPY, IID_PPV_ARGS(&copy)),
            S_OK);
  EXPECT_EQ(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_COMPUTE, copy.Get(), nullptr,
                                      IID_PPV_ARGS(&made)),
            E_INVALIDARG);
  EXPECT_EQ(
      device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE, IID_PPV_ARGS(&copy)),
      E_INVALIDARG);
  ComPtr<ID3D12GraphicsCommandList4> closed;
  ASSERT_EQ(device->CreateCommandList1(0, D3D12_COMMAND_LIST_TYPE_COMPUTE,
                                       D3D12_COMMAND_LIST_FLAG_NONE, IID_PPV_ARGS(&closed)),
            S_OK);
  EXPECT_EQ(closed->Close(), E_FAIL);
  EXPECT_EQ(closed->GetType(), D3D12_COMMAND_LIST_TYPE_COMPUTE);
}

TEST_F(CommandListTest, TimestampsTellTime) {
  D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 4, 0};
  ComPtr<ID3D12QueryHeap> queries;
  ASSERT_EQ(device->CreateQueryHeap(&desc, IID_PPV_ARGS(&queries)), S_OK);
  const auto readback = MakeBuffer(D3D12_HEAP_TYPE_READBACK, 32);
  list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
  Append([]() -> Status {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return {};
  });
  list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 2);
  list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1, 2, readback.Get(), 8);
  Finish();
  const std::vector<uint64_t> ticks = Contents<uint64_t>(readback.Get());
  EXPECT_EQ(ticks[0], 0u);
  EXPECT_GE(ticks[2] - ticks[1], 5000000u);
  EXPECT_EQ(ticks[3], 0u);
}

TEST_F(CommandListTest, QueriesAreChecked) {
  D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 4, 0};
  ComPtr<ID3D12QueryHeap> queries;
  ASSERT_EQ(device->CreateQueryHeap(&desc, IID_PPV_ARGS(&queries)), S_OK);
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_READBACK, 32);
  list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 1, buffer.Get(), 4);
  EXPECT_EQ(LastErrorOfThread(),
            "ResolveQueryData: AlignedDestinationBufferOffset = 4 must be a multiple of 8");
  list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 4, buffer.Get(), 8);
  list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 4);
  list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0);
  EXPECT_EQ(list->Close(), E_INVALIDARG);
  desc.Type = D3D12_QUERY_HEAP_TYPE_OCCLUSION;
  EXPECT_EQ(device->CreateQueryHeap(&desc, IID_PPV_ARGS(&queries)), DXGI_ERROR_UNSUPPORTED);
  desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 0, 0};
  EXPECT_EQ(device->CreateQueryHeap(&desc, IID_PPV_ARGS(&queries)), E_INVALIDARG);
  EXPECT_EQ(device->CreateQueryHeap(nullptr, IID_PPV_ARGS(&queries)), E_INVALIDARG);
}

}  // namespace
}  // namespace anydml::d3d12
