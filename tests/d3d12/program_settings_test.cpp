// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a program has set for its threads, or has not: rounding, requests to end a thread,
// a process without /proc.
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mount.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/last_error.h"
#include "d3d12/memory.h"
#include "d3d12/queue_fixture.h"
#include "support/run_in_child.h"

namespace anydml::d3d12 {
namespace {

class ProgramSettingsTest : public QueueTest {
 protected:
  // One half, by a view of its own, in the given rounding mode.
  uint16_t ClearedTo(FLOAT value, int rounding) {
    const D3D12_DESCRIPTOR_HEAP_DESC heap_desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1,
                                                  D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    ComPtr<ID3D12DescriptorHeap> heap;
    EXPECT_EQ(device->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
    const auto cpu = heap->GetCPUDescriptorHandleForHeapStart();
    const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16);
    D3D12_UNORDERED_ACCESS_VIEW_DESC view = {};
    view.Format = DXGI_FORMAT_R16_FLOAT;
    view.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
    view.Buffer.NumElements = 8;
    device->CreateUnorderedAccessView(buffer.Get(), nullptr, &view, cpu);
    const FLOAT values[] = {value, value, value, value};
    fesetround(rounding);
    list->ClearUnorderedAccessViewFloat(heap->GetGPUDescriptorHandleForHeapStart(), cpu,
                                        buffer.Get(), values, 0, nullptr);
    EXPECT_EQ(fegetround(), rounding) << "it is the program's";
    fesetround(FE_TONEAREST);
    Finish();
    return Contents<uint16_t>(buffer.Get())[0];
  }
};

// Subnormal halves: multiples of 2^-24, and a tie goes to the even one.
TEST_F(ProgramSettingsTest, AClearRoundsToTheNearestHalf) {
  for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    EXPECT_EQ(ClearedTo(0x1p-26f, rounding), 0x0000) << rounding;
    EXPECT_EQ(ClearedTo(0x1.4p-24f, rounding), 0x0001) << rounding;
    EXPECT_EQ(ClearedTo(0x1.cp-24f, rounding), 0x0002) << rounding;
    EXPECT_EQ(ClearedTo(0x1.8p-24f, rounding), 0x0002) << rounding;
    EXPECT_EQ(ClearedTo(-0x1.cp-24f, rounding), 0x8002) << rounding;
  }
}

struct CancelledWait {
  ID3D12Fence* fence;
  std::atomic<HRESULT> result{E_FAIL};
};

TEST_F(ProgramSettingsTest, AThreadThatWaitsForAFenceIsCancelledWhenItHasWaited) {
  CancelledWait wait = {fence.Get()};
  const auto run = [](void* argument) -> void* {
    auto& own = *static_cast<CancelledWait*>(argument);
    pthread_cancel(pthread_self());
    own.result = own.fence->SetEventOnCompletion(1, nullptr);
    pthread_testcancel();
    return nullptr;
  };
  pthread_t thread = {};
  ASSERT_EQ(pthread_create(&thread, nullptr, run, &wait), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until it waits
  EXPECT_EQ(wait.result, E_FAIL);
  EXPECT_EQ(fence->Signal(1), S_OK);
  void* ended = nullptr;
  pthread_join(thread, &ended);
  EXPECT_EQ(wait.result, S_OK);
  EXPECT_EQ(ended, PTHREAD_CANCELED) << "the request was lost";
}

// Only for the calling process, which has to be one that nobody needs any more.
bool LoseProc() {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("none", "/proc", "tmpfs", 0, nullptr) == 0;
}

// What is wrong, as the number of the check; 0 if nothing is.
int CheckWithoutProc() {
  if (!LoseProc()) return 77;
  ComPtr<ID3D12Device9> device;
  ComPtr<ID3D12Fence> fence;
  if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_1_0_CORE, IID_PPV_ARGS(&device))) ||
      FAILED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)))) {
    return 1;
  }
  TestEvent event;
  if (fence->SetEventOnCompletion(1, event.handle()) != S_OK) return 2;
  if (fence->Signal(1) != S_OK || event.Take() != 1) return 3;
  int ends[2] = {};
  if (pipe(ends) != 0) return 4;
  const auto pipe_handle = reinterpret_cast<HANDLE>(static_cast<intptr_t>(ends[1]));
  if (fence->SetEventOnCompletion(2, pipe_handle) != E_HANDLE) return 5;
  alignas(16) static char memory[4096];
  ComPtr<ID3D12Heap> heap;
  const HRESULT opened = device->OpenExistingHeapFromAddress(memory, IID_PPV_ARGS(&heap));
  if (opened != DXGI_ERROR_UNSUPPORTED) return 6;
  if (LastErrorOfThread() !=
      "OpenExistingHeapFromAddress: /proc/self/maps cannot be opened: No such file or directory") {
    return 7;
  }
  const Result<uint64_t> available = AvailableBytes();
  return available.ok() && available.value() > 0 ? 0 : 8;
}

TEST_F(ProgramSettingsTest, WithoutProcEventsAreTakenAndOpeningMemorySaysWhy) {
  const int wrong = test::RunInChild(CheckWithoutProc);
  if (wrong == 77) GTEST_SKIP() << "this process may not have mounts of its own";
  EXPECT_EQ(wrong, 0) << "check " << wrong << " of CheckWithoutProc";
}

}  // namespace
}  // namespace anydml::d3d12
