// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "bench/memory.h"
#include "operators/describe.h"

namespace anydml::bench {
namespace {

constexpr uint64_t kElementsOfAPiece = 65536;

// Items [begin, begin + count) of the first dimension.
struct Piece {
  uint32_t begin;
  uint32_t count;
};

constexpr uint8_t kAllTensors = 0xFF;

// Where some tensors have none, the tensors are the first fields.
bool HasItems(const BenchCase& c, size_t number) {
  return c.tensors_of_items == kAllTensors || (c.tensors_of_items >> number & 1) != 0;
}

// What has items: the first field may be a number, and there may be no input.
const TensorDesc& FirstOutput(const schema::Arguments& arguments) {
  return arguments.tensor(arguments.outputs()[0]);
}

std::vector<Piece> Pieces(const Row& row, const schema::Arguments& arguments) {
  const TensorDesc& tensor = FirstOutput(arguments);
  const uint32_t items = tensor.sizes[0];
  const uint64_t elements_of_an_item = tensor.ElementCount() / items;
  // Where items share a tensor, as a matrix or a filter, an element is a sum of many terms.
  const uint64_t wanted = row.c->tensors_of_items == kAllTensors ? kElementsOfAPiece : 0;
  const auto count = static_cast<uint32_t>(
      std::max<uint64_t>(1, wanted / std::max<uint64_t>(elements_of_an_item, 1)));
  if (!row.c->independent_items || uint64_t{count} * 3 >= items) return {{0, items}};
  return {{0, count}, {(items - count) / 2, count}, {items - count, count}};
}

// The description of a piece: strides stay those of the whole tensor. Where the
// piece is everything, the tensors may have different numbers of items.
schema::Arguments Cut(schema::Arguments arguments, const BenchCase& c, uint32_t count) {
  if (count == FirstOutput(arguments).sizes[0]) return arguments;
  for (size_t i = 0; i < arguments.tensor_numbers(); ++i) {
    TensorDesc& tensor = arguments.tensor(i);
    if (!tensor.present() || !HasItems(c, i)) continue;
    tensor.sizes[0] = count;
    SetStrides(tensor, tensor.strides);
  }
  return arguments;
}

uint64_t Offset(const TensorDesc& tensor, uint32_t begin) {
  return uint64_t{begin} * tensor.strides[0] * ElementSize(tensor.data_type);
}

// Calls f(offset in bytes) for every element.
template <typename F>
void ForEachElement(const TensorDesc& tensor, const F& f) {
  const uint64_t count = tensor.ElementCount();
  std::array<uint32_t, kMaxDimensions> at = {};
  const uint32_t size = ElementSize(tensor.data_type);
  for (uint64_t n = 0; n < count; ++n) {
    uint64_t offset = 0;
    for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
      offset += uint64_t{at[i]} * tensor.strides[i];
    }
    if (!f(n, offset * size)) return;
    for (uint32_t i = tensor.dimension_count; i-- > 0;) {
      if (++at[i] < tensor.sizes[i]) break;
      at[i] = 0;
    }
  }
}

std::optional<std::string> Compare(const TensorDesc& tensor, const uint8_t* expected,
                                   const uint8_t* actual) {
  if (std::memcmp(expected, actual, tensor.total_bytes) == 0) return std::nullopt;
  std::optional<std::string> difference;
  const uint32_t size = ElementSize(tensor.data_type);
  ForEachElement(tensor, [&](uint64_t index, uint64_t offset) {
    if (std::memcmp(expected + offset, actual + offset, size) == 0) return true;
    difference = fmt::format("element {} differs from the reference", index);
    return false;
  });
  return difference;
}

std::optional<std::string> CheckPiece(const Row& row, const schema::Arguments& whole,
                                      const Piece& piece, const Bindings& bindings) {
  Result<Operator> op = CreateOperator(*row.definition, Cut(whole, *row.c, piece.count), {});
  if (!op.ok()) return op.error().message;
  const schema::Arguments& cut = *op.value().arguments;
  const std::vector<size_t> inputs = whole.inputs();
  const std::vector<size_t> outputs = whole.outputs();
  Bindings given;
  std::vector<Buffer> results;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (bindings.inputs[i] == nullptr) continue;
    given.inputs[i] = bindings.Input<uint8_t>(i);
    if (!HasItems(*row.c, inputs[i])) continue;
    given.inputs[i] = bindings.Input<uint8_t>(i) + Offset(whole.tensor(inputs[i]), piece.begin);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    results.emplace_back(cut.tensor(outputs[i]).total_bytes);
    if (bindings.outputs[i] != nullptr) given.outputs[i] = results.back().data();
  }
  RunReference(op.value(), given);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (bindings.outputs[i] == nullptr) continue;
    const uint8_t* actual =
        bindings.Output<uint8_t>(i) + Offset(whole.tensor(outputs[i]), piece.begin);
    if (auto difference = Compare(cut.tensor(outputs[i]), results[i].data(), actual)) {
      return fmt::format("{} (from item {} on)", *difference, piece.begin);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> FindDifference(const Row& row, const Bindings& bindings) {
  const schema::Arguments whole = Describe(row);
  for (const Piece& piece : Pieces(row, whole)) {
    if (auto difference = CheckPiece(row, whole, piece, bindings)) return difference;
  }
  return std::nullopt;
}

}  // namespace anydml::bench
