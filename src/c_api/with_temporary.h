// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Executions with the caller's temporary memory, or with the library's where there is none.
#pragma once

#include "backends/cuda/runtime.h"
#include "c_api/temporary_pool.h"

namespace anydml::c_api {

template <typename Run>
Status WithTemporary(TemporaryPool& temporaries, uint64_t bytes, void* given, const Run& run) {
  if (given != nullptr || bytes == 0) return run(given);
  Result<TemporaryPool::Block> block = temporaries.Take(bytes);
  if (!block.ok()) return block.error();
  Status status = run(block.value().memory.get());
  temporaries.Return(std::move(block).value());
  return status;
}

template <typename Launch>
Status WithTemporaryOnStream(int ordinal, uint64_t bytes, void* given, cuda::Stream stream,
                             const Launch& launch) {
  if (given != nullptr || bytes == 0) return launch(given);
  const cuda::ScopedDevice device(ordinal);
  Result<void*> memory = cuda::AllocateOnStream(bytes, stream);
  if (!memory.ok()) return memory.error();
  Status status = launch(memory.value());
  Status freed = cuda::FreeOnStream(memory.value(), stream);
  return status.ok() ? freed : status;
}

}  // namespace anydml::c_api
