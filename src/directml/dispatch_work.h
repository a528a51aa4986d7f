// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What RecordDispatch puts into a command list.
#pragma once

#include "directml/binding.h"

namespace anydml::directml {

using WorkPointer = std::shared_ptr<const d3d12::Work>;

// Checks the bindings and keeps them, and the buffers, for as long as the work
// lives.
Result<WorkPointer> MakeWork(const Dispatchable& target, const BoundRanges& bound);

// Work whose bindings are taken at submission. They stay those of the table as
// it was targeted when the work was recorded.
WorkPointer MakeLateWork(ComPtr<CompiledOperator> op, std::shared_ptr<const BoundRanges> bound);

}  // namespace anydml::directml
