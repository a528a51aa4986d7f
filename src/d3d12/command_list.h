// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12GraphicsCommandList6: records copies, clears, queries, and the work that
// DirectML appends. Errors while recording surface at Close, as in Direct3D 12.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "d3d12/buffer.h"
#include "d3d12/command_allocator.h"
#include "d3d12/object.h"
#include "d3d12/unsupported_command_list.h"

namespace anydml::d3d12 {

struct Descriptor;

using WorkList = std::vector<std::shared_ptr<const Work>>;

class CommandList final
    : public DeviceChild<
          CommandList,
          Serves<UnsupportedCommandList, ID3D12Object, ID3D12DeviceChild, ID3D12CommandList,
                 ID3D12GraphicsCommandList, ID3D12GraphicsCommandList1, ID3D12GraphicsCommandList2,
                 ID3D12GraphicsCommandList3, ID3D12GraphicsCommandList4, ID3D12GraphicsCommandList5,
                 ID3D12GraphicsCommandList6>,
          Serves<IAnydmlCommandList, IAnydmlCommandList>> {
 public:
  static constexpr GUID kClassId = ClassId(0x07);

  // Closed.
  CommandList(Device& device, D3D12_COMMAND_LIST_TYPE type);

  // Reset, in the name of the method that the program called.
  HRESULT Begin(std::string_view method, ID3D12CommandAllocator* allocator);

  // The works to run, fixed at this moment: what happens to the list afterwards
  // does not matter. The list is closed.
  Result<std::shared_ptr<const WorkList>> Submit() const;
  bool closed() const { return state_ == State::kClosed; }
  D3D12_COMMAND_LIST_TYPE type() const { return type_; }

  // IAnydmlCommandList
  HRESULT STDMETHODCALLTYPE Append(std::shared_ptr<const Work> work) override;

  // ID3D12CommandList
  D3D12_COMMAND_LIST_TYPE STDMETHODCALLTYPE GetType() override { return type_; }

  // ID3D12GraphicsCommandList
  HRESULT STDMETHODCALLTYPE Close() override;
  HRESULT STDMETHODCALLTYPE Reset(ID3D12CommandAllocator* allocator, ID3D12PipelineState*) override;
  void STDMETHODCALLTYPE ClearState(ID3D12PipelineState*) override;
  void STDMETHODCALLTYPE CopyBufferRegion(ID3D12Resource* target, UINT64 target_offset,
                                          ID3D12Resource* source, UINT64 source_offset,
                                          UINT64 bytes) override;
  void STDMETHODCALLTYPE CopyResource(ID3D12Resource* target, ID3D12Resource* source) override;
  void STDMETHODCALLTYPE ResourceBarrier(UINT count,
                                         const D3D12_RESOURCE_BARRIER* barriers) override;
  void STDMETHODCALLTYPE SetDescriptorHeaps(UINT count,
                                            ID3D12DescriptorHeap* const* heaps) override;
  void STDMETHODCALLTYPE ClearUnorderedAccessViewUint(D3D12_GPU_DESCRIPTOR_HANDLE gpu_handle,
                                                      D3D12_CPU_DESCRIPTOR_HANDLE cpu_handle,
                                                      ID3D12Resource* resource, const UINT* values,
                                                      UINT rect_count,
                                                      const D3D12_RECT* rects) override;
  void STDMETHODCALLTYPE ClearUnorderedAccessViewFloat(D3D12_GPU_DESCRIPTOR_HANDLE gpu_handle,
                                                       D3D12_CPU_DESCRIPTOR_HANDLE cpu_handle,
                                                       ID3D12Resource* resource,
                                                       const FLOAT* values, UINT rect_count,
                                                       const D3D12_RECT* rects) override;
  void STDMETHODCALLTYPE DiscardResource(ID3D12Resource* resource,
                                         const D3D12_DISCARD_REGION*) override;
  void STDMETHODCALLTYPE EndQuery(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type,
                                  UINT index) override;
  void STDMETHODCALLTYPE ResolveQueryData(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT start,
                                          UINT count, ID3D12Resource* target,
                                          UINT64 offset) override;
  void STDMETHODCALLTYPE SetMarker(UINT, const void*, UINT) override {}
  void STDMETHODCALLTYPE BeginEvent(UINT, const void*, UINT) override {}
  void STDMETHODCALLTYPE EndEvent() override {}
  void STDMETHODCALLTYPE AtomicCopyBufferUINT(ID3D12Resource* target, UINT64 target_offset,
                                              ID3D12Resource* source, UINT64 source_offset, UINT,
                                              ID3D12Resource* const*,
                                              const D3D12_SUBRESOURCE_RANGE_UINT64*) override;
  void STDMETHODCALLTYPE AtomicCopyBufferUINT64(ID3D12Resource* target, UINT64 target_offset,
                                                ID3D12Resource* source, UINT64 source_offset, UINT,
                                                ID3D12Resource* const*,
                                                const D3D12_SUBRESOURCE_RANGE_UINT64*) override;

 private:
  enum class State { kRecording, kClosed, kBroken };  // broken: closed after an error

  ~CommandList() override;
  void Refuse(const char* method) override;
  void Ignore(const char* method) override;

  // Runs the body of a recording method; its error is reported and kept for Close.
  template <typename Body>
  void Record(const char* method, Body&& body);
  void Break(HRESULT code, std::string sentence);
  void EndRecording();
  template <typename T, typename... Arguments>
  void Add(Arguments&&... arguments);

  Result<ComPtr<Buffer>> BufferFrom(const char* field, ID3D12Resource* resource) const;
  Status CheckBarrier(const D3D12_RESOURCE_BARRIER& barrier) const;
  Status Copy(ID3D12Resource* target, UINT64 target_offset, ID3D12Resource* source,
              UINT64 source_offset, UINT64 bytes);
  Status Clear(D3D12_GPU_DESCRIPTOR_HANDLE gpu_handle, D3D12_CPU_DESCRIPTOR_HANDLE cpu_handle,
               ID3D12Resource* resource, const UINT* values, bool values_are_float,
               UINT rect_count);

  const D3D12_COMMAND_LIST_TYPE type_;
  State state_ = State::kClosed;
  HRESULT error_ = S_OK;   // the first of the recording in progress
  std::string broken_by_;  // its sentence
  ComPtr<CommandAllocator> allocator_;
  // Shared with submissions, and never changed once the list is closed.
  std::shared_ptr<WorkList> works_;
};

}  // namespace anydml::d3d12
