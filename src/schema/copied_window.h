// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The rule of a window that is copied with signed strides: it lies inside the
// whole tensor, and the part that is copied has no more elements than the
// strides reach. Named by field, so that a slice and its gradient, whose tensors
// exchange roles, share it.
#pragma once

#include "schema/arguments.h"

namespace anydml::schema {

struct CopiedWindowFields {
  size_t whole;  // the tensor that the window lies in
  size_t part;   // the tensor of the copied elements
  size_t offsets;
  size_t sizes;
  size_t strides;  // INT, none of them 0
};

// Needs tensors and arrays of one dimension count, and window sizes of 1 or more.
Status CheckCopiedWindow(const Arguments& arguments, const CopiedWindowFields& fields);

}  // namespace anydml::schema
