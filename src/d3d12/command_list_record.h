// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the recording methods of CommandList begin and end.
#pragma once

#include "d3d12/command_list.h"
#include "d3d12/device.h"

namespace anydml::d3d12 {

template <typename Body>
void CommandList::Record(const char* method, Body&& body) {
  const HRESULT result = CallAlive(method, [&]() -> HRESULT {
    if (state_ != State::kRecording) {
      return device().Fail(S_FALSE, fmt::format("{}: the command list is closed", method));
    }
    const Status status = body();
    if (status.ok()) return S_OK;
    Break(ToHresult(status.error().code), fmt::format("{}: {}", method, status.error().message));
    return S_FALSE;
  });
  if (FAILED(result)) error_ = result;  // removed, or no memory even to say it
}

template <typename T, typename... Arguments>
void CommandList::Add(Arguments&&... arguments) {
  works_->push_back(std::make_shared<T>(std::forward<Arguments>(arguments)...));
}

}  // namespace anydml::d3d12
