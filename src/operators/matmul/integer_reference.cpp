// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// MATRIX_MULTIPLY_INTEGER by the page: sums of products of differences, modulo 2^32.
#include "operators/matmul/desc.h"
#include "operators/reference.h"

namespace anydml::matmul {
namespace {

using reference::Coordinate;

int64_t ByteAt(const TensorDesc& tensor, const void* data, const Coordinate& c) {
  if (tensor.data_type == DataType::kUint8) return reference::Get<uint8_t>(tensor, data, c);
  return reference::Get<int8_t>(tensor, data, c);
}

// The one element, or that of a place in the dimension `from_last` before the last.
int64_t ZeroAt(const TensorDesc& zero, const void* data, uint32_t from_last, int64_t place) {
  if (!zero.present()) return 0;
  Coordinate c = {};
  if (zero.ElementCount() > 1) c[zero.dimension_count - 1 - from_last] = place;
  return ByteAt(zero, data, c);
}

}  // namespace

void IntegerReference(const IntegerDesc& desc, const Bindings& bindings) {
  const uint32_t rows = desc.a.dimension_count - 2, columns = rows + 1;
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < desc.a.sizes[columns]; ++k) {
      Coordinate at_a = c, at_b = c;
      at_a[columns] = at_b[rows] = k;
      const int64_t a = ByteAt(desc.a, bindings.inputs[0], at_a) -
                        ZeroAt(desc.a_zero, bindings.inputs[1], 1, c[rows]);
      const int64_t b = ByteAt(desc.b, bindings.inputs[2], at_b) -
                        ZeroAt(desc.b_zero, bindings.inputs[3], 0, c[columns]);
      sum += static_cast<uint64_t>(a * b);
    }
    reference::Put<uint32_t>(desc.output, bindings.outputs[0], c, static_cast<uint32_t>(sum));
  });
}

}  // namespace anydml::matmul
