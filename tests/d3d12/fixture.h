// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A device, a queue and a recording list, and the few steps that all tests of
// Direct3D 12 share.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "d3d12/internal.h"

// After internal.h, which includes winadapter.h and the identifiers.
#include <wrl/client.h>

namespace anydml::d3d12 {

using Microsoft::WRL::ComPtr;

// Work of a test, as DirectML would append it.
class TestWork final : public Work {
 public:
  explicit TestWork(std::function<Status()> run) : run_(std::move(run)) {}
  Status Run(const RunContext&) const override { return run_(); }
  bool CanReplay() const override { return false; }

 private:
  std::function<Status()> run_;
};

inline D3D12_RESOURCE_DESC BufferOf(uint64_t bytes,
                                    D3D12_RESOURCE_FLAGS flags = D3D12_RESOURCE_FLAG_NONE) {
  D3D12_RESOURCE_DESC desc = {};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = bytes;
  desc.Height = 1;
  desc.DepthOrArraySize = 1;
  desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  desc.Flags = flags;
  return desc;
}

inline D3D12_HEAP_PROPERTIES HeapOf(D3D12_HEAP_TYPE type) {
  D3D12_HEAP_PROPERTIES properties = {};
  properties.Type = type;
  return properties;
}

inline D3D12_RESOURCE_STATES FirstState(D3D12_HEAP_TYPE type) {
  if (type == D3D12_HEAP_TYPE_UPLOAD) return D3D12_RESOURCE_STATE_GENERIC_READ;
  if (type == D3D12_HEAP_TYPE_READBACK) return D3D12_RESOURCE_STATE_COPY_DEST;
  return D3D12_RESOURCE_STATE_COMMON;
}

class D3D12Test : public testing::Test {
 protected:
  explicit D3D12Test(D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_COMPUTE) {
    EXPECT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_1_0_CORE, IID_PPV_ARGS(&device)), S_OK);
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = type;
    EXPECT_EQ(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)), S_OK);
    EXPECT_EQ(device->CreateCommandAllocator(type, IID_PPV_ARGS(&allocator)), S_OK);
    EXPECT_EQ(device->CreateCommandList(0, type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)),
              S_OK);
    EXPECT_EQ(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)), S_OK);
  }

  ComPtr<ID3D12Resource> MakeBuffer(D3D12_HEAP_TYPE type, uint64_t bytes) {
    const D3D12_RESOURCE_FLAGS flags = type == D3D12_HEAP_TYPE_DEFAULT
                                           ? D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS
                                           : D3D12_RESOURCE_FLAG_NONE;
    const D3D12_HEAP_PROPERTIES properties = HeapOf(type);
    const D3D12_RESOURCE_DESC desc = BufferOf(bytes, flags);
    ComPtr<ID3D12Resource> buffer;
    EXPECT_EQ(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc,
                                              FirstState(type), nullptr, IID_PPV_ARGS(&buffer)),
              S_OK);
    return buffer;
  }

  template <typename T>
  ComPtr<ID3D12Resource> Upload(const std::vector<T>& values) {
    ComPtr<ID3D12Resource> buffer = MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, values.size() * sizeof(T));
    void* data = nullptr;
    EXPECT_EQ(buffer->Map(0, nullptr, &data), S_OK);
    std::memcpy(data, values.data(), values.size() * sizeof(T));
    buffer->Unmap(0, nullptr);
    return buffer;
  }

  // To and from any address of a device that is idle.
  static void CopyNow(void* to, const void* from, uint64_t bytes, std::optional<int> cuda) {
    if (!cuda) {
      std::memcpy(to, from, bytes);
      return;
    }
    const cuda::ScopedDevice scope(*cuda);
    EXPECT_TRUE(cuda::Copy(to, from, bytes, nullptr).ok());
    EXPECT_TRUE(cuda::Synchronize(nullptr).ok());
  }
  static std::optional<int> CudaOf(ID3D12DeviceChild* child) {
    ComPtr<IAnydmlDevice> internal;
    EXPECT_EQ(child->GetDevice(IID_PPV_ARGS(&internal)), S_OK);
    return internal->CudaOrdinal();
  }

  // The bytes behind a buffer of any heap, through its GPU address.
  template <typename T>
  static std::vector<T> Contents(ID3D12Resource* buffer) {
    std::vector<T> values(buffer->GetDesc().Width / sizeof(T));
    CopyNow(values.data(), reinterpret_cast<const void*>(buffer->GetGPUVirtualAddress()),
            values.size() * sizeof(T), CudaOf(buffer));
    return values;
  }
  template <typename T>
  static void SetContents(ID3D12Resource* buffer, const std::vector<T>& values) {
    CopyNow(reinterpret_cast<void*>(buffer->GetGPUVirtualAddress()), values.data(),
            values.size() * sizeof(T), CudaOf(buffer));
  }

  void Append(std::function<Status()> run) {
    ComPtr<IAnydmlCommandList> internal;
    ASSERT_EQ(list->QueryInterface(IID_PPV_ARGS(&internal)), S_OK);
    ASSERT_EQ(internal->Append(std::make_shared<TestWork>(std::move(run))), S_OK);
  }

  void Submit() {
    ID3D12CommandList* lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
  }

  void WaitForQueue() {
    ASSERT_EQ(queue->Signal(fence.Get(), ++fence_value), S_OK);
    ASSERT_EQ(fence->SetEventOnCompletion(fence_value, nullptr), S_OK);
  }

  // Close, run, wait, and record again.
  void Finish() {
    ASSERT_EQ(list->Close(), S_OK);
    Submit();
    WaitForQueue();
    ASSERT_EQ(allocator->Reset(), S_OK);
    ASSERT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
  }

  ComPtr<ID3D12Device9> device;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
  ComPtr<ID3D12Fence> fence;
  uint64_t fence_value = 0;
};

}  // namespace anydml::d3d12
