// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ID3D12Device9 on an adapter of ours: the factory of everything else, the
// threads, the messages, and the state of removal.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <string>

#include "d3d12/adapter.h"
#include "d3d12/info_queue.h"
#include "d3d12/object.h"
#include "d3d12/registry.h"
#include "d3d12/unsupported_device.h"

namespace anydml::d3d12 {

class DescriptorHeap;
class Fence;
struct Descriptor;

class Device final
    : public Object<Serves<UnsupportedDevice, ID3D12Object, ID3D12Device, ID3D12Device1,
                           ID3D12Device2, ID3D12Device3, ID3D12Device4, ID3D12Device5,
                           ID3D12Device6, ID3D12Device7, ID3D12Device8, ID3D12Device9>,
                    Serves<IAnydmlDevice, IAnydmlDevice>> {
 public:
  explicit Device(std::shared_ptr<const AdapterInfo> adapter);

  // For the objects of this library
  bool removed() const {
    return removed_reason_.load(std::memory_order_acquire) != S_OK || cpu::IsLostInFork();
  }
  // Reports the sentence as an error and returns `code`.
  HRESULT Fail(HRESULT code, const std::string& sentence);
  HRESULT Fail(const char* method, const Error& error);
  HRESULT FailRemoved(std::string_view method) noexcept;
  // Questions that are answered by no are notes, the rest are errors.
  void ReportComplaint(HRESULT code, std::string_view sentence) noexcept override;
  Registry<Fence>& fences() { return fences_; }
  Registry<DescriptorHeap>& descriptor_heaps() { return descriptor_heaps_; }
  // Null when the handle points into no heap of this device.
  Descriptor* FindDescriptor(SIZE_T handle);
  const AdapterInfo& adapter() const { return *adapter_; }

  // IAnydmlDevice
  const cpu::Executor& STDMETHODCALLTYPE Executor() override { return executor_; }
  std::optional<int> STDMETHODCALLTYPE CudaOrdinal() override { return adapter_->cuda; }
  void STDMETHODCALLTYPE Report(D3D12_MESSAGE_SEVERITY severity,
                                std::string_view sentence) noexcept override;
  void STDMETHODCALLTYPE Print(std::string_view sentence) noexcept override;
  void STDMETHODCALLTYPE EnableMessages() override { messages_enabled_ = true; }
  void STDMETHODCALLTYPE Remove(HRESULT reason, std::string_view sentence) override;

  // Facts (device_features.cpp)
  UINT STDMETHODCALLTYPE GetNodeCount() override { return 1; }
  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(D3D12_FEATURE feature, void* data,
                                                UINT size) override;
  LUID STDMETHODCALLTYPE GetAdapterLuid() override { return adapter_->luid; }
  HRESULT STDMETHODCALLTYPE EnumerateMetaCommands(UINT* count, D3D12_META_COMMAND_DESC*) override;
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() override;
  void STDMETHODCALLTYPE RemoveDevice() override;

  // Settings without an effect on a CPU
  HRESULT STDMETHODCALLTYPE SetStablePowerState(BOOL) override;
  HRESULT STDMETHODCALLTYPE SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE,
                                                        D3D12_MEASUREMENTS_ACTION, HANDLE event,
                                                        BOOL* further_measurements) override;
  HRESULT STDMETHODCALLTYPE ShaderCacheControl(D3D12_SHADER_CACHE_KIND_FLAGS,
                                               D3D12_SHADER_CACHE_CONTROL_FLAGS) override;
  HRESULT STDMETHODCALLTYPE SetResidencyPriority(UINT count, ID3D12Pageable* const* objects,
                                                 const D3D12_RESIDENCY_PRIORITY*) override;
  HRESULT STDMETHODCALLTYPE MakeResident(UINT count, ID3D12Pageable* const* objects) override;
  HRESULT STDMETHODCALLTYPE Evict(UINT count, ID3D12Pageable* const* objects) override;
  HRESULT STDMETHODCALLTYPE EnqueueMakeResident(D3D12_RESIDENCY_FLAGS, UINT count,
                                                ID3D12Pageable* const* objects, ID3D12Fence* fence,
                                                UINT64 value) override;

  // Queues, lists, fences (device_commands.cpp)
  HRESULT STDMETHODCALLTYPE CreateCommandQueue(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID riid,
                                               void** queue) override;
  HRESULT STDMETHODCALLTYPE CreateCommandQueue1(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID,
                                                REFIID riid, void** queue) override;
  HRESULT STDMETHODCALLTYPE CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE type, REFIID riid,
                                                   void** allocator) override;
  HRESULT STDMETHODCALLTYPE CreateCommandList(UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                                              ID3D12CommandAllocator* allocator,
                                              ID3D12PipelineState*, REFIID riid,
                                              void** list) override;
  HRESULT STDMETHODCALLTYPE CreateCommandList1(UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                                               D3D12_COMMAND_LIST_FLAGS flags, REFIID riid,
                                               void** list) override;
  HRESULT STDMETHODCALLTYPE CreateFence(UINT64 initial_value, D3D12_FENCE_FLAGS flags, REFIID riid,
                                        void** fence) override;
  HRESULT STDMETHODCALLTYPE SetEventOnMultipleFenceCompletion(ID3D12Fence* const* fences,
                                                              const UINT64* values, UINT count,
                                                              D3D12_MULTIPLE_FENCE_WAIT_FLAGS flags,
                                                              HANDLE event) override;
  HRESULT STDMETHODCALLTYPE CreateQueryHeap(const D3D12_QUERY_HEAP_DESC* desc, REFIID riid,
                                            void** heap) override;

  // Descriptors (device_descriptors.cpp)
  HRESULT STDMETHODCALLTYPE CreateDescriptorHeap(const D3D12_DESCRIPTOR_HEAP_DESC* desc,
                                                 REFIID riid, void** heap) override;
  UINT STDMETHODCALLTYPE GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE) override;
  void STDMETHODCALLTYPE CreateConstantBufferView(const D3D12_CONSTANT_BUFFER_VIEW_DESC* desc,
                                                  D3D12_CPU_DESCRIPTOR_HANDLE handle) override;
  void STDMETHODCALLTYPE CreateShaderResourceView(ID3D12Resource* resource,
                                                  const D3D12_SHADER_RESOURCE_VIEW_DESC* desc,
                                                  D3D12_CPU_DESCRIPTOR_HANDLE handle) override;
  void STDMETHODCALLTYPE CreateUnorderedAccessView(ID3D12Resource* resource,
                                                   ID3D12Resource* counter,
                                                   const D3D12_UNORDERED_ACCESS_VIEW_DESC* desc,
                                                   D3D12_CPU_DESCRIPTOR_HANDLE handle) override;
  void STDMETHODCALLTYPE CopyDescriptors(UINT target_ranges,
                                         const D3D12_CPU_DESCRIPTOR_HANDLE* target_starts,
                                         const UINT* target_sizes, UINT source_ranges,
                                         const D3D12_CPU_DESCRIPTOR_HANDLE* source_starts,
                                         const UINT* source_sizes,
                                         D3D12_DESCRIPTOR_HEAP_TYPE) override;
  void STDMETHODCALLTYPE CopyDescriptorsSimple(UINT count, D3D12_CPU_DESCRIPTOR_HANDLE target,
                                               D3D12_CPU_DESCRIPTOR_HANDLE source,
                                               D3D12_DESCRIPTOR_HEAP_TYPE) override;

  // Heaps and buffers (device_resources.cpp)
  D3D12_RESOURCE_ALLOCATION_INFO STDMETHODCALLTYPE
  GetResourceAllocationInfo(UINT, UINT count, const D3D12_RESOURCE_DESC* descs) override;
  D3D12_RESOURCE_ALLOCATION_INFO STDMETHODCALLTYPE
  GetResourceAllocationInfo1(UINT, UINT count, const D3D12_RESOURCE_DESC* descs,
                             D3D12_RESOURCE_ALLOCATION_INFO1* infos) override;
  D3D12_RESOURCE_ALLOCATION_INFO STDMETHODCALLTYPE
  GetResourceAllocationInfo2(UINT, UINT count, const D3D12_RESOURCE_DESC1* descs,
                             D3D12_RESOURCE_ALLOCATION_INFO1* infos) override;
  D3D12_HEAP_PROPERTIES STDMETHODCALLTYPE GetCustomHeapProperties(UINT,
                                                                  D3D12_HEAP_TYPE type) override;
  void STDMETHODCALLTYPE GetCopyableFootprints(const D3D12_RESOURCE_DESC* desc, UINT first,
                                               UINT count, UINT64 base_offset,
                                               D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts,
                                               UINT* rows, UINT64* row_sizes,
                                               UINT64* total) override;
  void STDMETHODCALLTYPE GetCopyableFootprints1(const D3D12_RESOURCE_DESC1* desc, UINT first,
                                                UINT count, UINT64 base_offset,
                                                D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts,
                                                UINT* rows, UINT64* row_sizes,
                                                UINT64* total) override;
  HRESULT STDMETHODCALLTYPE CreateCommittedResource(const D3D12_HEAP_PROPERTIES* properties,
                                                    D3D12_HEAP_FLAGS flags,
                                                    const D3D12_RESOURCE_DESC* desc,
                                                    D3D12_RESOURCE_STATES state,
                                                    const D3D12_CLEAR_VALUE* clear, REFIID riid,
                                                    void** resource) override;
  HRESULT STDMETHODCALLTYPE CreateCommittedResource1(
      const D3D12_HEAP_PROPERTIES* properties, D3D12_HEAP_FLAGS flags,
      const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear,
      ID3D12ProtectedResourceSession* session, REFIID riid, void** resource) override;
  HRESULT STDMETHODCALLTYPE CreateCommittedResource2(
      const D3D12_HEAP_PROPERTIES* properties, D3D12_HEAP_FLAGS flags,
      const D3D12_RESOURCE_DESC1* desc, D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear,
      ID3D12ProtectedResourceSession* session, REFIID riid, void** resource) override;
  HRESULT STDMETHODCALLTYPE CreateHeap(const D3D12_HEAP_DESC* desc, REFIID riid,
                                       void** heap) override;
  HRESULT STDMETHODCALLTYPE CreateHeap1(const D3D12_HEAP_DESC* desc,
                                        ID3D12ProtectedResourceSession* session, REFIID riid,
                                        void** heap) override;
  HRESULT STDMETHODCALLTYPE CreatePlacedResource(ID3D12Heap* heap, UINT64 offset,
                                                 const D3D12_RESOURCE_DESC* desc,
                                                 D3D12_RESOURCE_STATES state,
                                                 const D3D12_CLEAR_VALUE* clear, REFIID riid,
                                                 void** resource) override;
  HRESULT STDMETHODCALLTYPE CreatePlacedResource1(ID3D12Heap* heap, UINT64 offset,
                                                  const D3D12_RESOURCE_DESC1* desc,
                                                  D3D12_RESOURCE_STATES state,
                                                  const D3D12_CLEAR_VALUE* clear, REFIID riid,
                                                  void** resource) override;
  HRESULT STDMETHODCALLTYPE OpenExistingHeapFromAddress(const void* address, REFIID riid,
                                                        void** heap) override;

 private:
  ~Device() override;
  void* FindOther(REFIID riid) override;
  std::string RemovalSentence();
  HRESULT CheckPageables(const char* method, UINT count, ID3D12Pageable* const* objects) noexcept;

  // Runs the body of a method: nothing on a removed device, no exception out.
  template <typename Body>
  HRESULT CallAlive(std::string_view method, const Body& body) noexcept {
    return removed() ? FailRemoved(method) : Call(method, body);
  }
  // The same for one that makes something: null result first, and a word about
  // an interface that the result does not have.
  template <typename Body>
  HRESULT Make(std::string_view method, void** result, const Body& body) noexcept {
    if (result != nullptr) *result = nullptr;
    const HRESULT made = CallAlive(method, body);
    if (made != E_NOINTERFACE) return made;
    SetError(made, method, kNoInterface);
    Report(D3D12_MESSAGE_SEVERITY_ERROR, LastErrorOfThread());
    return made;
  }

  // All methods of their kind. Enumerations of the program's by reference: they may hold
  // any number, and are not loaded before they are checked.
  HRESULT Commit(const D3D12_HEAP_PROPERTIES* properties, const D3D12_HEAP_FLAGS& flags,
                 const D3D12_RESOURCE_DESC1* desc, const D3D12_RESOURCE_STATES& state,
                 const D3D12_CLEAR_VALUE* clear, ID3D12ProtectedResourceSession* session,
                 REFIID riid, void** resource);
  HRESULT Place(ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC1* desc,
                const D3D12_RESOURCE_STATES& state, const D3D12_CLEAR_VALUE* clear, REFIID riid,
                void** resource);
  bool StoresMessages() const;
  void ReportUnsupported(const char* method) override;
  void WriteDescriptor(const char* method, D3D12_CPU_DESCRIPTOR_HANDLE handle,
                       const Descriptor& descriptor);

  const std::shared_ptr<const AdapterInfo> adapter_;
  std::atomic<HRESULT> removed_reason_{S_OK};
  std::mutex removal_mutex_;
  std::string removed_because_;
  std::atomic<bool> messages_enabled_ = false;
  InfoQueue info_queue_;
  Registry<Fence> fences_;
  Registry<DescriptorHeap> descriptor_heaps_;
  const cpu::Executor executor_{0};
};

// The device of an adapter: one for all who ask while it lives, as in Direct3D
// 12, but a new one after a removal.
ComPtr<Device> OpenDevice(const std::shared_ptr<const AdapterInfo>& adapter);

// Set by ID3D12Debug::EnableDebugLayer.
std::atomic<bool>& DebugLayerEnabled();

}  // namespace anydml::d3d12
