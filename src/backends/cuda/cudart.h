// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// NVIDIA's runtime behind the functions of interface.h. A part of
// libanydml_cuda.so alone.
#pragma once

#include "backends/cuda/interface.h"

namespace anydml::cuda {

extern const RuntimeFunctions kRuntimeFunctions;

// What went wrong with the kernels that were just launched; true: nothing.
bool LaunchStatus(Failure* failure);

// fill.cu.
bool FillPattern(void* to, const void* pattern, uint64_t bytes, Stream stream, Failure* failure);
bool PutTime(uint64_t* to, Stream stream, Failure* failure);

// Memory of the current device with the host's bytes in it, which may go when this
// returns; null, and the failure, where that did not work.
void* Send(const void* from, uint64_t bytes, Failure* failure);
void FreeDeviceMemory(void* memory);

// Where an allocation of the host has failed.
void TellOutOfMemory(Failure* failure);

}  // namespace anydml::cuda
