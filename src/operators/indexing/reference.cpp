// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operators of this folder by their pages, as plain loops over coordinates.
#include "operators/reference.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "operators/indexing/desc.h"

namespace anydml::indexing {
namespace {

using reference::Coordinate;

// The element of the input that the indices say for an element of the output, or of the updates.
// Along `axes` it may be outside.
struct Choice {
  Coordinate element = {};
  uint32_t first_axis = 0;
  uint32_t axes = 1;
};

Choice Choose(const IndexedDesc& desc, const void* indices, const Coordinate& c) {
  Choice choice;
  if (!desc.has_tuples) {
    choice.element = c;
    choice.first_axis = desc.axis;
    choice.element[desc.axis] =
        reference::IndexAt(desc.indices, indices, c, desc.input.sizes[desc.axis]);
    return choice;
  }
  // The input's counted dimensions are the batch, those of the tuple, and the rest.
  const uint32_t rank = desc.input.dimension_count, batch = desc.batch_dimensions;
  const uint32_t outer = desc.index_dimensions - 1;
  choice.axes = desc.indices.sizes[rank - 1];
  choice.first_axis = rank - desc.input_dimensions + batch;
  const uint32_t rest = rank - choice.first_axis - choice.axes;
  const auto at = [&](uint32_t k) { return c[rank - outer - rest + k]; };
  Coordinate tuple = {};
  for (uint32_t k = 0; k < outer; ++k) tuple[rank - 1 - outer + k] = at(k);
  for (uint32_t k = 0; k < batch; ++k) choice.element[choice.first_axis - batch + k] = at(k);
  for (uint32_t k = 0; k < rest; ++k) choice.element[rank - rest + k] = at(outer + k);
  for (uint32_t t = 0; t < choice.axes; ++t) {
    tuple[rank - 1] = t;
    const uint32_t axis = choice.first_axis + t;
    choice.element[axis] = reference::IndexAt(desc.indices, indices, tuple, desc.input.sizes[axis]);
  }
  return choice;
}

}  // namespace

// An index outside gives the nearest element (B76).
void GatherReference(const IndexedDesc& desc, const Bindings& bindings) {
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    Choice choice = Choose(desc, bindings.inputs[1], c);
    for (uint32_t a = choice.first_axis; a < choice.first_axis + choice.axes; ++a) {
      choice.element[a] =
          std::clamp<int64_t>(choice.element[a], 0, int64_t{desc.input.sizes[a]} - 1);
    }
    reference::Copy(desc.input, bindings.inputs[0], choice.element, desc.output,
                    bindings.outputs[0], c);
  });
}

// Updates in ascending order; one with an index outside writes nothing (B77).
void ScatterReference(const IndexedDesc& desc, const Bindings& bindings) {
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    reference::Copy(desc.input, bindings.inputs[0], c, desc.output, bindings.outputs[0], c);
  });
  reference::ForEachCoordinate(desc.updates, [&](const Coordinate& c) {
    const Choice choice = Choose(desc, bindings.inputs[1], c);
    for (uint32_t a = choice.first_axis; a < choice.first_axis + choice.axes; ++a) {
      if (choice.element[a] < 0 || choice.element[a] >= desc.output.sizes[a]) return;
    }
    reference::Copy(desc.updates, bindings.inputs[2], c, desc.output, bindings.outputs[0],
                    choice.element);
  });
}

// The first K in the order of the values, equal ones by their indices; a NaN is above every number
// (B79).
void TopKReference(const TopKDesc& desc, const Bindings& bindings) {
  TensorDesc lines = desc.input;
  lines.sizes[desc.axis] = 1;
  reference::ForEachCoordinate(lines, [&](const Coordinate& line) {
    const auto at = [&](uint32_t i) {
      Coordinate c = line;
      c[desc.axis] = i;
      return c;
    };
    std::vector<uint32_t> order(desc.input.sizes[desc.axis]);
    std::iota(order.begin(), order.end(), 0u);
    DispatchType(reference::AllTypes(), desc.input.data_type, [&]<typename T>() {
      const auto value = [&](uint32_t i) {
        return reference::Value(reference::Get<T>(desc.input, bindings.inputs[0], at(i)));
      };
      const auto is_less = [](auto a, auto b) { return b != b ? a == a : a < b; };
      std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) {
        return desc.increasing ? is_less(value(a), value(b)) : is_less(value(b), value(a));
      });
    });
    for (uint32_t k = 0; k < desc.k; ++k) {
      reference::Copy(desc.input, bindings.inputs[0], at(order[k]), desc.values,
                      bindings.outputs[0], at(k));
      if (desc.indices.data_type == DataType::kUint64) {
        reference::Put(desc.indices, bindings.outputs[1], at(k), uint64_t{order[k]});
      } else {
        reference::Put(desc.indices, bindings.outputs[1], at(k), order[k]);
      }
    }
  });
}

// A row for each, by ascending logical index; rows beyond the count are not written (B82).
void NonzeroReference(const NonzeroDesc& desc, const Bindings& bindings) {
  const uint32_t last = desc.coordinates.dimension_count - 1;
  const uint32_t columns = desc.coordinates.sizes[last];
  uint32_t count = 0;
  reference::ForEachCoordinate(desc.input, [&](const Coordinate& c) {
    bool is_zero = false;
    DispatchType(reference::AllTypes(), desc.input.data_type, [&]<typename T>() {
      is_zero = reference::Value(reference::Get<T>(desc.input, bindings.inputs[0], c)) == 0;
    });
    if (is_zero) return;
    for (uint32_t k = 0; k < columns; ++k) {
      Coordinate to = {};
      to[last - 1] = count;
      to[last] = k;
      const int64_t coordinate = c[desc.input.dimension_count - columns + k];
      reference::Put(desc.coordinates, bindings.outputs[1], to, static_cast<uint32_t>(coordinate));
    }
    ++count;
  });
  reference::Put(desc.count, bindings.outputs[0], Coordinate{}, count);
}

}  // namespace anydml::indexing
