// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Any bytes are an array that lies inside them, or have a problem; an array can
// be written again.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "model/npy.h"

namespace {

using namespace anydml;

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<model::NpyArray> read = model::ReadNpy({data, size});
  if (!read.ok()) {
    Require(!read.error().message.empty() && read.error().message.size() < 500);
    return 0;
  }
  const model::NpyArray& array = read.value();
  Require(array.data.data() >= data && array.data.data() + array.data.size() == data + size);
  if (array.shape.size() > 32) return 0;
  std::string file = model::NpyHeader(array.data_type, array.shape);
  file.append(reinterpret_cast<const char*>(array.data.data()), array.data.size());
  const Result<model::NpyArray> again =
      model::ReadNpy({reinterpret_cast<const uint8_t*>(file.data()), file.size()});
  Require(again.ok() && again.value().data_type == array.data_type);
  Require(again.value().shape == array.shape);
  Require(again.value().data.size() == array.data.size());
  return 0;
}
