// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Structs that begin with their own size, so that a program built against an
// older or newer header than the library's keeps working: the members that both
// know are exchanged.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstring>
#include <iterator>
#include <string_view>

#include "anydml/anydml.h"
#include "anydml/training.h"
#include "base/result.h"

namespace anydml::c_api {

// kSizes: what sizeof the struct was in each version of the header, oldest first; a
// version that appends members appends its own. kFirstEnd: where the last member of
// the first version ends. The padding behind it stays padding: older programs have not
// set it, and the size would not tell them from newer ones.
template <typename Struct>
struct Versions;

template <>
struct Versions<anydml_device_info> {
  static constexpr size_t kSizes[] = {40};
  static constexpr size_t kFirstEnd = offsetof(anydml_device_info, threads) + sizeof(uint32_t);
};
template <>
struct Versions<anydml_device_options> {
  static constexpr size_t kSizes[] = {24};
  static constexpr size_t kFirstEnd =
      offsetof(anydml_device_options, exchange_pixel_offsets) + sizeof(int32_t);
};
template <>
struct Versions<anydml_operator_info> {
  static constexpr size_t kSizes[] = {48, 56};
  static constexpr size_t kFirstEnd = offsetof(anydml_operator_info, strategy) + sizeof(char*);
};
template <>
struct Versions<anydml_tensor_info> {
  static constexpr size_t kSizes[] = {112};
  static constexpr size_t kFirstEnd =
      offsetof(anydml_tensor_info, may_be_overwritten) + sizeof(uint32_t);
};
template <>
struct Versions<anydml_execution> {
  static constexpr size_t kSizes[] = {40};
  static constexpr size_t kFirstEnd = offsetof(anydml_execution, stream) + sizeof(void*);
};
template <>
struct Versions<anydml_optimizer> {
  static constexpr size_t kSizes[] = {32};
  static constexpr size_t kFirstEnd = offsetof(anydml_optimizer, epsilon) + sizeof(float);
};
template <>
struct Versions<anydml_schedule> {
  static constexpr size_t kSizes[] = {40};
  static constexpr size_t kFirstEnd = offsetof(anydml_schedule, steps) + sizeof(uint64_t);
};
template <>
struct Versions<anydml_trainer_info> {
  static constexpr size_t kSizes[] = {48, 56};
  static constexpr size_t kFirstEnd = offsetof(anydml_trainer_info, model) + sizeof(char*);
};

// The size of the last version that the caller's struct holds whole: a size between
// two of them, or beyond the newest, is read as the one before, so that no member is
// exchanged in part.
template <typename Struct>
Result<size_t> SharedSize(const Struct* given, std::string_view name) {
  constexpr auto& kSizes = Versions<Struct>::kSizes;
  static_assert(offsetof(Struct, struct_size) == 0);
  static_assert(kSizes[std::size(kSizes) - 1] == sizeof(Struct), "a new version has no size here");
  static_assert(kSizes[0] - Versions<Struct>::kFirstEnd < alignof(Struct),
                "the first version has changed");
  if (given == nullptr) return InvalidArgument(fmt::format("{} must not be null", name));
  size_t shared = 0;
  for (size_t size : kSizes) {
    if (size <= given->struct_size) shared = size;
  }
  if (shared == 0) {
    return InvalidArgument(fmt::format("{}.struct_size = {} must be sizeof({}), at least {}", name,
                                       given->struct_size, name, kSizes[0]));
  }
  return shared;
}

// From the caller, over the defaults in `own`.
template <typename Struct>
Status CopyIn(const Struct* given, std::string_view name, Struct& own) {
  const Result<size_t> size = SharedSize(given, name);
  if (!size.ok()) return size.error();
  std::memcpy(&own, given, size.value());
  own.struct_size = sizeof(Struct);
  return {};
}

// To the caller, whose struct_size stays as it is, as do members that are not known here.
template <typename Struct>
Status CopyOut(Struct filled, std::string_view name, Struct* out) {
  const Result<size_t> size = SharedSize<Struct>(out, name);
  if (!size.ok()) return size.error();
  filled.struct_size = out->struct_size;
  std::memcpy(out, &filled, size.value());
  return {};
}

}  // namespace anydml::c_api
