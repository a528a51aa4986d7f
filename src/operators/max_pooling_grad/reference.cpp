// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// MAX_POOLING_GRAD by the page: InputTensor decides the largest element of each
// window, and the window's gradient is added there. Windows are visited in
// ascending logical index, which is the defined order of the sums (B13).
#include <cmath>
#include <vector>

#include "operators/max_pooling_grad/desc.h"
#include "operators/reference_windows.h"

namespace anydml::max_pooling_grad {
namespace {

using reference::Coordinate;

// Finds the winner of the window; false when it sees nothing but padding.
class Search {
 public:
  Search(const Desc& desc, const void* x) : desc_(desc), x_(x) {}

  bool Find(const Coordinate& window, Coordinate& winner) {
    found_ = false;
    Coordinate tap = window;
    Visit(window, 0, tap);
    winner = winner_;
    return found_;
  }

 private:
  void Visit(const Coordinate& window, uint32_t axis, Coordinate& tap) {
    if (axis == desc_.input.dimension_count - 2) return Compare(tap);
    for (int64_t p :
         reference::WindowPositions(desc_.window, desc_.input, axis, window[2 + axis])) {
      tap[2 + axis] = p;
      Visit(window, axis + 1, tap);
    }
  }

  // B6
  void Compare(const Coordinate& tap) {
    const float value = reference::GetFloat(desc_.input, x_, tap);
    if (found_ && !(value > best_) && !(std::isnan(value) && !std::isnan(best_))) return;
    found_ = true;
    best_ = value;
    winner_ = tap;
  }

  const Desc& desc_;
  const void* x_;
  bool found_ = false;
  float best_ = 0;
  Coordinate winner_ = {};
};

}  // namespace

void Reference(const Desc& desc, const Bindings& bindings) {
  std::vector<float> sums(desc.output_gradient.ElementCount(), 0.0f);
  Search search(desc, bindings.inputs[0]);
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

}  // namespace anydml::max_pooling_grad
