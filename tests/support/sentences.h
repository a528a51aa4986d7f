// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Calls that must fail, each with a fresh sentence that names its method.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/last_error.h"
#include "d3d12/internal.h"

namespace anydml::test {

struct FailingCall {
  const char* method;
  HRESULT code;  // S_OK for methods that return nothing
  std::function<HRESULT()> call;
};

inline std::string NewestMessage(ID3D12InfoQueue* messages) {
  const UINT64 count = messages->GetNumStoredMessages();
  if (count == 0) return "";
  SIZE_T bytes = 0;
  messages->GetMessage(count - 1, nullptr, &bytes);
  std::vector<UINT64> memory(bytes / sizeof(UINT64) + 1);
  auto* message = reinterpret_cast<D3D12_MESSAGE*>(memory.data());
  messages->GetMessage(count - 1, message, &bytes);
  return message->pDescription;
}

// With an info queue, its newest message must be the sentence too.
inline void ExpectSentences(const std::vector<FailingCall>& calls, ID3D12InfoQueue* messages) {
  for (const FailingCall& failing : calls) {
    SetLastError("stale");
    if (messages != nullptr) messages->ClearStoredMessages();
    EXPECT_EQ(failing.call(), failing.code) << failing.method;
    const std::string sentence(LastErrorOfThread());
    EXPECT_NE(sentence.find(std::string(failing.method) + ": "), std::string::npos)
        << failing.method << " says '" << sentence << "'";
    if (messages == nullptr) continue;
    EXPECT_EQ(NewestMessage(messages), sentence) << failing.method;
  }
}

}  // namespace anydml::test
