// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Descriptions that are valid by construction, of most operators: small tensors
// of any type and layout, attributes at their edges. No operator is named; what a
// struct asks for follows from the fields that it has.
#pragma once

#include "fuzz/bytes.h"
#include "operators/operator.h"
#include "schema/arguments.h"

namespace anydml::test {

// No tensor has more elements than this, and none spans more than 16 times as many.
inline constexpr uint32_t kMaxFuzzElements = 4096;

// One of the registry.
const Definition& ChooseAnyDefinition(Bytes& bytes);

// One of which MakeValidDescription makes valid descriptions; the first call prints the others.
const Definition& ChooseDefinition(Bytes& bytes);

// With `like`, the first tensor has its type and sizes where the operator's table
// allows them, so that operators of a graph fit together.
schema::Arguments MakeValidDescription(const Definition& definition, Bytes& bytes,
                                       const TensorDesc* like = nullptr);

// Any layout that the rules allow: permuted, with gaps, and for tensors that are
// only read broadcast and overlapping. Sets the total size too.
void ChooseLayout(TensorDesc& tensor, bool is_output, Bytes& bytes);

// A number at or near an edge of 32 bits, or any.
uint32_t EdgeWord(Bytes& bytes);
// The bits of a FLOAT: ordinary, huge, tiny, infinite, NaN, or any.
uint32_t EdgeFloat(Bytes& bytes);

}  // namespace anydml::test
