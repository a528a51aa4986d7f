// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a program has set for its threads: rounding, requests to end a thread.
#include <fenv.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "d3d12/queue_fixture.h"

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

}  // namespace
}  // namespace anydml::d3d12
