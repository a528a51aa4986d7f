// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What work may do to a queue: be bound late, fail, outlive its queue.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "base/last_error.h"
#include "d3d12/queue_fixture.h"

namespace anydml::d3d12 {
namespace {

class RemovalTest : public QueueTest {};

TEST_F(RemovalTest, AnErrorOfWorkRemovesTheDeviceAndNobodyHangs) {
  const auto other = MakeQueue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  ComPtr<ID3D12Fence> never;
  ASSERT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&never)), S_OK);
  ASSERT_EQ(other->Wait(never.Get(), 1), S_OK);
  TestEvent event;
  ASSERT_EQ(never->SetEventOnCompletion(1, event.handle()), S_OK);
  bool ran_later = false;
  Append([]() -> Status { return OutOfMemory("no memory for a test"); });
  Append([&]() -> Status { return ran_later = true, Status(); });
  ASSERT_EQ(list->Close(), S_OK);
  Submit();
  ASSERT_EQ(never->SetEventOnCompletion(1, nullptr), S_OK);
  EXPECT_EQ(event.Take(), 1u);
  EXPECT_EQ(never->GetCompletedValue(), UINT64_MAX);
  EXPECT_EQ(device->GetDeviceRemovedReason(), E_OUTOFMEMORY);
  EXPECT_FALSE(ran_later);
}

// O10
TEST_F(RemovalTest, NamesAndPrivateDataOutliveTheRemoval) {
  const GUID key = {1, 2, 3, {4}};
  const int value = 42;
  device->RemoveDevice();
  EXPECT_EQ(fence->SetName(L"late"), S_OK);
  EXPECT_EQ(device->SetPrivateData(key, sizeof value, &value), S_OK);
  int read = 0;
  UINT size = sizeof read;
  EXPECT_EQ(device->GetPrivateData(key, &size, &read), S_OK);
  EXPECT_EQ(read, 42);
  ComPtr<ID3D12Device> owner;
  EXPECT_EQ(fence->GetDevice(IID_PPV_ARGS(&owner)), S_OK);
}

TEST_F(RemovalTest, AnExceptionOfWorkRemovesTheDevice) {
  Append([]() -> Status { throw std::runtime_error("of a test"); });
  ASSERT_EQ(list->Close(), S_OK);
  Submit();
  EXPECT_TRUE(queue->Signal(fence.Get(), 1) == S_OK || device->GetDeviceRemovedReason() != S_OK);
  ASSERT_EQ(fence->SetEventOnCompletion(1, nullptr), S_OK);
  for (int i = 0; i < 1000 && device->GetDeviceRemovedReason() == S_OK; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(device->GetDeviceRemovedReason(), E_FAIL);
}

// Bound late: hands out another work at every submission, or refuses.
class LateWork final : public Work {
 public:
  explicit LateWork(std::function<Result<int>()> bind, std::vector<int>* seen)
      : bind_(std::move(bind)), seen_(seen) {}
  Result<std::shared_ptr<const Work>> Submit() const override {
    const Result<int> bound = bind_();
    if (!bound.ok()) return bound.error();
    return std::shared_ptr<const Work>(
        std::make_shared<TestWork>([value = bound.value(), seen = seen_]() -> Status {
          return seen->push_back(value), Status();
        }));
  }
  Status Run(const RunContext&) const override { return Error{ErrorCode::kInternal, "unbound"}; }

 private:
  std::function<Result<int>()> bind_;
  std::vector<int>* seen_;
};

TEST_F(RemovalTest, WorkIsBoundAtEachSubmission) {
  int binding = 0;
  std::vector<int> seen;
  ComPtr<IAnydmlCommandList> internal;
  ASSERT_EQ(list->QueryInterface(IID_PPV_ARGS(&internal)), S_OK);
  Append([&]() -> Status { return seen.push_back(-1), Status(); });
  ASSERT_EQ(internal->Append(
                std::make_shared<LateWork>([&]() -> Result<int> { return ++binding; }, &seen)),
            S_OK);
  ASSERT_EQ(list->Close(), S_OK);
  Submit();
  Submit();
  WaitForQueue();
  EXPECT_EQ(seen, (std::vector<int>{-1, 1, -1, 2}));
}

TEST_F(RemovalTest, ARefusalAtSubmissionRemovesTheDevice) {
  std::vector<int> seen;
  ComPtr<IAnydmlCommandList> internal;
  ASSERT_EQ(list->QueryInterface(IID_PPV_ARGS(&internal)), S_OK);
  ASSERT_EQ(internal->Append(std::make_shared<LateWork>(
                []() -> Result<int> { return InvalidArgument("a binding is missing"); }, &seen)),
            S_OK);
  ASSERT_EQ(list->Close(), S_OK);
  Submit();
  EXPECT_EQ(device->GetDeviceRemovedReason(), E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(), "a binding is missing");
  EXPECT_TRUE(seen.empty());
}

TEST_F(RemovalTest, ReleasedQueueFinishesItsWork) {
  std::atomic<int> runs{0};
  const auto work = ListOf([&]() -> Status {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return ++runs, Status();
  });
  auto other = MakeQueue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  for (int i = 0; i < 20; ++i) Execute(other.Get(), work.Get());
  other = nullptr;
  EXPECT_EQ(runs, 20);
}

TEST_F(RemovalTest, ReleasedQueueDoesNotWaitForeverForAFence) {
  auto other = MakeQueue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  ASSERT_EQ(other->Wait(fence.Get(), 1), S_OK);
  other = nullptr;
  EXPECT_EQ(device->GetDeviceRemovedReason(), DXGI_ERROR_DEVICE_HUNG);
}

// Of the device that came before: its memory may be another machine's.
TEST_F(RemovalTest, QueriesOfAnotherDeviceAreRefused) {
  const D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2, 0};
  ComPtr<ID3D12QueryHeap> queries;
  ASSERT_EQ(device->CreateQueryHeap(&desc, IID_PPV_ARGS(&queries)), S_OK);
  device->RemoveDevice();
  const auto type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
  ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_1_0_CORE, IID_PPV_ARGS(&device)), S_OK);
  ASSERT_EQ(device->CreateCommandAllocator(type, IID_PPV_ARGS(&allocator)), S_OK);
  ASSERT_EQ(device->CreateCommandList(0, type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)),
            S_OK);
  list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
  EXPECT_EQ(LastErrorOfThread(),
            "EndQuery: query 1 must be a timestamp of a query heap of this device");
  EXPECT_EQ(list->Close(), E_INVALIDARG);
  ASSERT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
  const auto target = MakeBuffer(D3D12_HEAP_TYPE_READBACK, 16);
  list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, target.Get(), 0);
  EXPECT_EQ(list->Close(), E_INVALIDARG);
}

}  // namespace
}  // namespace anydml::d3d12
