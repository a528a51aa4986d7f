// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Copies between layouts in which two to four rows of one tensor lie element by element between
// one another in the other tensor.
#pragma once

#include "backends/cpu/executor.h"
#include "tensor/strided_loop.h"

namespace anydml::cpu {

struct InterleavedRows {
  bool joins;      // the output has the elements of all rows between one another
  uint32_t count;  // of the rows; 0: the loop is no such copy
  int64_t apart;   // from row to row in the other tensor
  StridedLoop<2> rows;
};
InterleavedRows FindInterleavedRows(const StridedLoop<2>& loop);

void CopyInterleavedRows(const InterleavedRows& copy, uint32_t element_size, const void* from,
                         void* to, const Executor& executor);

}  // namespace anydml::cpu
