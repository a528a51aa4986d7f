// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// MAX_POOLING by the pages: the largest element of each window, and its index in
// the input taken as a contiguous one-dimensional array.
#include <cmath>
#include <limits>
#include <vector>

#include "operators/max_pooling/desc.h"
#include "operators/reference_windows.h"

namespace anydml::max_pooling {
namespace {

using reference::Coordinate;

// All coordinates that the window sees, in logical order.
void ListTaps(const Desc& desc, const Coordinate& window, uint32_t axis, Coordinate& tap,
              std::vector<Coordinate>& taps) {
  if (axis == desc.input.dimension_count - 2) {
    taps.push_back(tap);
    return;
  }
  for (int64_t p : reference::WindowPositions(desc.window, desc.input, axis, window[2 + axis])) {
    tap[2 + axis] = p;
    ListTaps(desc, window, axis + 1, tap, taps);
  }
}

// B6, and plain comparison for integers.
bool Replaces(const TensorDesc& x, const void* data, const Coordinate& a, const Coordinate& b) {
  if (x.data_type == DataType::kFloat32 || x.data_type == DataType::kFloat16) {
    const float value = reference::GetFloat(x, data, a);
    const float best = reference::GetFloat(x, data, b);
    return value > best || (std::isnan(value) && !std::isnan(best));
  }
  bool greater = false;
  DispatchType(IntegerTypes(), x.data_type, [&]<typename T>() {
    greater = reference::Get<T>(x, data, a) > reference::Get<T>(x, data, b);
  });
  return greater;
}

void PutLowest(const TensorDesc& y, void* data, const Coordinate& c) {
  if (y.data_type == DataType::kFloat32 || y.data_type == DataType::kFloat16) {
    reference::PutFloat(y, data, c, -std::numeric_limits<float>::infinity());
    return;
  }
  DispatchType(IntegerTypes(), y.data_type,
               [&]<typename T>() { reference::Put<T>(y, data, c, std::numeric_limits<T>::min()); });
}

void PutIndex(const TensorDesc& indices, void* data, const Coordinate& c, uint64_t index) {
  if (indices.data_type == DataType::kUint64) {
    reference::Put<uint64_t>(indices, data, c, index);
  } else if (indices.data_type == DataType::kUint32) {
    reference::Put<uint32_t>(indices, data, c, static_cast<uint32_t>(index));
  }
}

}  // namespace

void Reference(const Desc& desc, const Bindings& bindings) {
  const void* x = bindings.inputs[0];
  std::vector<Coordinate> taps;
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& window) {
    taps.clear();
    Coordinate tap = window;
    ListTaps(desc, window, 0, tap, taps);
    if (taps.empty()) {
      PutLowest(desc.output, bindings.outputs[0], window);
      PutIndex(desc.indices, bindings.outputs[1], window, ~uint64_t{0});
      return;
    }
    Coordinate winner = taps.front();
    for (const Coordinate& candidate : taps) {
      if (Replaces(desc.input, x, candidate, winner)) winner = candidate;
    }
    reference::Copy(desc.input, x, winner, desc.output, bindings.outputs[0], window);
    PutIndex(desc.indices, bindings.outputs[1], window,
             reference::LogicalIndex(desc.input, winner));
  });
}

}  // namespace anydml::max_pooling
