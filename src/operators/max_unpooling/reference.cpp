// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// MAX_UNPOOLING by the page: the element whose logical index the indices name; of several the last
// one stays, and what lies outside is dropped (B55).
#include "operators/reference.h"

#include <map>

#include "operators/max_unpooling/desc.h"

namespace anydml::max_unpooling {

void Reference(const Desc& desc, const Bindings& bindings) {
  std::map<uint64_t, reference::Coordinate> sources;
  reference::ForEachCoordinate(desc.input, [&](const reference::Coordinate& c) {
    const bool is_long = desc.indices.data_type == DataType::kUint64;
    const uint64_t index = is_long ? reference::Get<uint64_t>(desc.indices, bindings.inputs[1], c)
                                   : reference::Get<uint32_t>(desc.indices, bindings.inputs[1], c);
    sources[index] = c;
  });
  reference::ForEachCoordinate(desc.output, [&](const reference::Coordinate& c) {
    const auto source = sources.find(reference::LogicalIndex(desc.output, c));
    if (source == sources.end()) return reference::PutZero(desc.output, bindings.outputs[0], c);
    reference::Copy(desc.input, bindings.inputs[0], source->second, desc.output,
                    bindings.outputs[0], c);
  });
}

}  // namespace anydml::max_unpooling
