// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operators of this folder by their pages, as plain loops over coordinates.
#include "operators/reference.h"

#include <directml.h>

#include <algorithm>

#include "operators/rearrangement/desc.h"

namespace anydml::rearrangement {
namespace {

using reference::Coordinate;

// One step towards the input at a time would be the page's words; whole periods are left out
// first, since a padding may be long.
int64_t PaddedIndex(int64_t i, int64_t n, uint32_t mode) {
  if (mode == DML_PADDING_MODE_EDGE || n == 1) return std::clamp<int64_t>(i, 0, n - 1);
  if (mode == DML_PADDING_MODE_WRAP) return ((i % n) + n) % n;
  // Reflected about the first and the last element, or about the borders beyond them.
  const int64_t beyond = mode == DML_PADDING_MODE_SYMMETRIC ? 1 : 0;
  const int64_t period = 2 * (n - 1 + beyond);
  i %= period;
  while (i < 0 || i >= n) i = i < 0 ? -i - beyond : 2 * (n - 1) - i + beyond;
  return i;
}

}  // namespace

void PaddingReference(const PaddingDesc& desc, const Bindings& bindings) {
  const TensorDesc &input = desc.input, &output = desc.output;
  reference::ForEachCoordinate(output, [&](const Coordinate& c) {
    Coordinate source = {};
    bool is_padding = false;
    for (uint32_t i = 0; i < input.dimension_count; ++i) {
      const int64_t n = input.sizes[i];
      source[i] = c[i] - int64_t{desc.start[i]};
      const bool is_outside = source[i] < 0 || source[i] >= n;
      if (is_outside && desc.mode == DML_PADDING_MODE_CONSTANT) is_padding = true;
      if (is_outside && !is_padding) source[i] = PaddedIndex(source[i], n, desc.mode);
    }
    if (!is_padding) {
      return reference::Copy(input, bindings.inputs[0], source, output, bindings.outputs[0], c);
    }
    DispatchWidth(ElementSize(output.data_type), [&]<typename T>() {
      reference::Put(output, bindings.outputs[0], c, desc.value.As<T>());
    });
  });
}

// "Constructs an output tensor by tiling the input tensor."
void TileReference(const PaddingDesc& desc, const Bindings& bindings) {
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    Coordinate source = {};
    for (uint32_t i = 0; i < desc.input.dimension_count; ++i)
      source[i] = c[i] % desc.input.sizes[i];
    reference::Copy(desc.input, bindings.inputs[0], source, desc.output, bindings.outputs[0], c);
  });
}

// space[n, c, h * B + y, w * B + x] = depth[n, q, h, w], q being (y * B + x) * C + c or
// (c * B + y) * B + x.
void BlocksReference(const BlocksDesc& desc, const Bindings& bindings) {
  const TensorDesc& depth = desc.to_depth ? desc.output : desc.input;
  const TensorDesc& space = desc.to_depth ? desc.input : desc.output;
  const int64_t block = desc.block, channels = space.sizes[1];
  reference::ForEachCoordinate(space, [&](const Coordinate& c) {
    const int64_t y = c[2] % block, x = c[3] % block;
    const int64_t q =
        desc.block_is_outer ? (y * block + x) * channels + c[1] : (c[1] * block + y) * block + x;
    const Coordinate in_depth = {c[0], q, c[2] / block, c[3] / block};
    if (desc.to_depth) {
      reference::Copy(space, bindings.inputs[0], c, depth, bindings.outputs[0], in_depth);
    } else {
      reference::Copy(depth, bindings.inputs[0], in_depth, space, bindings.outputs[0], c);
    }
  });
}

// The first elements of a sequence in the opposite order; a length beyond the axis is all of it.
void ReverseReference(const ReverseDesc& desc, const Bindings& bindings) {
  const int64_t size = desc.input.sizes[desc.axis];
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    Coordinate of_length = c, source = c;
    of_length[desc.axis] = 0;
    const int64_t length =
        std::min(reference::IndexAt(desc.lengths, bindings.inputs[1], of_length, 0), size);
    if (c[desc.axis] < length) source[desc.axis] = length - 1 - c[desc.axis];
    reference::Copy(desc.input, bindings.inputs[0], source, desc.output, bindings.outputs[0], c);
  });
}

}  // namespace anydml::rearrangement
