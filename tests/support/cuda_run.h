// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The same tests on every NVIDIA device that is there: tensors travel with their
// guards, so that a write beside an element is seen on the device too.
#pragma once

#include <span>
#include <vector>

#include "operators/cuda_operator.h"
#include "support/tensor_data.h"

namespace anydml::test {

// Of the operator's kernel, those that take the description.
std::vector<const CudaStrategy*> AcceptingCudaStrategies(const Operator& op);

// Runs on one device: inputs and outputs (whose guards and gaps count) go there
// and come back. With `in_place_on` output 0 lies over that input, and comes back
// in it.
Status RunOnCuda(const CudaProgram& program, std::span<TensorMemory> inputs,
                 std::span<TensorMemory> outputs, std::optional<size_t> in_place_on = {});

}  // namespace anydml::test
