// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Heaps: placed buffers, and memory of the program.
#include <sys/mman.h>

#include "base/last_error.h"
#include "d3d12/fixture.h"

namespace anydml::d3d12 {
namespace {

class HeapTest : public D3D12Test {
 protected:
  ComPtr<ID3D12Heap> MakeHeap(D3D12_HEAP_TYPE type, uint64_t bytes) {
    D3D12_HEAP_DESC desc = {};
    desc.SizeInBytes = bytes;
    desc.Properties = HeapOf(type);
    desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS;
    ComPtr<ID3D12Heap> heap;
    EXPECT_EQ(device->CreateHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
    return heap;
  }

  HRESULT Place(ID3D12Heap* heap, uint64_t offset, uint64_t bytes, ComPtr<ID3D12Resource>& buffer) {
    const D3D12_RESOURCE_DESC desc = BufferOf(bytes, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
    return device->CreatePlacedResource(heap, offset, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                        IID_PPV_ARGS(&buffer));
  }
};

TEST_F(HeapTest, PlacedBuffersShareTheHeap) {
  const auto heap = MakeHeap(D3D12_HEAP_TYPE_DEFAULT, 3 * 65536);
  EXPECT_EQ(heap->GetDesc().SizeInBytes, 3u * 65536);
  EXPECT_EQ(heap->GetDesc().Alignment, 65536u);
  ComPtr<ID3D12Resource> first, alias, last;
  ASSERT_EQ(Place(heap.Get(), 0, 65536, first), S_OK);
  ASSERT_EQ(Place(heap.Get(), 0, 3 * 65536, alias), S_OK);
  ASSERT_EQ(Place(heap.Get(), 2 * 65536, 65536, last), S_OK);
  EXPECT_EQ(first->GetGPUVirtualAddress(), alias->GetGPUVirtualAddress());
  EXPECT_EQ(last->GetGPUVirtualAddress(), alias->GetGPUVirtualAddress() + 2 * 65536);
}

TEST_F(HeapTest, PlacementKeepsToTheHeap) {
  const auto heap = MakeHeap(D3D12_HEAP_TYPE_DEFAULT, 2 * 65536);
  ComPtr<ID3D12Resource> buffer;
  EXPECT_EQ(Place(heap.Get(), 4096, 16, buffer), E_INVALIDARG);
  EXPECT_EQ(Place(heap.Get(), 65536, 65537, buffer), E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(),
            "CreatePlacedResource: HeapOffset = 65536 must be a multiple of 65536, and 65537 bytes "
            "from there must lie inside the heap of 131072 bytes");
  EXPECT_EQ(Place(heap.Get(), UINT64_MAX - 65535, 65536, buffer), E_INVALIDARG);
  D3D12_HEAP_DESC empty = {};
  empty.Properties = HeapOf(D3D12_HEAP_TYPE_DEFAULT);
  ComPtr<ID3D12Heap> none;
  EXPECT_EQ(device->CreateHeap(&empty, IID_PPV_ARGS(&none)), E_INVALIDARG);
}

TEST_F(HeapTest, PlacedBufferOutlivesItsHeap) {
  auto heap = MakeHeap(D3D12_HEAP_TYPE_UPLOAD, 65536);
  const D3D12_RESOURCE_DESC desc = BufferOf(16);
  ComPtr<ID3D12Resource> buffer;
  ASSERT_EQ(device->CreatePlacedResource(heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_GENERIC_READ,
                                         nullptr, IID_PPV_ARGS(&buffer)),
            S_OK);
  heap = nullptr;
  void* data = nullptr;
  ASSERT_EQ(buffer->Map(0, nullptr, &data), S_OK);
  std::memset(data, 1, 16);
}

TEST_F(HeapTest, ImportedMemoryIsBoundWithoutACopy) {
  const size_t bytes = 3 * 4096;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(device->OpenExistingHeapFromAddress(memory, IID_PPV_ARGS(&heap)), S_OK);
  EXPECT_GE(heap->GetDesc().SizeInBytes, bytes);
  ComPtr<ID3D12Resource> buffer;
  ASSERT_EQ(Place(heap.Get(), 0, bytes, buffer), S_OK);
  EXPECT_EQ(buffer->GetGPUVirtualAddress(), reinterpret_cast<uint64_t>(memory));
  const auto source = Upload(std::vector<uint8_t>(bytes, 0x5a));
  list->CopyResource(buffer.Get(), source.Get());
  Finish();
  EXPECT_EQ(static_cast<uint8_t*>(memory)[bytes - 1], 0x5a);
  void* mapped = nullptr;
  ASSERT_EQ(buffer->Map(0, nullptr, &mapped), S_OK);
  EXPECT_EQ(mapped, memory);
  buffer = nullptr;
  heap = nullptr;
  ASSERT_EQ(munmap(memory, bytes), 0);
}

TEST_F(HeapTest, AVectorIsImportedBecauseSixteenBytesOfAlignmentSuffice) {
  std::vector<float> values(1000, 2.0f);
  ASSERT_EQ(reinterpret_cast<uint64_t>(values.data()) % 16, 0u);
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(device->OpenExistingHeapFromAddress(values.data(), IID_PPV_ARGS(&heap)), S_OK);
  ComPtr<ID3D12Resource> buffer;
  ASSERT_EQ(Place(heap.Get(), 0, values.size() * sizeof(float), buffer), S_OK);
  const auto target = MakeBuffer(D3D12_HEAP_TYPE_READBACK, 4000);
  list->CopyResource(target.Get(), buffer.Get());
  Finish();
  EXPECT_EQ(Contents<float>(target.Get()), values);
}

TEST_F(HeapTest, ImportRefusesWhatCannotBeUsed) {
  ComPtr<ID3D12Heap> heap;
  EXPECT_EQ(device->OpenExistingHeapFromAddress(nullptr, IID_PPV_ARGS(&heap)), E_INVALIDARG);
  alignas(16) char bytes[32] = {};
  EXPECT_EQ(device->OpenExistingHeapFromAddress(bytes + 8, IID_PPV_ARGS(&heap)), E_INVALIDARG);
  EXPECT_EQ(device->OpenExistingHeapFromAddress(reinterpret_cast<void*>(uint64_t{16}),
                                                IID_PPV_ARGS(&heap)),
            E_INVALIDARG);
  void* read_only = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_EQ(device->OpenExistingHeapFromAddress(read_only, IID_PPV_ARGS(&heap)), E_INVALIDARG);
  EXPECT_EQ(LastErrorOfThread(),
            "OpenExistingHeapFromAddress: pAddress must lie in memory that is readable and "
            "writable");
  munmap(read_only, 4096);
  EXPECT_EQ(device->OpenExistingHeapFromFileMapping(nullptr, IID_PPV_ARGS(&heap)), E_NOTIMPL);
}

// "Resources in this heap must be created with D3D12_RESOURCE_STATE_GENERIC_READ and
// cannot be changed away from this", and COPY_DEST likewise for READBACK.
TEST_F(HeapTest, CopiesFollowTheStatesOfTheHeaps) {
  const auto buffer = MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 64);
  const auto upload = MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, 64);
  const auto readback = MakeBuffer(D3D12_HEAP_TYPE_READBACK, 64);
  const D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
  ComPtr<ID3D12QueryHeap> queries;
  ASSERT_EQ(device->CreateQueryHeap(&desc, IID_PPV_ARGS(&queries)), S_OK);
  const auto expect_broken = [&](const std::string& sentence) {
    EXPECT_EQ(LastErrorOfThread(), sentence);
    EXPECT_EQ(list->Close(), E_INVALIDARG) << sentence;
    ASSERT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
  };
  const std::string only_read =
      " lies on an UPLOAD heap and stays in the state GENERIC_READ; it must be writable";
  const std::string only_written =
      " lies on a READBACK heap and stays in the state COPY_DEST; it must be readable";
  list->CopyResource(upload.Get(), buffer.Get());
  expect_broken("CopyResource: pDstResource" + only_read);
  list->CopyResource(buffer.Get(), readback.Get());
  expect_broken("CopyResource: pSrcResource" + only_written);
  list->CopyBufferRegion(upload.Get(), 0, buffer.Get(), 0, 8);
  expect_broken("CopyBufferRegion: pDstBuffer" + only_read);
  list->CopyBufferRegion(buffer.Get(), 0, readback.Get(), 0, 8);
  expect_broken("CopyBufferRegion: pSrcBuffer" + only_written);
  list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 1, upload.Get(), 0);
  expect_broken("ResolveQueryData: pDestinationBuffer" + only_read);
  list->CopyResource(readback.Get(), upload.Get());
  EXPECT_EQ(list->Close(), S_OK);
}

}  // namespace
}  // namespace anydml::d3d12
