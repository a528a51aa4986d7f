// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Fences: events, blocking waits, signals of the host.
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "backends/cpu/forks.h"
#include "base/last_error.h"
#include "d3d12/queue_fixture.h"

namespace anydml::d3d12 {
namespace {

class FenceTest : public QueueTest {};

TEST_F(FenceTest, AQueueWaitsForTheHost) {
  std::atomic<bool> ran{false};
  ASSERT_EQ(queue->Wait(fence.Get(), 5), S_OK);
  Execute(queue.Get(), ListOf([&]() -> Status { return ran = true, Status(); }).Get());
  ComPtr<ID3D12Fence> done;
  ASSERT_EQ(device->CreateFence(3, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&done)), S_OK);
  EXPECT_EQ(done->GetCompletedValue(), 3u);
  ASSERT_EQ(queue->Signal(done.Get(), 4), S_OK);
  ASSERT_EQ(fence->Signal(4), S_OK);
  EXPECT_FALSE(ran);
  ASSERT_EQ(fence->Signal(5), S_OK);
  ASSERT_EQ(done->SetEventOnCompletion(4, nullptr), S_OK);
  EXPECT_TRUE(ran);
}

TEST_F(FenceTest, EventsAreSignalledOnceTheValueIsReached) {
  TestEvent event;
  ASSERT_EQ(fence->SetEventOnCompletion(2, event.handle()), S_OK);
  ASSERT_EQ(fence->Signal(1), S_OK);
  EXPECT_EQ(event.Take(), 0u);
  ASSERT_EQ(fence->Signal(7), S_OK);
  EXPECT_EQ(event.Take(), 1u);
  ASSERT_EQ(fence->Signal(8), S_OK);
  EXPECT_EQ(event.Take(), 0u);
  ASSERT_EQ(fence->SetEventOnCompletion(3, event.handle()), S_OK);  // reached already
  EXPECT_EQ(event.Take(), 1u);
}

TEST_F(FenceTest, AnEventMayBeClosedWhileAFenceHoldsIt) {
  TestEvent event;
  ASSERT_EQ(fence->SetEventOnCompletion(1, event.handle()), S_OK);
  event.Close();
  EXPECT_EQ(fence->Signal(1), S_OK);
}

TEST_F(FenceTest, WhatIsNoEventIsRefused) {
  EXPECT_EQ(fence->SetEventOnCompletion(1, reinterpret_cast<HANDLE>(intptr_t{999999})), E_HANDLE);
  EXPECT_EQ(fence->SetEventOnCompletion(1, reinterpret_cast<HANDLE>(intptr_t{-1})), E_HANDLE);
  EXPECT_EQ(fence->SetEventOnCompletion(1, reinterpret_cast<HANDLE>(intptr_t{1})), E_HANDLE)
      << "the standard output is no event";
  EXPECT_EQ(LastErrorOfThread(), "SetEventOnCompletion: hEvent must be an open eventfd");
}

// While it lives the process has no descriptor left.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none = {static_cast<rlim_t>(3), before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    for (int fd = dup(0); fd >= 0; fd = dup(0)) taken_.push_back(fd);
  }
  ~NoDescriptors() {
    for (const int fd : taken_) close(fd);
    setrlimit(RLIMIT_NOFILE, &before_);
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_ = {};
  std::vector<int> taken_;
};

TEST_F(FenceTest, WithoutDescriptorsThereIsNoMemoryForAnEvent) {
#if defined(ANYDML_UNDEFINED_SANITIZER)
  GTEST_SKIP() << "UndefinedBehaviorSanitizer looks at objects through a pipe, and finds none";
#endif
  TestEvent event;
  ComPtr<ID3D12Heap> heap;
  void* memory = std::aligned_alloc(65536, 65536);
  {
    const NoDescriptors none;
    EXPECT_EQ(fence->SetEventOnCompletion(1, event.handle()), E_OUTOFMEMORY);
    EXPECT_EQ(LastErrorOfThread(),
              "SetEventOnCompletion: no descriptor is left to keep hEvent: Too many open files");
    EXPECT_EQ(device->OpenExistingHeapFromAddress(memory, IID_PPV_ARGS(&heap)), E_OUTOFMEMORY);
    EXPECT_EQ(LastErrorOfThread(),
              "OpenExistingHeapFromAddress: /proc/self/maps cannot be opened: Too many open files");
  }
  EXPECT_EQ(fence->SetEventOnCompletion(1, event.handle()), S_OK);
  EXPECT_EQ(device->OpenExistingHeapFromAddress(memory, IID_PPV_ARGS(&heap)), S_OK);
  heap = nullptr;
  std::free(memory);
}

// A null handle waits, as the page of SetEventOnCompletion says, also in a program
// that has closed its standard input and whose next eventfd is descriptor 0.
TEST_F(FenceTest, DescriptorZeroIsNoEvent) {
  const int standard_input = dup(0);
  TestEvent event;
  ASSERT_EQ(dup2(static_cast<int>(reinterpret_cast<intptr_t>(event.handle())), 0), 0);
  std::atomic<bool> ran{false};
  Execute(queue.Get(), ListOf([&]() -> Status { return ran = true, Status(); }).Get());
  ASSERT_EQ(queue->Signal(fence.Get(), 1), S_OK);
  EXPECT_EQ(fence->SetEventOnCompletion(1, nullptr), S_OK);
  EXPECT_TRUE(ran);
  EXPECT_EQ(event.Take(), 0u) << "nobody named it";
  close(0);
  if (standard_input >= 0) {
    dup2(standard_input, 0);
    close(standard_input);
  }
}

TEST_F(FenceTest, SeveralFencesSignalOneEvent) {
  ComPtr<ID3D12Fence> second;
  ASSERT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&second)), S_OK);
  ID3D12Fence* fences[] = {fence.Get(), second.Get()};
  const UINT64 values[] = {1, 1};
  TestEvent all, any;
  ASSERT_EQ(device->SetEventOnMultipleFenceCompletion(
                fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, all.handle()),
            S_OK);
  ASSERT_EQ(device->SetEventOnMultipleFenceCompletion(
                fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY, any.handle()),
            S_OK);
  fence->Signal(1);
  EXPECT_EQ(all.Take(), 0u);
  EXPECT_EQ(any.Take(), 1u);
  second->Signal(1);
  EXPECT_EQ(all.Take(), 1u);
  EXPECT_EQ(any.Take(), 0u);
  EXPECT_EQ(device->SetEventOnMultipleFenceCompletion(fences, values, 2,
                                                      D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, nullptr),
            S_OK);
  EXPECT_EQ(device->SetEventOnMultipleFenceCompletion(nullptr, values, 2,
                                                      D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, nullptr),
            E_INVALIDARG);
  EXPECT_EQ(device->SetEventOnMultipleFenceCompletion(
                fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAGS(0x80), nullptr),
            E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(),
            "SetEventOnMultipleFenceCompletion: Flags = 0x80 must be ALL or ANY");
  fences[1] = nullptr;
  EXPECT_EQ(device->SetEventOnMultipleFenceCompletion(fences, values, 2,
                                                      D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, nullptr),
            E_INVALIDARG);
}

size_t OpenDescriptors() {
  const std::filesystem::directory_iterator folder("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(folder), end(folder)));
}

// The first fence never fires, and must not keep the events of waits that the
// second one has ended.
TEST_F(FenceTest, AWaitForAnyOfSeveralKeepsNothingOnceItHasEnded) {
  ComPtr<ID3D12Fence> second;
  ASSERT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&second)), S_OK);
  ID3D12Fence* fences[] = {fence.Get(), second.Get()};
  TestEvent event;
  const size_t open = OpenDescriptors();
  for (UINT64 i = 1; i <= 100; ++i) {
    const UINT64 values[] = {1, i};
    ASSERT_EQ(device->SetEventOnMultipleFenceCompletion(
                  fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY, event.handle()),
              S_OK);
    ASSERT_EQ(second->Signal(i), S_OK);
    EXPECT_EQ(event.Take(), 1u);
  }
  EXPECT_EQ(OpenDescriptors(), open);
  ASSERT_EQ(fence->Signal(1), S_OK);
  EXPECT_EQ(event.Take(), 0u);
}

// Whether the fork left the child a library that it can use.
bool ForkedInTime() {
  const pid_t child = fork();
  if (child == 0) _exit(cpu::IsLostInFork() ? 1 : 0);
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST_F(FenceTest, WhoHasWaitedMayFork) {
  TestEvent event;
  const std::function<void(UINT64)> waits[] = {
      [&](UINT64 value) { fence->SetEventOnCompletion(value, nullptr); },
      [&](UINT64 value) {
        fence->SetEventOnCompletion(value, event.handle());
        pollfd ready = {static_cast<int>(reinterpret_cast<intptr_t>(event.handle())), POLLIN, 0};
        poll(&ready, 1, -1);
        event.Take();
      },
      [&](UINT64 value) {
        while (fence->GetCompletedValue() < value) continue;
      }};
  const auto made = ListOf([]() -> Status { return {}; });
  for (UINT64 value = 1; value <= 300; ++value) {
    Execute(queue.Get(), made.Get());
    ASSERT_EQ(queue->Signal(fence.Get(), value), S_OK);
    waits[value % 3](value);
    ASSERT_TRUE(ForkedInTime()) << "by wait " << value % 3;
  }
}

TEST_F(FenceTest, AFenceMayGoDown) {
  ASSERT_EQ(fence->Signal(10), S_OK);
  ASSERT_EQ(fence->Signal(2), S_OK);
  EXPECT_EQ(fence->GetCompletedValue(), 2u);
  ComPtr<ID3D12Fence1> newer;
  ASSERT_EQ(fence->QueryInterface(IID_PPV_ARGS(&newer)), S_OK);
  EXPECT_EQ(newer->GetCreationFlags(), D3D12_FENCE_FLAG_NONE);
}

// A fence of another Direct3D 12, or the program's own.
class ForeignFence final : public ID3D12Fence {
 public:
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void** object) override {
    return *object = nullptr, E_NOINTERFACE;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return 2; }
  ULONG STDMETHODCALLTYPE Release() override { return 1; }
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID, UINT*, void*) override { return E_FAIL; }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID, UINT, const void*) override { return E_FAIL; }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, const IUnknown*) override {
    return E_FAIL;
  }
  HRESULT STDMETHODCALLTYPE SetName(LPCWSTR) override { return E_FAIL; }
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID, void**) override { return E_FAIL; }
  UINT64 STDMETHODCALLTYPE GetCompletedValue() override { return 0; }
  HRESULT STDMETHODCALLTYPE SetEventOnCompletion(UINT64, HANDLE) override { return E_FAIL; }
  HRESULT STDMETHODCALLTYPE Signal(UINT64) override { return ++signals, S_OK; }

  int signals = 0;
};

TEST_F(FenceTest, ForeignFencesAreRefused) {
  ForeignFence foreign;
  EXPECT_EQ(queue->Signal(&foreign, 1), E_INVALIDARG);
  EXPECT_EQ(queue->Wait(&foreign, 1), E_INVALIDARG);
  EXPECT_EQ(device->EnqueueMakeResident({}, 0, nullptr, &foreign, 1), E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(),
            "EnqueueMakeResident: pFenceToSignal must be a fence of this library");
  EXPECT_EQ(foreign.signals, 0);
}

}  // namespace
}  // namespace anydml::d3d12
