// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What tests of queues and fences share: events, more queues, lists of one work.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include "d3d12/fixture.h"

namespace anydml::d3d12 {

// An eventfd, as a HANDLE.
class TestEvent {
 public:
  TestEvent() : descriptor_(eventfd(0, EFD_NONBLOCK)) {}
  ~TestEvent() { Close(); }
  void Close() {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = -1;
  }
  HANDLE handle() const { return reinterpret_cast<HANDLE>(static_cast<intptr_t>(descriptor_)); }
  // How often it was signalled since the last call.
  uint64_t Take() const {
    uint64_t count = 0;
    return read(descriptor_, &count, sizeof count) == sizeof count ? count : 0;
  }

 private:
  int descriptor_;
};

class QueueTest : public D3D12Test {
 protected:
  ComPtr<ID3D12CommandQueue> MakeQueue(D3D12_COMMAND_LIST_TYPE type) {
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = type;
    ComPtr<ID3D12CommandQueue> made;
    EXPECT_EQ(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&made)), S_OK);
    return made;
  }

  // A closed list with one work.
  ComPtr<ID3D12GraphicsCommandList> ListOf(std::function<Status()> run) {
    ComPtr<ID3D12CommandAllocator> own;
    ComPtr<ID3D12GraphicsCommandList> made;
    ComPtr<IAnydmlCommandList> internal;
    const auto type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    EXPECT_EQ(device->CreateCommandAllocator(type, IID_PPV_ARGS(&own)), S_OK);
    EXPECT_EQ(device->CreateCommandList(0, type, own.Get(), nullptr, IID_PPV_ARGS(&made)), S_OK);
    EXPECT_EQ(made->QueryInterface(IID_PPV_ARGS(&internal)), S_OK);
    EXPECT_EQ(internal->Append(std::make_shared<TestWork>(std::move(run))), S_OK);
    EXPECT_EQ(made->Close(), S_OK);
    return made;
  }

  static void Execute(ID3D12CommandQueue* on, ID3D12GraphicsCommandList* made) {
    ID3D12CommandList* lists[] = {made};
    on->ExecuteCommandLists(1, lists);
  }
};

}  // namespace anydml::d3d12
