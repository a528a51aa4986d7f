// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A program that already has its data somewhere binds it as it is: memory of
// its own becomes a heap, and a buffer placed in that heap is the data itself.
// Nothing is copied in or out. hello.cpp explains the other steps.
#include <cstdint>
#include <new>

#include "session.h"

// Memory that a heap can be opened on begins at a page. A std::vector with this
// allocator has its elements there.
template <typename T>
struct PageAllocator {
  using value_type = T;
  static constexpr std::align_val_t kPage{65536};

  T* allocate(size_t count) {
    // Whole pages, so that nobody else lives on the last one.
    const size_t bytes = (count * sizeof(T) + 65535) / 65536 * 65536;
    return static_cast<T*>(::operator new(bytes, kPage));
  }
  void deallocate(T* memory, size_t) { ::operator delete(memory, kPage); }
  bool operator==(const PageAllocator&) const { return true; }
  bool operator!=(const PageAllocator&) const { return false; }
};
using Values = std::vector<float, PageAllocator<float>>;

// The program's memory is the CPU's; a card reaches it on few machines.
static ComPtr<IDXCoreAdapter> CpuAdapter() {
  ComPtr<IDXCoreAdapterFactory> factory;
  Check(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)));
  ComPtr<IDXCoreAdapterList> adapters;
  // DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE; dxcore.h only declares it.
  constexpr GUID compute = {
      0x248e2800, 0xa793, 0x4724, {0xab, 0xaa, 0x23, 0xa6, 0xde, 0x1b, 0xe0, 0x90}};
  Check(factory->CreateAdapterList(1, &compute, IID_PPV_ARGS(&adapters)));
  for (uint32_t i = 0; i < adapters->GetAdapterCount(); ++i) {
    ComPtr<IDXCoreAdapter> adapter;
    Check(adapters->GetAdapter(i, IID_PPV_ARGS(&adapter)));
    bool shares_memory = false;
    Check(adapter->GetProperty(DXCoreAdapterProperty::IsIntegrated, &shares_memory));
    if (shares_memory) return adapter;
  }
  return nullptr;
}

// The vector's own elements as a buffer. The vector must stay where it is,
// and alive, until the work is done.
static ComPtr<ID3D12Resource> Import(ID3D12Device* d3d12, Values& values) {
  ComPtr<ID3D12Device3> device;
  Check(d3d12->QueryInterface(IID_PPV_ARGS(&device)));
  ComPtr<ID3D12Heap> heap;
  Check(device->OpenExistingHeapFromAddress(values.data(), IID_PPV_ARGS(&heap)));
  D3D12_RESOURCE_DESC desc = {};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = values.size() * sizeof(float);
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  ComPtr<ID3D12Resource> buffer;
  Check(device->CreatePlacedResource(heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
                                     nullptr, IID_PPV_ARGS(&buffer)));
  return buffer;
}

int main() {
  constexpr UINT kCount = 1 << 20;
  Values x(kCount), gradient(kCount);
  for (UINT i = 0; i < kCount; ++i) {
    x[i] = i % 3 == 0 ? -1.0f : 1.0f;
    gradient[i] = static_cast<float>(i);
  }
  Session session(CpuAdapter().Get());

  // ReLU's gradient may overwrite one of its inputs, so one vector is both the
  // incoming and the outgoing gradient.
  const Tensor tensor({kCount});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC relu = {&tensor.desc, &tensor.desc, &tensor.desc};
  const ComPtr<IDMLCompiledOperator> compiled =
      session.Compile(DML_OPERATOR_ACTIVATION_RELU_GRAD, &relu);

  const ComPtr<ID3D12Resource> x_buffer = Import(session.d3d12.Get(), x);
  const ComPtr<ID3D12Resource> gradient_buffer = Import(session.d3d12.Get(), gradient);
  session.Record(compiled.Get(), {x_buffer.Get(), gradient_buffer.Get()}, {gradient_buffer.Get()});
  session.Finish();

  // The result is in the vector already.
  for (UINT i = 0; i < kCount; ++i) {
    if (gradient[i] != (i % 3 == 0 ? 0.0f : static_cast<float>(i))) {
      std::printf("element %u is %g\n", i, gradient[i]);
      return 1;
    }
  }
  std::printf("%u gradients in place, nothing copied\n", kCount);
  return 0;
}
