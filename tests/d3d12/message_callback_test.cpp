// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The debug layer: callbacks.
#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "d3d12/info_queue_fixture.h"

namespace anydml::d3d12 {
namespace {

struct Heard {
  int calls = 0;
  D3D12_MESSAGE_SEVERITY severity = {};
  std::string text;
};

void Listen(D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY severity, D3D12_MESSAGE_ID,
            LPCSTR description, void* context) {
  auto* heard = static_cast<Heard*>(context);
  ++heard->calls;
  heard->severity = severity;
  heard->text = description;
}

TEST_F(InfoQueueTest, CallsBackUntilUnregistered) {
  Heard heard;
  DWORD cookie = 0;
  ASSERT_EQ(
      messages->RegisterMessageCallback(Listen, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &heard, &cookie),
      S_OK);
  EXPECT_NE(cookie, 0u);
  Provoke();
  EXPECT_EQ(heard.calls, 1);
  EXPECT_EQ(heard.severity, D3D12_MESSAGE_SEVERITY_ERROR);
  EXPECT_EQ(heard.text, kProvoked);
  ASSERT_EQ(messages->UnregisterMessageCallback(cookie), S_OK);
  Provoke();
  EXPECT_EQ(heard.calls, 1);
  EXPECT_EQ(messages->UnregisterMessageCallback(cookie), E_INVALIDARG);
  EXPECT_EQ(
      messages->RegisterMessageCallback(nullptr, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &heard, &cookie),
      E_INVALIDARG);
}

// The thread that runs the list cannot wait for itself: it goes on without the
// queue, and what was submitted still happens in order.
TEST_F(InfoQueueTest, ACallbackMayReleaseTheQueueOnItsOwnThread) {
  const auto release = [](D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR,
                          void* context) {
    static_cast<ComPtr<ID3D12CommandQueue>*>(context)->Reset();
  };
  DWORD cookie = 0;
  ASSERT_EQ(messages->RegisterMessageCallback(release, D3D12_MESSAGE_CALLBACK_FLAG_NONE,
                                              std::addressof(queue), &cookie),
            S_OK);
  std::vector<int> steps;
  AppendReport();
  for (int i = 0; i < 20; ++i)
    Append([&steps, i]() -> Status { return steps.push_back(i), Status(); });
  ASSERT_EQ(list->Close(), S_OK);
  ComPtr<ID3D12Fence> gate;
  ASSERT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&gate)), S_OK);
  ASSERT_EQ(queue->Wait(gate.Get(), 1), S_OK);
  Submit();
  Submit();
  ASSERT_EQ(queue->Signal(fence.Get(), 1), S_OK);
  ASSERT_EQ(gate->Signal(1), S_OK);
  ASSERT_EQ(fence->SetEventOnCompletion(1, nullptr), S_OK);
  EXPECT_EQ(queue.Get(), nullptr);
  std::vector<int> expected;
  for (int i = 0; i < 40; ++i) expected.push_back(i % 20);
  EXPECT_EQ(steps, expected);
  ASSERT_EQ(messages->UnregisterMessageCallback(cookie), S_OK);
  device->RemoveDevice();  // the thread may hold it a little longer; the next test gets its own
}

TEST_F(InfoQueueTest, FiltersKeepMessagesFromStoreAndCallback) {
  Heard filtered, all;
  DWORD cookie = 0;
  ASSERT_EQ(messages->RegisterMessageCallback(Listen, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &filtered,
                                              &cookie),
            S_OK);
  ASSERT_EQ(messages->RegisterMessageCallback(Listen, D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS, &all,
                                              &cookie),
            S_OK);
  D3D12_MESSAGE_SEVERITY error = D3D12_MESSAGE_SEVERITY_ERROR;
  D3D12_INFO_QUEUE_FILTER filter = {};
  filter.DenyList.NumSeverities = 1;
  filter.DenyList.pSeverityList = &error;
  ASSERT_EQ(messages->PushStorageFilter(&filter), S_OK);
  EXPECT_EQ(messages->GetStorageFilterStackSize(), 1u);
  Provoke();
  EXPECT_EQ(messages->GetNumStoredMessages(), 0u);
  EXPECT_EQ(messages->GetNumMessagesDeniedByStorageFilter(), 1u);
  EXPECT_EQ(filtered.calls, 0);
  EXPECT_EQ(all.calls, 1);
  messages->PopStorageFilter();
  Provoke();
  EXPECT_EQ(messages->GetNumStoredMessages(), 1u);
  EXPECT_EQ(messages->GetNumMessagesAllowedByStorageFilter(), 1u);
}

// A callback that waits until it may go on.
struct Slow {
  std::promise<void> entered, gate;
  std::atomic<bool> left{false};
  std::atomic<int> calls{0};
};

void WaitForGate(D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR,
                 void* context) {
  auto* slow = static_cast<Slow*>(context);
  ++slow->calls;
  slow->entered.set_value();
  slow->gate.get_future().wait();
  slow->left = true;
}

// What the context points to may be freed afterwards.
TEST_F(InfoQueueTest, UnregisterWaitsForACallbackOnAnotherThread) {
  Slow slow;
  DWORD cookie = 0;
  ASSERT_EQ(messages->RegisterMessageCallback(WaitForGate, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &slow,
                                              &cookie),
            S_OK);
  std::thread reporter(
      [&] { messages->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, "slow"); });
  slow.entered.get_future().wait();
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    slow.gate.set_value();
  });
  EXPECT_EQ(messages->UnregisterMessageCallback(cookie), S_OK);
  EXPECT_TRUE(slow.left);
  Provoke();
  EXPECT_EQ(slow.calls, 1);
  reporter.join();
  opener.join();
}

struct Leaving {
  ID3D12InfoQueue1* messages = nullptr;
  DWORD cookie = 0;
  HRESULT result = E_FAIL;
  int calls = 0;
};

TEST_F(InfoQueueTest, ACallbackMayUnregisterItself) {
  const auto leave = [](D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR,
                        void* context) {
    auto* leaving = static_cast<Leaving*>(context);
    ++leaving->calls;
    leaving->result = leaving->messages->UnregisterMessageCallback(leaving->cookie);
  };
  Leaving leaving;
  leaving.messages = messages.Get();
  ASSERT_EQ(messages->RegisterMessageCallback(leave, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &leaving,
                                              &leaving.cookie),
            S_OK);
  Provoke();
  Provoke();
  EXPECT_EQ(leaving.result, S_OK);
  EXPECT_EQ(leaving.calls, 1);
}

}  // namespace
}  // namespace anydml::d3d12
