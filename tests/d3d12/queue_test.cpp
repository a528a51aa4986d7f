// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Queues: order, ownership of the work, threads, misuse.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "base/last_error.h"
#include "d3d12/queue_fixture.h"

namespace anydml::d3d12 {
namespace {

TEST_F(QueueTest, DescriptionsAreCheckedAndCompleted) {
  for (const auto type : {D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_TYPE_COMPUTE,
                          D3D12_COMMAND_LIST_TYPE_COPY}) {
    EXPECT_EQ(MakeQueue(type)->GetDesc().Type, type);
    EXPECT_EQ(MakeQueue(type)->GetDesc().NodeMask, 1u);
  }
  D3D12_COMMAND_QUEUE_DESC desc = {};
  ComPtr<ID3D12CommandQueue> made;
  desc.Type = D3D12_COMMAND_LIST_TYPE_BUNDLE;
  EXPECT_EQ(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&made)), E_INVALIDARG);
  desc = {};
  desc.NodeMask = 2;
  EXPECT_EQ(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&made)), E_INVALIDARG);
  desc = {};
  desc.Priority = 5;
  EXPECT_EQ(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&made)), E_INVALIDARG);
  EXPECT_EQ(device->CreateCommandQueue(nullptr, IID_PPV_ARGS(&made)), E_INVALIDARG);
  desc = {};
  desc.Priority = D3D12_COMMAND_QUEUE_PRIORITY_HIGH;
  const GUID creator = {};
  EXPECT_EQ(device->CreateCommandQueue1(&desc, creator, IID_PPV_ARGS(&made)), S_OK);
  EXPECT_EQ(device->CreateCommandQueue(&desc, __uuidof(ID3D12CommandQueue), nullptr), S_FALSE);
}

TEST_F(QueueTest, SubmissionReturnsBeforeTheWorkIsDone) {
  std::promise<void> gate;
  std::atomic<bool> done{false};
  const auto work = ListOf([&, opened = gate.get_future().share()]() -> Status {
    opened.wait();
    done = true;
    return {};
  });
  Execute(queue.Get(), work.Get());
  ASSERT_EQ(queue->Signal(fence.Get(), 1), S_OK);
  EXPECT_FALSE(done);
  EXPECT_EQ(fence->GetCompletedValue(), 0u);
  gate.set_value();
  ASSERT_EQ(fence->SetEventOnCompletion(1, nullptr), S_OK);
  EXPECT_TRUE(done);
  EXPECT_EQ(fence->GetCompletedValue(), 1u);
}

TEST_F(QueueTest, ListsAndAllocatorsMayBeResetRightAfterSubmission) {
  std::promise<void> gate;
  std::shared_future<void> opened = gate.get_future().share();
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) {
    Append([&order, i, opened]() -> Status {
      opened.wait();
      order.push_back(i);
      return {};
    });
    ASSERT_EQ(list->Close(), S_OK);
    Submit();
    ASSERT_EQ(allocator->Reset(), S_OK);
    ASSERT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
  }
  gate.set_value();
  WaitForQueue();
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(QueueTest, AListMayBeSubmittedManyTimes) {
  int runs = 0;
  Append([&runs]() -> Status { return ++runs, Status(); });
  ASSERT_EQ(list->Close(), S_OK);
  ID3D12CommandList* twice[] = {list.Get(), list.Get()};
  for (int i = 0; i < 50; ++i) queue->ExecuteCommandLists(2, twice);
  WaitForQueue();
  EXPECT_EQ(runs, 100);
}

TEST_F(QueueTest, BuffersMayBeReleasedRightAfterSubmission) {
  std::promise<void> gate;
  Append([opened = gate.get_future().share()]() -> Status { return opened.wait(), Status(); });
  const auto target = MakeBuffer(D3D12_HEAP_TYPE_READBACK, 4000);
  {
    const auto source = Upload(std::vector<uint32_t>(1000, 7));
    list->CopyResource(target.Get(), source.Get());
  }
  ASSERT_EQ(list->Close(), S_OK);
  Submit();
  gate.set_value();
  WaitForQueue();
  EXPECT_EQ(Contents<uint32_t>(target.Get()), std::vector<uint32_t>(1000, 7));
}

TEST_F(QueueTest, TwoQueuesWaitForEachOther) {
  const auto other = MakeQueue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  ComPtr<ID3D12Fence> pong;
  ASSERT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&pong)), S_OK);
  uint64_t count = 0;  // no atomic: the fences order the queues
  bool in_turn = true;
  const auto even = ListOf([&]() -> Status { return in_turn &= count++ % 2 == 0, Status(); });
  const auto odd = ListOf([&]() -> Status { return in_turn &= count++ % 2 == 1, Status(); });
  for (uint64_t i = 1; i <= 200; ++i) {
    ASSERT_EQ(other->Wait(fence.Get(), i), S_OK);
    Execute(other.Get(), odd.Get());
    ASSERT_EQ(other->Signal(pong.Get(), i), S_OK);
    Execute(queue.Get(), even.Get());
    ASSERT_EQ(queue->Signal(fence.Get(), i), S_OK);
    ASSERT_EQ(queue->Wait(pong.Get(), i), S_OK);
  }
  ASSERT_EQ(pong->SetEventOnCompletion(200, nullptr), S_OK);
  EXPECT_EQ(count, 400u);
  EXPECT_TRUE(in_turn);
}

TEST_F(QueueTest, EightThreadsSubmitToTwoQueues) {
  const ComPtr<ID3D12CommandQueue> queues[] = {queue, MakeQueue(D3D12_COMMAND_LIST_TYPE_COMPUTE)};
  std::atomic<int> runs{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      ComPtr<ID3D12Fence> own;
      ASSERT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&own)), S_OK);
      ID3D12CommandQueue* mine = queues[t % 2].Get();
      for (uint64_t i = 1; i <= 50; ++i) {
        Execute(mine, ListOf([&]() -> Status { return ++runs, Status(); }).Get());
        ASSERT_EQ(mine->Signal(own.Get(), i), S_OK);
        if (i % 10 == 0) {
          ASSERT_EQ(own->SetEventOnCompletion(i, nullptr), S_OK);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(runs, 400);
}

TEST_F(QueueTest, ListsThatCannotRunAreDropped) {
  int runs = 0;
  const auto good = ListOf([&]() -> Status { return ++runs, Status(); });
  ID3D12CommandList* unclosed[] = {good.Get(), list.Get()};
  queue->ExecuteCommandLists(2, unclosed);
  EXPECT_EQ(LastErrorOfThread(),
            "ExecuteCommandLists: ppCommandLists[1] must be closed, and Close must have succeeded");
  list->CopyResource(nullptr, nullptr);
  EXPECT_EQ(list->Close(), E_INVALIDARG);
  Submit();
  ID3D12CommandList* missing[] = {nullptr};
  queue->ExecuteCommandLists(1, missing);
  queue->ExecuteCommandLists(1, nullptr);
  queue->ExecuteCommandLists(0, unclosed);
  Execute(MakeQueue(D3D12_COMMAND_LIST_TYPE_COPY).Get(), good.Get());
  EXPECT_EQ(LastErrorOfThread(),
            "ExecuteCommandLists: ppCommandLists[0] must be a list of this device and of the type "
            "of the queue");
  WaitForQueue();
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(device->GetDeviceRemovedReason(), S_OK);
}

TEST_F(QueueTest, SignalAndWaitNeedAFence) {
  EXPECT_EQ(queue->Signal(nullptr, 1), E_INVALIDARG);
  EXPECT_EQ(queue->Wait(nullptr, 1), E_INVALIDARG);
}

TEST_F(QueueTest, ClocksTickInNanoseconds) {
  UINT64 frequency = 0;
  ASSERT_EQ(queue->GetTimestampFrequency(&frequency), S_OK);
  EXPECT_EQ(frequency, 1000000000u);
  UINT64 gpu = 0, cpu = 0, later = 0;
  ASSERT_EQ(queue->GetClockCalibration(&gpu, &cpu), S_OK);
  ASSERT_EQ(queue->GetClockCalibration(&later, &cpu), S_OK);
  EXPECT_GE(later, gpu);
  EXPECT_EQ(queue->GetTimestampFrequency(nullptr), E_INVALIDARG);
  EXPECT_EQ(queue->GetClockCalibration(nullptr, &cpu), E_INVALIDARG);
  queue->SetMarker(0, nullptr, 0);
  queue->BeginEvent(0, nullptr, 0);
  queue->EndEvent();
  queue->UpdateTileMappings(nullptr, 0, nullptr, nullptr, nullptr, 0, nullptr, nullptr, nullptr,
                            D3D12_TILE_MAPPING_FLAG_NONE);
  queue->CopyTileMappings(nullptr, nullptr, nullptr, nullptr, nullptr,
                          D3D12_TILE_MAPPING_FLAG_NONE);
}

}  // namespace
}  // namespace anydml::d3d12
