// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "schema/copied_window.h"

#include <fmt/format.h>

#include <cstdlib>

namespace anydml::schema {

Status CheckCopiedWindow(const Arguments& arguments, const CopiedWindowFields& fields) {
  const auto name = [&](size_t field) { return arguments.schema().fields[field].name; };
  const TensorDesc& whole = arguments.tensor(fields.whole);
  const TensorDesc& part = arguments.tensor(fields.part);
  for (uint32_t i = 0; i < whole.dimension_count; ++i) {
    // Wide enough for offset + size of two UINTs, and for |INT_MIN| = 2^31.
    const int64_t offset = arguments.Uints(fields.offsets)[i];
    const int64_t size = arguments.Uints(fields.sizes)[i];
    const int64_t stride = arguments.IntAt(fields.strides, i);
    if (offset + size > whole.sizes[i]) {
      return arguments.Fail(
          fmt::format("{0}[{2}] + {1}[{2}] = {3} + {4} must be at most {5}.Sizes"
                      "[{2}] = {6}",
                      name(fields.offsets), name(fields.sizes), i, offset, size, name(fields.whole),
                      whole.sizes[i]));
    }
    // The page divides by the signed stride; only the magnitude makes sense (B16).
    const int64_t reachable = 1 + (size - 1) / std::abs(stride);
    if (part.sizes[i] > reachable) {
      return arguments.Fail(
          fmt::format("{0}.Sizes[{3}] = {4} must be at most 1 + ({1}[{3}] - 1) / |{2}[{3}]| = {5}",
                      name(fields.part), name(fields.sizes), name(fields.strides), i, part.sizes[i],
                      reachable));
    }
  }
  return {};
}

}  // namespace anydml::schema
