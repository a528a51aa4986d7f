// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The debug layer: callbacks.
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <stdexcept>
#include <thread>

#include "base/last_error.h"
#include "d3d12/info_queue_fixture.h"
#include "d3d12/witness.h"

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

// A callback that does what its context says.
using Action = std::function<void()>;
void Act(D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR, void* context) {
  (*static_cast<Action*>(context))();
}

// It would call itself until the stack ends. No other callback hears of it either, as it
// might do the same.
TEST_F(InfoQueueTest, AMessageFromWithinACallbackIsStoredAndToldToNobody) {
  int calls = 0;
  Action misuse = [&] {
    if (++calls < 100) Provoke();
    messages->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, "of the program");
  };
  Heard heard;
  DWORD cookie = 0;
  const auto flags = D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS;
  ASSERT_EQ(messages->RegisterMessageCallback(Act, flags, &misuse, &cookie), S_OK);
  ASSERT_EQ(messages->RegisterMessageCallback(Listen, flags, &heard, &cookie), S_OK);
  Provoke();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(heard.calls, 1);
  EXPECT_EQ(messages->GetNumStoredMessages(), 3u);
  EXPECT_EQ(Text(1), kProvoked);
  EXPECT_EQ(Text(2), "of the program");
  Provoke();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(heard.calls, 2);
  // Another thread is not within the callback.
  Action on_another_thread = [&] {
    std::thread([&] { messages->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, "b"); }).join();
  };
  misuse = [&] {
    if (++calls == 3) on_another_thread();
  };
  Provoke();
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(heard.calls, 4);
}

TEST_F(InfoQueueTest, AnExceptionOfACallbackEndsThere) {
  Action fail = [] { throw std::runtime_error("of the program"); };
  Heard heard;
  DWORD first = 0, second = 0;
  const auto flags = D3D12_MESSAGE_CALLBACK_FLAG_NONE;
  ASSERT_EQ(messages->RegisterMessageCallback(Act, flags, &fail, &first), S_OK);
  ASSERT_EQ(messages->RegisterMessageCallback(Listen, flags, &heard, &second), S_OK);
  EXPECT_EQ(messages->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, "told"), S_OK);
  Provoke();
  EXPECT_EQ(LastErrorOfThread(), kProvoked);
  EXPECT_EQ(heard.calls, 2);
  EXPECT_EQ(messages->GetNumStoredMessages(), 2u);
  EXPECT_EQ(messages->GetNumMessagesAllowedByStorageFilter(), 2u);
  // On a thread of the library too, where nobody else would catch it.
  AppendReport();
  ASSERT_EQ(list->Close(), S_OK);
  Submit();
  ASSERT_EQ(queue->Signal(fence.Get(), 1), S_OK);
  ASSERT_EQ(fence->SetEventOnCompletion(1, nullptr), S_OK);
  EXPECT_EQ(device->GetDeviceRemovedReason(), S_OK);
  EXPECT_EQ(heard.calls, 3);
  EXPECT_EQ(messages->UnregisterMessageCallback(first), S_OK);  // waits for no call
}

TEST_F(InfoQueueTest, TheDeviceOutlivesACallWhoseCallbackLetsGoOfIt) {
  constexpr GUID kKey = {0x11111111, 0x2222, 0x3333, {1, 2, 3, 4, 5, 6, 7, 8}};
  Witness witness;
  ASSERT_EQ(device->SetPrivateDataInterface(kKey, &witness), S_OK);
  ULONG held = 0;
  Action let_go = [&] {
    list = nullptr;
    allocator = nullptr;
    queue = nullptr;
    fence = nullptr;
    messages = nullptr;
    device = nullptr;
    held = witness.references;
  };
  DWORD cookie = 0;
  ASSERT_EQ(
      messages->RegisterMessageCallback(Act, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &let_go, &cookie),
      S_OK);
  device->RemoveDevice();
  EXPECT_EQ(held, 2u);
  EXPECT_EQ(witness.references, 1u);
}

}  // namespace
}  // namespace anydml::d3d12
