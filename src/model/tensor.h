// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A tensor description in a model: the members of DML_BUFFER_TENSOR_DESC, or
// those wrapped as { "Type": "BUFFER", "Desc": { ... } }.
#pragma once

#include <optional>

#include "model/json_text.h"
#include "model/place.h"
#include "tensor/tensor_desc.h"

namespace anydml::model {

// Only what text can get wrong is told here; the rules T2 to T11 are the
// schema's. A TotalTensorSizeInBytes that is left out (or 0, as in DxDispatch)
// is the least legal one.
std::optional<TensorDesc> ReadTensor(const Json& value, const Place& place);

}  // namespace anydml::model
