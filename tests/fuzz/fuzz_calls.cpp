// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Calls of Direct3D 12 and DirectML in any order, with any arguments: each
// succeeds or fails with a sentence, and in the end nothing is left.
#include "fuzz/call_machine.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace anydml::test;
  static const int without_cuda = setenv("CUDA_VISIBLE_DEVICES", "", 1);
  Require(without_cuda == 0, "no environment");
  constexpr int kMaxCalls = 200;
  Bytes bytes(data, size);
  CallMachine machine(bytes);
  for (int i = 0; i < kMaxCalls && !bytes.done(); ++i) machine.Step();
  return 0;
}
