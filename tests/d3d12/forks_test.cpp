// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A child of a process that uses Direct3D 12 works or is told in words, and never hangs.
#include <atomic>
#include <functional>
#include <thread>

#include "base/last_error.h"
#include "d3d12/info_queue_fixture.h"
#include "d3d12/queue_fixture.h"
#include "support/run_in_child.h"

namespace anydml::d3d12 {
namespace {

using test::RunInChild;

constexpr int kWorks = 0, kWrong = 1, kRefusedInWords = 2;

bool IsRefused(HRESULT result) {
  return result == DXGI_ERROR_DEVICE_REMOVED &&
         LastErrorOfThread().find(": this process was forked while") != std::string_view::npos;
}

int Judge(HRESULT result) {
  if (SUCCEEDED(result)) return kWorks;
  return IsRefused(result) ? kRefusedInWords : kWrong;
}

class ForksTest : public InfoQueueTest {
 protected:
  // Most of what takes a lock somewhere.
  int UseAll() {
    ComPtr<ID3D12Device> opened;
    const int result =
        Judge(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_1_0_CORE, IID_PPV_ARGS(&opened)));
    ComPtr<ID3D12Fence> made;
    if (Judge(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&made))) != result) {
      return kWrong;
    }
    if (Judge(messages->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, "x")) != result) {
      return kWrong;
    }
    if (Judge(device->SetName(L"name")) != result) return kWrong;
    static_cast<void>(messages->GetNumStoredMessages());
    messages->ClearStoredMessages();
    static_cast<void>(queue->Signal(nullptr, 1));  // a sentence for the info queue
    return result;
  }

  // What the child says after a fork while another thread is inside of `method`.
  int ForkDuring(const std::function<void()>& method, const std::function<int()>& body) {
    std::thread other(method);
    while (!is_inside_) std::this_thread::yield();
    const int result = RunInChild(body);
    goes_on_ = true;
    other.join();
    return result;
  }
  void StayInside() {
    is_inside_ = true;
    while (!goes_on_) std::this_thread::yield();
  }

  std::atomic<bool> is_inside_{false};
  std::atomic<bool> goes_on_{false};
};

void Stay(D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR, void* context) {
  (*static_cast<std::function<void()>*>(context))();
}

TEST_F(ForksTest, AChildOfAQuietProcessWorks) {
  EXPECT_EQ(RunInChild([this] { return UseAll(); }), kWorks);
}

TEST_F(ForksTest, AChildOfAThreadThatIsInsideOfAMethodIsRefusedInWords) {
  std::function<void()> stay = [this] { StayInside(); };
  DWORD cookie = 0;
  ASSERT_EQ(
      messages->RegisterMessageCallback(Stay, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &stay, &cookie),
      S_OK);
  EXPECT_EQ(ForkDuring([this] { Provoke(); }, [this] { return UseAll(); }), kRefusedInWords);
  EXPECT_EQ(messages->UnregisterMessageCallback(cookie), S_OK);
}

TEST_F(ForksTest, ALostChildIsToldByEveryWayThatADeviceIsRemoved) {
  Append([this]() -> Status { return StayInside(), Status(); });
  ASSERT_EQ(list->Close(), S_OK);
  const auto lost = [this] {
    if (!IsRefused(device->GetDeviceRemovedReason())) return 10;
    Submit();  // returns nothing, and removes nothing that others would wait for
    if (!IsRefused(queue->Signal(fence.Get(), 1))) return 11;
    if (!IsRefused(fence->SetEventOnCompletion(1, nullptr))) return 12;
    if (fence->GetCompletedValue() != UINT64_MAX) return 13;
    if (!IsRefused(messages->UnregisterMessageCallback(1))) return 14;
    if (!IsRefused(messages->PushEmptyStorageFilter())) return 15;
    device->RemoveDevice();
    fence = nullptr;
    queue = nullptr;
    return 0;
  };
  EXPECT_EQ(ForkDuring([this] { Submit(); }, lost), 0);
  WaitForQueue();
}

TEST_F(ForksTest, AChildOfACallbackWorks) {
  int result = -1;
  std::function<void()> use = [&] { result = RunInChild([this] { return UseAll(); }); };
  DWORD cookie = 0;
  ASSERT_EQ(
      messages->RegisterMessageCallback(Stay, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &use, &cookie),
      S_OK);
  Provoke();
  EXPECT_EQ(messages->UnregisterMessageCallback(cookie), S_OK);
  EXPECT_EQ(result, kWorks);
}

// Neither thread is in the midst of anything.
TEST_F(ForksTest, AThreadAndAQueueThatWaitDoNotLoseTheChild) {
  ComPtr<ID3D12Fence> gate;
  ASSERT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&gate)), S_OK);
  ASSERT_EQ(queue->Wait(gate.Get(), 1), S_OK);
  std::thread other([&] { EXPECT_EQ(gate->SetEventOnCompletion(1, nullptr), S_OK); });
  int result = kRefusedInWords;
  for (int i = 0; i < 100 && result == kRefusedInWords; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    result = RunInChild([this] { return UseAll(); });
  }
  EXPECT_EQ(result, kWorks);
  EXPECT_EQ(gate->Signal(1), S_OK);
  other.join();
  WaitForQueue();
}

// The parent's queue will signal the fence, but not the child's copy of it.
TEST_F(ForksTest, WhatTheParentWouldSignalIsNotWaitedForInTheChild) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer ends a child that starts threads, and a queue has one";
#endif
  ComPtr<ID3D12Fence> gate;
  ASSERT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&gate)), S_OK);
  ASSERT_EQ(fence->Signal(1), S_OK);
  ASSERT_EQ(queue->Wait(gate.Get(), 1), S_OK);
  ASSERT_EQ(queue->Signal(fence.Get(), 2), S_OK);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // so that the queue waits
  const auto is_left = [](HRESULT result, std::string_view method) {
    return result == DXGI_ERROR_UNSUPPORTED &&
           LastErrorOfThread().starts_with(std::string(method) + ": the fence was made before");
  };
  const auto wait = [&] {
    if (!is_left(fence->SetEventOnCompletion(2, nullptr), "SetEventOnCompletion")) return 10;
    TestEvent event;
    if (!is_left(fence->SetEventOnCompletion(2, event.handle()), "SetEventOnCompletion")) return 11;
    if (fence->SetEventOnCompletion(1, event.handle()) != S_OK || event.Take() != 1) return 12;
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    ComPtr<ID3D12CommandQueue> own;
    ComPtr<ID3D12Fence> own_fence;
    if (FAILED(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&own)))) return 13;
    if (FAILED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&own_fence)))) return 14;
    if (!is_left(own->Wait(fence.Get(), 2), "Wait")) return 15;
    if (own->Signal(own_fence.Get(), 1) != S_OK) return 16;
    if (own_fence->SetEventOnCompletion(1, nullptr) != S_OK) return 17;
    if (own->Signal(fence.Get(), 2) != S_OK || own->Signal(own_fence.Get(), 2) != S_OK) return 18;
    if (own_fence->SetEventOnCompletion(2, nullptr) != S_OK) return 19;
    return fence->SetEventOnCompletion(2, nullptr) == S_OK ? 0 : 20;
  };
  EXPECT_EQ(RunInChild(wait), 0);
  EXPECT_EQ(gate->Signal(1), S_OK);
  EXPECT_EQ(fence->SetEventOnCompletion(2, nullptr), S_OK);
}

TEST_F(ForksTest, TheQueueOfTheParentIsRefusedInWords) {
  WaitForQueue();
  EXPECT_EQ(RunInChild([this] {
              const bool refused = queue->Signal(fence.Get(), 9) == DXGI_ERROR_UNSUPPORTED;
              const bool in_words =
                  LastErrorOfThread() ==
                  "Signal: this queue was made before the process was forked, and its thread is "
                  "the parent's; make one in the child (anydml_open_device, CreateCommandQueue)";
              return refused && in_words ? kRefusedInWords : kWrong;
            }),
            kRefusedInWords);
}

TEST_F(ForksTest, AChildOfABusyProcessWorksOrIsToldInWords) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer's own locks do not outlive a fork of a busy process";
#endif
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      while (!stop) EXPECT_EQ(UseAll(), kWorks);
    });
  }
  for (int i = 0; i < 100; ++i) {
    const int result = RunInChild([this] { return UseAll(); });
    EXPECT_TRUE(result == kWorks || result == kRefusedInWords) << result;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace anydml::d3d12
