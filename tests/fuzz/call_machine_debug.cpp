// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What programs attach to objects, and the debug layer.
#include <climits>
#include <cstring>

#include "d3d12/witness.h"
#include "fuzz/call_machine.h"

namespace anydml::test {

using Microsoft::WRL::ComPtr;

namespace {

d3d12::Witness attached;

constexpr size_t kMaxBytes = 64;

GUID Key(Bytes& bytes) { return {0x0ddba11, static_cast<USHORT>(bytes.Below(3)), 0, {}}; }

// The size is that of the data, unless there is none.
template <typename Object>
HRESULT SetData(Object* object, Bytes& bytes) {
  constexpr char kData[kMaxBytes] = "data";
  const bool is_null = bytes.Below(4) == 3;
  const UINT size = is_null && bytes.Flip() ? UINT_MAX : bytes.Below(kMaxBytes + 1);
  return object->SetPrivateData(Key(bytes), size, is_null ? nullptr : kData);
}

template <typename Object>
HRESULT GetData(Object* object, Bytes& bytes) {
  alignas(8) char data[kMaxBytes] = {};
  UINT size = bytes.Below(kMaxBytes + 1);
  const UINT room = size;
  const GUID key = Key(bytes);
  const ULONG held = attached.references;
  const bool asks = bytes.Below(4) == 3;
  const HRESULT code =
      object->GetPrivateData(key, bytes.Rarely() ? nullptr : &size, asks ? nullptr : data);
  Require(FAILED(code) || asks || size <= room, "more data than there is room");
  // An interface comes with a reference of its own.
  if (attached.references > held) attached.Release();
  return code;
}

template <typename Object>
HRESULT UseData(Object* object, Bytes& bytes) {
  switch (bytes.Below(4)) {
    case 0:
      return SetData(object, bytes);
    case 1:
      return GetData(object, bytes);
    case 2: {
      const GUID key = Key(bytes);
      return object->SetPrivateDataInterface(key, bytes.Rarely() ? nullptr : &attached);
    }
    default:
      return object->SetName(bytes.Rarely() ? nullptr : L"a name");
  }
}

}  // namespace

void CallMachine::UsePrivateData() {
  const uint32_t slot = bytes_.Below(kSlots);
  ID3D12Object* const objects[] = {devices_[slot].Get(),    queues_[slot].Get(),
                                   allocators_[slot].Get(), lists_[slot].Get(),
                                   fences_[slot].Get(),     descriptors_[slot].Get(),
                                   heaps_[slot].Get(),      buffers_[slot].Get()};
  IDMLObject* const dml_objects[] = {
      dml_[slot].Get(),          operators_[slot].Get(), compiled_[slot].object.Get(),
      initializers_[slot].Get(), tables_[slot].Get(),    recorders_[slot].Get()};
  if (bytes_.Flip()) {
    IDMLObject* object = bytes_.OneOf(dml_objects);
    if (object != nullptr) Try([&] { return UseData(object, bytes_); });
  } else {
    ID3D12Object* object = bytes_.OneOf(objects);
    if (object != nullptr) Try([&] { return UseData(object, bytes_); });
  }
}

void CallMachine::CheckPrivateData() {
  Require(attached.references == 1, "an object that is gone holds one of the program's");
}

void CallMachine::SwitchDebugLayer(bool on) {
  ComPtr<ID3D12Debug4> debug;
  Require(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)) == S_OK, LastErrorOfThread());
  if (on) {
    debug->EnableDebugLayer();
  } else {
    debug->DisableDebugLayer();
  }
}

// A filter of up to three entries a list; now and then a number without a list.
void CallMachine::UseFilter(ID3D12InfoQueue1* messages) {
  D3D12_MESSAGE_CATEGORY categories[] = {D3D12_MESSAGE_CATEGORY_EXECUTION,
                                         D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED};
  D3D12_MESSAGE_SEVERITY severities[] = {D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_SEVERITY_INFO};
  D3D12_MESSAGE_ID ids[] = {D3D12_MESSAGE_ID_UNKNOWN, D3D12_MESSAGE_ID_STRING_FROM_APPLICATION,
                            D3D12_MESSAGE_ID_UNKNOWN};
  D3D12_INFO_QUEUE_FILTER filter = {};
  for (D3D12_INFO_QUEUE_FILTER_DESC* list : {&filter.AllowList, &filter.DenyList}) {
    *list = {bytes_.Below(3), categories, bytes_.Below(3), severities, bytes_.Below(4), ids};
    if (!bytes_.Rarely()) continue;
    list->pIDList = nullptr;
    list->NumIDs = static_cast<UINT>(Number(UINT_MAX));
  }
  D3D12_INFO_QUEUE_FILTER* given = bytes_.Rarely() ? nullptr : &filter;
  switch (bytes_.Below(10)) {
    case 0:
      return Try([&] { return messages->PushStorageFilter(given); });
    case 1:
      return Try([&] { return messages->AddStorageFilterEntries(given); });
    case 2:
      return Try([&] { return messages->PushRetrievalFilter(given); });
    case 3:
      return Try([&] { return messages->AddRetrievalFilterEntries(given); });
    case 4:
      return Try([&] { return messages->PushCopyOfStorageFilter(); });
    case 5:
      return Try([&] { return messages->PushEmptyRetrievalFilter(); });
    case 6:
      return messages->PopStorageFilter();
    case 7:
      return messages->ClearRetrievalFilter();
    default: {
      alignas(8) std::byte read[512];
      SIZE_T bytes = static_cast<SIZE_T>(Number(sizeof read));
      if (bytes > sizeof read) bytes = 8;
      auto* room = reinterpret_cast<D3D12_INFO_QUEUE_FILTER*>(read);
      Try([&] { return messages->GetStorageFilter(bytes_.Flip() ? room : nullptr, &bytes); });
    }
  }
}

void CallMachine::UseMessages(ID3D12InfoQueue1* messages) {
  constexpr auto kIgnore = [](D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID,
                              LPCSTR, void*) {};
  switch (bytes_.Below(6)) {
    case 0:
      return Try([&] {
        return messages->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO,
                                               bytes_.Rarely() ? nullptr : "a message");
      });
    case 1:
      return Try([&] { return messages->SetMessageCountLimit(Number(bytes_.Below(4))); });
    case 2: {
      alignas(8) std::byte read[512];
      SIZE_T bytes = bytes_.Flip() ? sizeof read : bytes_.Below(64);
      auto* room = reinterpret_cast<D3D12_MESSAGE*>(read);
      const uint64_t index = Number(bytes_.Below(4));
      return Try(
          [&] { return messages->GetMessage(index, bytes_.Flip() ? room : nullptr, &bytes); });
    }
    case 3: {
      DWORD cookie = 0;
      const D3D12MessageFunc function = bytes_.Rarely() ? nullptr : +kIgnore;
      DWORD* given = bytes_.Rarely() ? nullptr : &cookie;
      return Try([&] {
        return messages->RegisterMessageCallback(function, D3D12_MESSAGE_CALLBACK_FLAG_NONE,
                                                 nullptr, given);
      });
    }
    case 4:
      return Try([&] { return messages->UnregisterMessageCallback(bytes_.Below(4)); });
    default:
      return messages->ClearStoredMessages();
  }
}

void CallMachine::UseMessageSettings(ID3D12InfoQueue1* messages) {
  const uint64_t number = Number(bytes_.Below(8));
  const auto severity = static_cast<D3D12_MESSAGE_SEVERITY>(bytes_.Below(8));
  const auto category = static_cast<D3D12_MESSAGE_CATEGORY>(bytes_.Below(16));
  switch (bytes_.Below(8)) {
    case 0:
      return Try(
          [&] { return messages->SetBreakOnCategory(category, number != 0 ? TRUE : FALSE); });
    case 1:
      return Try([&] { return messages->SetBreakOnSeverity(severity, TRUE); });
    case 2:
      messages->GetBreakOnCategory(category);
      messages->GetBreakOnSeverity(severity);
      return;
    case 3:
      messages->SetMuteDebugOutput(number != 0 ? TRUE : FALSE);
      Require((messages->GetMuteDebugOutput() != FALSE) == (number != 0),
              "the output is not muted");
      return;
    case 4:
      return Try([&] {
        return messages->AddMessage(category, severity, D3D12_MESSAGE_ID_UNKNOWN,
                                    bytes_.Rarely() ? nullptr : "a message");
      });
    case 5:
      Try([&] { return messages->PushEmptyStorageFilter(); });
      Try([&] { return messages->PushCopyOfRetrievalFilter(); });
      return messages->PopRetrievalFilter();
    case 6:
      return messages->ClearStorageFilter();
    default:
      Require(messages->GetNumStoredMessagesAllowedByRetrievalFilter() <=
                  messages->GetNumStoredMessages(),
              "more messages pass the filter than there are");
  }
}

void CallMachine::UseInfoQueue() {
  if (bytes_.Rarely()) return SwitchDebugLayer(false);
  SwitchDebugLayer(true);
  ID3D12Device* device = In(devices_).Get();
  if (device == nullptr) return;
  ComPtr<ID3D12InfoQueue1> messages;
  Try([&] { return device->QueryInterface(IID_PPV_ARGS(&messages)); });
  if (messages == nullptr) return;
  return bytes_.Flip() ? UseFilter(messages.Get()) : UseMessages(messages.Get());
}

}  // namespace anydml::test
