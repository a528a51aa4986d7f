// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A device as the C interface opens it: options, threads, a queue for what is
// started and not waited for.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>

#include "anydml/anydml.h"
#include "backends/cpu/executor.h"
#include "backends/cpu/forks.h"
#include "backends/cpu/task_queue.h"
#include "c_api/temporary_pool.h"
#include "operators/device_program.h"

namespace anydml::c_api {

struct Device {
  Device(const DeviceOptions& device_options, int threads, CudaOrdinal cuda_ordinal = {})
      : options(WithThreads(device_options, threads)), cuda(cuda_ordinal), executor(threads) {}

  // Those that the executor puts to work.
  static DeviceOptions WithThreads(DeviceOptions options, int threads) {
    const int cores = cpu::AvailableCores();
    options.threads = threads > 0 ? std::min(threads, cores) : cores;
    return options;
  }

  // CUDA is of no use in a forked child of the process that opened the device.
  Status CheckFork() const {
    if (!cuda || cpu::ForkDepth() == fork_depth) return {};
    return Unsupported(
        "this CUDA device was opened before the process was forked, which CUDA does not outlive; "
        "start the process anew (exec, Python's spawn)");
  }

  const DeviceOptions options;
  const CudaOrdinal cuda;
  const uint32_t fork_depth = cpu::ForkDepth();
  // Of the CPU; a CUDA device leaves them idle.
  const cpu::Executor executor;
  TemporaryPool temporaries;
  cpu::TaskQueue queue;  // last: its destructor waits for work that uses the rest
};

Result<std::shared_ptr<Device>> OpenDevice(std::string_view name,
                                           const anydml_device_options* options);

}  // namespace anydml::c_api

struct anydml_device {
  std::shared_ptr<anydml::c_api::Device> device;
};
