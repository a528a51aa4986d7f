// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// No memory, and no threads, under DXCore and Direct3D 12: whole programs, from the
// factory to the result, in which one allocation fails. Methods that return nothing
// remove the device, whose reason is then asked.
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstring>

#include "faults/direct3d_program.h"

namespace anydml::faults {
namespace {

// Heaps, placed buffers, copies, timestamps, names.
HRESULT RunDirect3D() {
  Direct3D d3d;
  RETURN_IF_FAILED(d3d.Open());
  RETURN_IF_FAILED(d3d.device->SetName(L"a device with a name that is not short"));
  ComPtr<ID3D12Heap> heap;
  D3D12_HEAP_DESC heap_desc = {};
  heap_desc.SizeInBytes = 1 << 16;
  heap_desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  RETURN_IF_FAILED(d3d.device->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)));
  const D3D12_RESOURCE_DESC desc = BufferOf(4096);
  ComPtr<ID3D12Resource> placed, upload, readback;
  RETURN_IF_FAILED(d3d.device->CreatePlacedResource(
      heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&placed)));
  RETURN_IF_FAILED(d3d.MakeBuffer(D3D12_HEAP_TYPE_UPLOAD, 4096, upload));
  RETURN_IF_FAILED(d3d.MakeBuffer(D3D12_HEAP_TYPE_READBACK, 4096, readback));
  ComPtr<ID3D12QueryHeap> queries;
  const D3D12_QUERY_HEAP_DESC query_desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2, 0};
  RETURN_IF_FAILED(d3d.device->CreateQueryHeap(&query_desc, IID_PPV_ARGS(&queries)));
  void* data = nullptr;
  RETURN_IF_FAILED(upload->Map(0, nullptr, &data));
  std::memset(data, 7, 4096);
  upload->Unmap(0, nullptr);
  d3d.list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
  d3d.list->CopyResource(placed.Get(), upload.Get());
  d3d.list->CopyBufferRegion(readback.Get(), 0, placed.Get(), 0, 4096);
  RETURN_IF_FAILED(d3d.Finish());
  RETURN_IF_FAILED(readback->Map(0, nullptr, &data));
  return static_cast<uint8_t*>(data)[4095] == 7 ? S_OK : E_UNEXPECTED;
}

TEST(D3D12Faults, TellsThatThereIsNoMemory) {
  FailEverywhere("Direct3D 12", [] { return AnswerOf(RunDirect3D()); });
}

TEST(D3D12Faults, TellsThatThereIsNoThread) {
  EXPECT_GT(FailEveryThread("Direct3D 12", [] { return AnswerOf(RunDirect3D()); }), 0);
}

// One object of each kind.
HRESULT KeepPrivateDataOfAll(Witness& witness) {
  Direct3D d3d;
  RETURN_IF_FAILED(d3d.Open());
  ComPtr<ID3D12Heap> heap;
  D3D12_HEAP_DESC heap_desc = {};
  heap_desc.SizeInBytes = 1 << 16;
  heap_desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  RETURN_IF_FAILED(d3d.device->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)));
  ComPtr<ID3D12Resource> buffer;
  RETURN_IF_FAILED(d3d.MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16, buffer));
  ComPtr<ID3D12QueryHeap> queries;
  const D3D12_QUERY_HEAP_DESC query_desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
  RETURN_IF_FAILED(d3d.device->CreateQueryHeap(&query_desc, IID_PPV_ARGS(&queries)));
  ID3D12Object* const objects[] = {d3d.device.Get(), d3d.queue.Get(),       d3d.allocator.Get(),
                                   d3d.list.Get(),   d3d.fence.Get(),       heap.Get(),
                                   buffer.Get(),     d3d.descriptors.Get(), queries.Get()};
  for (ID3D12Object* object : objects) RETURN_IF_FAILED(KeepPrivateData(object, witness));
  return S_OK;
}

TEST(D3D12Faults, PrivateDataIsKeptOrThereIsNoMemory) {
  FailEverywhere("private data of Direct3D 12", [] {
    Witness witness;
    const HRESULT result = KeepPrivateDataOfAll(witness);
    return witness.references == 1 ? AnswerOf(result) : kStillHeld;
  });
}

// An eventfd that lives as long as this.
class EventOfProgram {
 public:
  ~EventOfProgram() { close(descriptor_); }
  HANDLE handle() const { return reinterpret_cast<HANDLE>(static_cast<intptr_t>(descriptor_)); }
  // Whether it was signalled since it was asked the last time.
  bool Take() const {
    uint64_t count = 0;
    return read(descriptor_, &count, sizeof count) == sizeof count;
  }

 private:
  const int descriptor_ = eventfd(0, EFD_NONBLOCK);
};

// A failure leaves no wait behind: the event stays silent when the fences are raised.
HRESULT WaitForTwo(const Direct3D& d3d, D3D12_MULTIPLE_FENCE_WAIT_FLAGS flags) {
  ComPtr<ID3D12Fence> fences[2];
  for (auto& fence : fences) {
    RETURN_IF_FAILED(d3d.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));
  }
  ID3D12Fence* const pointers[] = {fences[0].Get(), fences[1].Get()};
  const UINT64 values[] = {1, 1};
  const EventOfProgram event;
  const HRESULT result =
      d3d.device->SetEventOnMultipleFenceCompletion(pointers, values, 2, flags, event.handle());
  const bool any = flags == D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY;
  RETURN_IF_FAILED(fences[0]->Signal(1));
  if (event.Take() != (SUCCEEDED(result) && any)) return E_UNEXPECTED;
  RETURN_IF_FAILED(fences[1]->Signal(1));
  if (event.Take() != (SUCCEEDED(result) && !any)) return E_UNEXPECTED;
  return result;
}

HRESULT WaitAndMakeResident() {
  Direct3D d3d;
  RETURN_IF_FAILED(d3d.Open());
  RETURN_IF_FAILED(WaitForTwo(d3d, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL));
  RETURN_IF_FAILED(WaitForTwo(d3d, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY));
  ComPtr<ID3D12Resource> buffer;
  RETURN_IF_FAILED(d3d.MakeBuffer(D3D12_HEAP_TYPE_DEFAULT, 16, buffer));
  ID3D12Pageable* objects[] = {buffer.Get(), nullptr};
  const auto make = [&](UINT count, UINT64 value) {
    return d3d.device->EnqueueMakeResident(D3D12_RESIDENCY_FLAG_NONE, count, objects,
                                           d3d.fence.Get(), value);
  };
  RETURN_IF_FAILED(make(1, 5));
  if (d3d.fence->GetCompletedValue() != 5) return E_UNEXPECTED;
  // The second object is missing: refused, or no memory for the sentence.
  const HRESULT refused = make(2, 6);
  if (d3d.fence->GetCompletedValue() != 5) return E_UNEXPECTED;
  return refused == E_INVALIDARG ? S_OK : SUCCEEDED(refused) ? E_UNEXPECTED : refused;
}

TEST(D3D12Faults, WaitsForSeveralFencesOrTellsThatThereIsNoMemory) {
  FailEverywhere("fences and residency", [] { return AnswerOf(WaitAndMakeResident()); });
}

// Methods without a result, or that need no device: what they throw would reach the
// program. Footprints of what is no buffer are all ones.
HRESULT Ask() {
  Direct3D d3d;
  RETURN_IF_FAILED(d3d.Open());
  D3D12_RESOURCE_DESC texture = BufferOf(16);
  texture.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  UINT64 total = 0;
  d3d.device->GetCopyableFootprints(&texture, 0, 1, 0, nullptr, nullptr, nullptr, &total);
  if (total != UINT64_MAX) return E_UNEXPECTED;
  total = d3d.device->GetResourceAllocationInfo(1, 1, &texture).SizeInBytes;
  if (total != UINT64_MAX) return E_UNEXPECTED;
  // The library's own descriptor has two digits.
  const EventOfProgram events[12];
  RETURN_IF_FAILED(d3d.device->SetBackgroundProcessingMode({}, {}, events[11].handle(), nullptr));
  return events[11].Take() ? S_OK : E_UNEXPECTED;
}

TEST(D3D12Faults, AnswersQuestionsOrTellsThatThereIsNoMemory) {
  FailEverywhere("questions", [] { return AnswerOf(Ask()); });
}

}  // namespace
}  // namespace anydml::faults
