// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// By the pages: MAX_POOLING takes the largest element of each window, and its index in the input
// taken as a contiguous one-dimensional array; in MAX_POOLING_GRAD the window's gradient is added
// there; MAX_UNPOOLING puts elements where such indices say.
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "operators/max_pooling/desc.h"
#include "operators/reference_windows.h"

namespace anydml::max_pooling {
namespace {

using reference::Coordinate;

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

// Finds the first of the largest elements of a window; false where it sees nothing but padding.
class Search {
 public:
  Search(const TensorDesc& input, const void* data, const WindowArrays& window)
      : input_(input), data_(data), window_(window) {}

  bool Find(const Coordinate& window, Coordinate& winner) {
    found_ = false;
    Coordinate tap = window;
    Visit(window, 0, tap);
    winner = winner_;
    return found_;
  }

 private:
  // In logical order.
  void Visit(const Coordinate& window, uint32_t axis, Coordinate& tap) {
    if (axis == input_.dimension_count - 2) {
      if (!found_ || Replaces(input_, data_, tap, winner_)) winner_ = tap;
      found_ = true;
      return;
    }
    for (int64_t p : reference::WindowPositions(window_, input_, axis, window[2 + axis])) {
      tap[2 + axis] = p;
      Visit(window, axis + 1, tap);
    }
  }

  const TensorDesc& input_;
  const void* data_;
  const WindowArrays& window_;
  bool found_ = false;
  Coordinate winner_ = {};
};

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
  Search search(desc.input, x, desc.window);
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& window) {
    Coordinate winner;
    if (!search.Find(window, winner)) {
      PutLowest(desc.output, bindings.outputs[0], window);
      PutIndex(desc.indices, bindings.outputs[1], window, ~uint64_t{0});
      return;
    }
    reference::Copy(desc.input, x, winner, desc.output, bindings.outputs[0], window);
    PutIndex(desc.indices, bindings.outputs[1], window,
             reference::LogicalIndex(desc.input, winner));
  });
}

// Windows are visited in ascending logical index, which is the defined order of the sums (B13).
void GradientReference(const GradientDesc& desc, const Bindings& bindings) {
  std::vector<float> sums(desc.output_gradient.ElementCount(), 0.0f);
  Search search(desc.input, bindings.inputs[0], desc.window);
  reference::ForEachCoordinate(desc.input_gradient, [&](const Coordinate& window) {
    Coordinate winner;
    if (!search.Find(window, winner)) return;
    sums[reference::LogicalIndex(desc.input, winner)] +=
        reference::GetFloat(desc.input_gradient, bindings.inputs[1], window);
  });
  reference::ForEachCoordinate(desc.output_gradient, [&](const Coordinate& c) {
    reference::PutFloat(desc.output_gradient, bindings.outputs[0], c,
                        sums[reference::LogicalIndex(desc.output_gradient, c)]);
  });
}

// Of several elements the last one stays, and what lies outside is dropped (B55).
void UnpoolingReference(const UnpoolingDesc& desc, const Bindings& bindings) {
  std::map<uint64_t, Coordinate> sources;
  reference::ForEachCoordinate(desc.input, [&](const Coordinate& c) {
    const bool is_long = desc.indices.data_type == DataType::kUint64;
    const uint64_t index = is_long ? reference::Get<uint64_t>(desc.indices, bindings.inputs[1], c)
                                   : reference::Get<uint32_t>(desc.indices, bindings.inputs[1], c);
    sources[index] = c;
  });
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    const auto source = sources.find(reference::LogicalIndex(desc.output, c));
    if (source == sources.end()) return reference::PutZero(desc.output, bindings.outputs[0], c);
    reference::Copy(desc.input, bindings.inputs[0], source->second, desc.output,
                    bindings.outputs[0], c);
  });
}

}  // namespace anydml::max_pooling
