// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Views of buffers in a heap of four descriptors that shaders see.
#pragma once

#include "base/last_error.h"
#include "d3d12/fixture.h"

namespace anydml::d3d12 {

class DescriptorTest : public D3D12Test {
 protected:
  DescriptorTest() { visible = MakeHeap(4, D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE); }

  ComPtr<ID3D12DescriptorHeap> MakeHeap(UINT count, D3D12_DESCRIPTOR_HEAP_FLAGS flags) {
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, count, flags,
                                             0};
    ComPtr<ID3D12DescriptorHeap> heap;
    EXPECT_EQ(device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
    return heap;
  }

  D3D12_CPU_DESCRIPTOR_HANDLE Cpu(UINT index) {
    return {visible->GetCPUDescriptorHandleForHeapStart().ptr + index * Increment()};
  }
  D3D12_GPU_DESCRIPTOR_HANDLE Gpu(UINT index) {
    return {visible->GetGPUDescriptorHandleForHeapStart().ptr + index * Increment()};
  }
  UINT Increment() {
    return device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  }

  void MakeView(ID3D12Resource* buffer, DXGI_FORMAT format, UINT64 first, UINT count, UINT index) {
    D3D12_UNORDERED_ACCESS_VIEW_DESC desc = {};
    desc.Format = format;
    desc.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
    desc.Buffer.FirstElement = first;
    desc.Buffer.NumElements = count;
    if (format == DXGI_FORMAT_R32_TYPELESS) desc.Buffer.Flags = D3D12_BUFFER_UAV_FLAG_RAW;
    device->CreateUnorderedAccessView(buffer, nullptr, &desc, Cpu(index));
  }

  ComPtr<ID3D12DescriptorHeap> visible;
};

}  // namespace anydml::d3d12
