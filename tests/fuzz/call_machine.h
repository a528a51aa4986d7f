// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A machine whose instructions are calls of Direct3D 12 and DirectML. Objects lie
// in slots, an instruction names its slots, and an empty slot is a null pointer.
// Numbers are near the edges now and then. A call may fail in any way that leaves
// a sentence.
#pragma once

#include "d3d12/fixture.h"
// The Direct3D 12 headers first: directml_guids.h wants them before it.
#include <directml_guids.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "base/last_error.h"
#include "fuzz/bytes.h"
#include "schema/arguments.h"

namespace anydml::test {

class CallMachine {
 public:
  // Starts with one object of each common kind in slot 0.
  explicit CallMachine(Bytes& bytes);
  // Lets go of everything; no device may be left then.
  ~CallMachine();
  CallMachine(const CallMachine&) = delete;
  CallMachine& operator=(const CallMachine&) = delete;

  void Step();

 private:
  static constexpr uint32_t kSlots = 3;
  template <typename T>
  using Slots = std::array<Microsoft::WRL::ComPtr<T>, kSlots>;

  // An operator together with the description that it was made from.
  struct Compiled {
    Microsoft::WRL::ComPtr<IDMLCompiledOperator> object;
    std::shared_ptr<const schema::Arguments> arguments;
  };

  template <typename T>
  Microsoft::WRL::ComPtr<T>& In(Slots<T>& slots) {
    return slots[bytes_.Below(kSlots)];
  }
  uint64_t Number(uint64_t usual);
  uint64_t MemorySize(uint64_t usual);
  void RaiseFences();
  // The device of any slot, with all of its methods.
  Microsoft::WRL::ComPtr<ID3D12Device9> AnyDevice();
  // Any number as an enumeration of the program's, mostly below `count`.
  template <typename Enum>
  void SetEnum(Enum& member, uint32_t count);
  // Calls, and wants a sentence of whoever fails.
  template <typename F>
  void Try(F&& call);

  // call_machine_d3d12.cpp
  void MakeDevice();
  void MakeQueue();
  void MakeList();
  void MakeFence();
  void MakeDescriptors();
  void MakeHeap();
  void MakeBuffer();
  void UseList();
  void UseQueue();
  void UseFence();
  void UseBuffer();
  void UseView();
  void Release();

  // call_machine_device.cpp
  void AskDevice();
  void AskFeature(ID3D12Device* device);
  void AskAllocations(ID3D12Device9* device);
  void AskFootprints(ID3D12Device9* device);
  void AskSettings(ID3D12Device9* device);
  void AskRefused(ID3D12Device9* device);

  // call_machine_other.cpp
  void MakeOther();
  void MakeOtherBuffer(ID3D12Device9* device);
  void MakeOtherQueue(ID3D12Device9* device);
  void UseResidency();
  void WaitForFences(ID3D12Device9* device);

  // call_machine_views.cpp
  void UseViews();
  void ReadThroughView(ID3D12Device* device);
  void WriteThroughView(ID3D12Device* device);
  void MakeLargeDescriptors(ID3D12Device* device);
  void CopyViews(ID3D12Device* device);
  D3D12_CPU_DESCRIPTOR_HANDLE AnyHandle();
  void UseOtherCommands();
  void UseQueries(ID3D12GraphicsCommandList6* list);
  void UseRefusedCommands(ID3D12GraphicsCommandList6* list);

  // call_machine_objects.cpp
  void AskObject();
  void AskInterfaces();
  void AskQueue();
  void AskBuffer();
  void UseAdapters();
  void AskAdapter(IDXCoreAdapter* adapter);
  void AskDmlObject();

  // call_machine_debug.cpp
  void UsePrivateData();
  void UseInfoQueue();
  void UseMessageSettings(ID3D12InfoQueue1* messages);
  void UseFilter(ID3D12InfoQueue1* messages);
  void UseMessages(ID3D12InfoQueue1* messages);
  static void SwitchDebugLayer(bool on);
  static void CheckPrivateData();

  // call_machine_dml.cpp
  void MakeDml();
  void MakeOperator();
  void Compile();
  void MakeInitializer();
  void MakeTable();
  void Bind();
  void BindWell();
  void RecordInitializer(IDMLDevice1* dml, IDMLCompiledOperator* compiled,
                         IDMLCommandRecorder* recorder, ID3D12CommandList* list);
  void Record();
  void AskDml();
  IDMLDispatchable* Dispatchable();
  DML_BINDING_TABLE_DESC TableDesc(IDMLDispatchable* dispatchable);

  Bytes& bytes_;
  std::vector<Microsoft::WRL::ComPtr<ID3D12Device>> every_device_;
  // A queue that waits for a fence which is gone would wait for nothing.
  std::vector<Microsoft::WRL::ComPtr<ID3D12Fence>> every_fence_;

  Slots<ID3D12Device> devices_;
  Slots<ID3D12CommandQueue> queues_;
  Slots<ID3D12CommandAllocator> allocators_;
  Slots<ID3D12GraphicsCommandList> lists_;
  Slots<ID3D12Fence> fences_;
  Slots<ID3D12DescriptorHeap> descriptors_;
  Slots<ID3D12Heap> heaps_;
  Slots<ID3D12Resource> buffers_;
  Slots<ID3D12QueryHeap> queries_;
  Slots<IDMLDevice1> dml_;
  Slots<IDMLOperator> operators_;
  std::array<std::shared_ptr<const schema::Arguments>, kSlots> arguments_;  // of operators_
  std::array<Compiled, kSlots> compiled_;
  Slots<IDMLOperatorInitializer> initializers_;
  Slots<IDMLBindingTable> tables_;
  Slots<IDMLCommandRecorder> recorders_;
};

template <typename Enum>
void CallMachine::SetEnum(Enum& member, uint32_t count) {
  static_assert(sizeof member == sizeof(uint32_t));
  // Not assigned: that would already be a value which the type may not have.
  const uint32_t number = static_cast<uint32_t>(Number(bytes_.Below(count)));
  std::memcpy(&member, &number, sizeof member);
}

template <typename F>
void CallMachine::Try(F&& call) {
  SetLastError("");
  const HRESULT code = call();
  if (FAILED(code)) RequireSentence(LastErrorOfThread());
}

}  // namespace anydml::test
