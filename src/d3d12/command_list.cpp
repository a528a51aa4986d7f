// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "d3d12/command_list.h"

#include "d3d12/command_list_record.h"

namespace anydml::d3d12 {

CommandList::CommandList(Device& device, D3D12_COMMAND_LIST_TYPE type)
    : DeviceChild(device), type_(type), works_(std::make_shared<WorkList>()) {}

CommandList::~CommandList() { EndRecording(); }

void CommandList::EndRecording() {
  if (allocator_ == nullptr) return;
  allocator_->EndRecording();
  allocator_ = nullptr;
}

HRESULT CommandList::Reset(ID3D12CommandAllocator* allocator, ID3D12PipelineState*) {
  constexpr std::string_view kMethod = "ID3D12GraphicsCommandList::Reset";
  return CallAlive(kMethod, [&] { return Begin(kMethod, allocator); });
}

HRESULT CommandList::Begin(std::string_view method, ID3D12CommandAllocator* allocator) {
  if (state_ == State::kRecording) return Complain(E_FAIL, method, "the list must be closed");
  ComPtr<CommandAllocator> ours = As<CommandAllocator>(allocator);
  if (ours == nullptr || &ours->device() != &device() || ours->type() != type_) {
    return Complain(E_INVALIDARG, method,
                    "pAllocator must be an allocator of this device and of the type of the list");
  }
  auto works = std::make_shared<WorkList>();
  works->reserve(works_->size());  // the next frame is likely as long as the last
  if (!ours->BeginRecording()) {
    return Complain(E_INVALIDARG, method, "another list records with this allocator");
  }
  works_ = std::move(works);
  allocator_ = std::move(ours);
  error_ = S_OK;
  broken_by_.clear();
  state_ = State::kRecording;
  return S_OK;
}

HRESULT CommandList::Close() {
  constexpr std::string_view kMethod = "ID3D12GraphicsCommandList::Close";
  return CallAlive(kMethod, [&]() -> HRESULT {
    if (state_ != State::kRecording) {
      return Complain(E_FAIL, kMethod, "the list is closed already");
    }
    EndRecording();
    state_ = FAILED(error_) ? State::kBroken : State::kClosed;
    if (SUCCEEDED(error_)) return error_;
    if (broken_by_.empty()) {  // there was no memory to say more
      return Complain(error_, kMethod, "a command was refused: not enough memory");
    }
    return Complain(error_, kMethod, "a command was refused: " + broken_by_);
  });
}

HRESULT CommandList::Append(std::shared_ptr<const Work> work) {
  constexpr std::string_view kMethod = "Append";
  return CallAlive(kMethod, [&]() -> HRESULT {
    if (state_ != State::kRecording) {
      return Complain(E_FAIL, kMethod, "the command list must be recording");
    }
    if (work == nullptr) return Complain(E_INVALIDARG, kMethod, "the work must not be null");
    works_->push_back(std::move(work));
    return S_OK;
  });
}

Result<std::shared_ptr<const WorkList>> CommandList::Submit() const {
  // A work tells of what it is bound to, and a callback may reset the list.
  const std::shared_ptr<const WorkList> works = works_;
  std::shared_ptr<WorkList> bound;  // made when the first work is bound late
  for (size_t i = 0; i < works->size(); ++i) {
    Result<std::shared_ptr<const Work>> late = (*works)[i]->Submit();
    if (!late.ok()) return late.error();
    if (late.value() == nullptr) continue;
    if (bound == nullptr) bound = std::make_shared<WorkList>(*works);
    (*bound)[i] = std::move(late).value();
  }
  return bound != nullptr ? std::shared_ptr<const WorkList>(std::move(bound)) : works;
}

void CommandList::Break(HRESULT code, std::string sentence) {
  device().Fail(code, sentence);
  if (SUCCEEDED(error_)) error_ = code;
  if (broken_by_.empty()) broken_by_ = std::move(sentence);
}

void CommandList::Refuse(const char* method) {
  Record(method, [&]() -> Status {
    if (SUCCEEDED(error_)) error_ = E_NOTIMPL;
    return Unsupported(
        "this device copies, clears and runs DirectML's operators; shaders, "
        "textures and graphics are not here");
  });
}

void CommandList::Ignore(const char* method) {
  Call(method, [&] {
    device().Report(D3D12_MESSAGE_SEVERITY_INFO,
                    fmt::format("{}: has no effect on this device", method));
    return S_OK;
  });
}

void CommandList::ClearState(ID3D12PipelineState*) {}

}  // namespace anydml::d3d12
