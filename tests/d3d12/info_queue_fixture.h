// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A device with the debug layer on, and its messages.
#pragma once

#include <string>

#include "d3d12/fixture.h"

namespace anydml::d3d12 {

class InfoQueueTest : public D3D12Test {
 protected:
  InfoQueueTest() {
    ComPtr<ID3D12Debug> debug;
    EXPECT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)), S_OK);
    debug->EnableDebugLayer();
    EXPECT_EQ(device->QueryInterface(IID_PPV_ARGS(&messages)), S_OK);
  }
  ~InfoQueueTest() override {
    ComPtr<ID3D12Debug4> debug;
    EXPECT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)), S_OK);
    debug->DisableDebugLayer();
  }

  // A step of a list that tells the callbacks, on the queue's thread.
  void AppendReport() {
    ComPtr<IAnydmlDevice> internal;
    ASSERT_EQ(device->QueryInterface(IID_PPV_ARGS(&internal)), S_OK);
    Append([internal]() -> Status {
      internal->Report(D3D12_MESSAGE_SEVERITY_WARNING, "from the queue's thread");
      return {};
    });
  }

  // Misuse with a known sentence.
  void Provoke() { EXPECT_EQ(queue->Signal(nullptr, 1), E_INVALIDARG); }

  std::string Text(UINT64 index) {
    SIZE_T size = 0;
    EXPECT_EQ(messages->GetMessage(index, nullptr, &size), S_FALSE);
    std::vector<char> bytes(size);
    auto* message = reinterpret_cast<D3D12_MESSAGE*>(bytes.data());
    EXPECT_EQ(messages->GetMessage(index, message, &size), S_OK);
    return std::string(message->pDescription, message->DescriptionByteLength - 1);
  }

  ComPtr<ID3D12InfoQueue1> messages;
};

// The sentence of Provoke.
inline constexpr char kProvoked[] = "Signal: pFence must be a fence of this library";

}  // namespace anydml::d3d12
