// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operators of this folder by their pages, as plain loops over coordinates.
#include "operators/reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "operators/movement/desc.h"

namespace anydml::movement {
namespace {

using reference::Coordinate;

// The nearest half of a double: units of the last place, ties to even.
uint16_t HalfOf(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7E00);
  if (magnitude >= 65520.0) return static_cast<uint16_t>(sign | 0x7C00);
  const int exponent = std::max(magnitude == 0 ? -14 : std::ilogb(magnitude), -14);
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<uint16_t>(sign + ((exponent + 14) << 10) + units);
}

template <typename T>
T FromBytes(uint64_t bytes) {
  T value;
  std::memcpy(&value, &bytes, sizeof value);
  return value;
}

}  // namespace

// "Concatenates an array of input tensors along a specified axis", and its inverse.
void PartsReference(const PartsDesc& desc, const Bindings& bindings) {
  int64_t before = 0;
  for (size_t p = 0; p < desc.parts.size(); ++p) {
    const TensorDesc& part = desc.parts[p];
    reference::ForEachCoordinate(part, [&](const Coordinate& c) {
      Coordinate in_whole = c;
      in_whole[desc.axis] += before;
      if (desc.join) {
        reference::Copy(part, bindings.inputs[p], c, desc.whole, bindings.outputs[0], in_whole);
      } else {
        reference::Copy(desc.whole, bindings.inputs[0], in_whole, part, bindings.outputs[p], c);
      }
    });
    before += part.sizes[desc.axis];
  }
}

void ConstantReference(const FillDesc& desc, const Bindings& bindings) {
  DispatchWidth(ElementSize(desc.output.data_type), [&]<typename T>() {
    reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
      reference::Put(desc.output, bindings.outputs[0], c, FromBytes<T>(desc.value));
    });
  });
}

// ValueStart + i * ValueDelta: in double for floats, modulo 2^n for integers (B57).
void SequenceReference(const FillDesc& desc, const Bindings& bindings) {
  const TensorDesc& output = desc.output;
  const auto value_at = [&](uint64_t i, double start, double delta) {
    const double product = static_cast<double>(i) * delta;
    return start + product;
  };
  reference::ForEachCoordinate(output, [&](const Coordinate& c) {
    const uint64_t i = reference::LogicalIndex(output, c);
    void* data = bindings.outputs[0];
    if (output.data_type == DataType::kFloat32) {
      const double value = value_at(i, static_cast<double>(FromBytes<float>(desc.value)),
                                    static_cast<double>(FromBytes<float>(desc.delta)));
      reference::Put(output, data, c, static_cast<float>(value));
    } else if (output.data_type == DataType::kFloat16) {
      const auto number = [](uint64_t bytes) {
        return static_cast<double>(reference::HalfValue(FromBytes<uint16_t>(bytes)));
      };
      reference::Put(output, data, c, HalfOf(value_at(i, number(desc.value), number(desc.delta))));
    } else {
      DispatchWidth(ElementSize(output.data_type), [&]<typename T>() {
        reference::Put(output, data, c, static_cast<T>(desc.value + i * desc.delta));
      });
    }
  });
}

// out[a.., j.., b..] = in[a.., indices[j..], b..]; an index outside gives the nearest element
// (B76).
void GatherReference(const GatherDesc& desc, const Bindings& bindings) {
  const uint32_t rank = desc.input.dimension_count;
  const uint32_t after = rank - desc.axis - 1;
  // Where there are too many sizes, leading ones of the input leave first, then the indices'.
  uint32_t excess = std::max(desc.axis + desc.index_dimensions + after, rank) - rank;
  for (uint32_t i = 0; i < desc.axis && desc.input.sizes[i] == 1 && excess > 0; ++i) --excess;
  const uint32_t used = desc.index_dimensions - excess;
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    // Coordinates of the whole result, from the last one on: leading ones may be missing.
    const auto from_end = [&](uint32_t k) { return k < rank ? c[rank - 1 - k] : 0; };
    Coordinate source = {}, chosen = {};
    for (uint32_t k = 0; k < after; ++k) source[rank - 1 - k] = from_end(k);
    for (uint32_t k = 0; k < used; ++k) {
      chosen[rank - 1 - k] = from_end(after + k);
    }
    for (uint32_t k = 0; k < desc.axis; ++k) {
      source[desc.axis - 1 - k] = from_end(after + used + k);
    }
    const int64_t size = desc.input.sizes[desc.axis];
    const int64_t index = reference::IndexAt(desc.indices, bindings.inputs[1], chosen, size);
    source[desc.axis] = std::clamp<int64_t>(index, 0, size - 1);
    reference::Copy(desc.input, bindings.inputs[0], source, desc.output, bindings.outputs[0], c);
  });
}

// The second value where the coordinate along Axis is the index, the first one elsewhere.
void OneHotReference(const OneHotDesc& desc, const Bindings& bindings) {
  std::vector<Coordinate> values;
  reference::ForEachCoordinate(desc.values, [&](const Coordinate& c) { values.push_back(c); });
  reference::ForEachCoordinate(desc.output, [&](const Coordinate& c) {
    Coordinate of_index = c;
    of_index[desc.axis] = 0;
    const int64_t size = desc.output.sizes[desc.axis];
    const bool is_on =
        reference::IndexAt(desc.indices, bindings.inputs[0], of_index, size) == c[desc.axis];
    reference::Copy(desc.values, bindings.inputs[1], values[is_on ? 1 : 0], desc.output,
                    bindings.outputs[0], c);
  });
}

}  // namespace anydml::movement
