// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/tensor.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "model/members.h"
#include "model/numbers.h"

namespace anydml::model {
namespace {

constexpr std::string_view kTensorTypes[] = {"INVALID", "BUFFER"};
constexpr std::string_view kTensorFlags[] = {"NONE", "OWNED_BY_DML"};
constexpr uint64_t kMaxUint = std::numeric_limits<uint32_t>::max();

// Reads 1 to 8 entries; returns their number.
std::optional<uint32_t> ReadDimensions(const Json& value, const Place& place, Dimensions& out) {
  if (!CheckArray(value, place)) return std::nullopt;
  if (value.empty() || value.size() > kMaxDimensions) {
    place.Fail("has {} entries and must have 1 to {}", value.size(), kMaxDimensions);
    return std::nullopt;
  }
  for (size_t i = 0; i < value.size(); ++i) {
    const auto size = ReadUnsigned(value[i], kMaxUint, place.Entry(i));
    if (!size) return std::nullopt;
    out[i] = static_cast<uint32_t>(*size);
  }
  return static_cast<uint32_t>(value.size());
}

class BufferReader {
 public:
  BufferReader(const Json& object, const Place& place) : object_(object), place_(place) {}

  std::optional<TensorDesc> Read() {
    const size_t problems = place_.problem_count();
    CheckMembers(object_,
                 {"DataType", "Flags", "DimensionCount", "Sizes", "Strides",
                  "TotalTensorSizeInBytes", "GuaranteedBaseOffsetAlignment", "Type"},
                 "a tensor", place_);
    ReadType();
    ReadSizes();
    ReadStrides();
    if (const auto bytes =
            ReadNumber("TotalTensorSizeInBytes", std::numeric_limits<uint64_t>::max())) {
      tensor_.total_bytes = *bytes;
    }
    if (const auto alignment = ReadNumber("GuaranteedBaseOffsetAlignment", kMaxUint)) {
      tensor_.base_offset_alignment = static_cast<uint32_t>(*alignment);
    }
    if (place_.problem_count() != problems) return std::nullopt;
    SetDefaults();
    return tensor_;
  }

 private:
  std::optional<uint64_t> ReadNumber(std::string_view name, uint64_t most) {
    const Json* value = FindMember(object_, name);
    if (value == nullptr) return std::nullopt;
    return ReadUnsigned(*value, most, place_.Member(name));
  }

  void ReadType() {
    if (const Json* value = RequireMember(object_, "DataType", place_)) {
      const auto type = ReadDataType(*value, place_.Member("DataType"));
      if (type) tensor_.data_type = *type;
    }
    if (const Json* value = FindMember(object_, "Flags")) {
      const auto flags =
          ReadFlags(*value, "DML_TENSOR_FLAG_", kTensorFlags, place_.Member("Flags"));
      if (flags) tensor_.flags = *flags;
    }
  }

  void ReadSizes() {
    const Json* value = RequireMember(object_, "Sizes", place_);
    if (value == nullptr) return;
    const auto count = ReadDimensions(*value, place_.Member("Sizes"), tensor_.sizes);
    if (!count) return;
    tensor_.dimension_count = *count;
    const auto given = ReadNumber("DimensionCount", kMaxUint);
    if (given && *given != *count) {
      place_.Member("DimensionCount")
          .Refuse(*given, "must equal the number of Sizes, which is {}", *count);
    }
  }

  void ReadStrides() {
    const Json* value = FindMember(object_, "Strides");
    if (value == nullptr) return;
    const Place place = place_.Member("Strides");
    const auto count = ReadDimensions(*value, place, tensor_.strides);
    tensor_.has_strides = count.has_value();
    if (count && tensor_.present() && *count != tensor_.dimension_count) {
      place.Fail("has {} entries and must have as many as Sizes, which has {}", *count,
                 tensor_.dimension_count);
    }
  }

  void SetDefaults() {
    if (!tensor_.has_strides) tensor_.strides = PackedStrides(tensor_.Sizes());
    if (tensor_.total_bytes != 0) return;
    // A size that does not fit 64 bits breaks T7, which is told first.
    tensor_.total_bytes =
        MinimumTotalBytes(tensor_.data_type, tensor_.Sizes(), tensor_.Strides()).value_or(0);
  }

  const Json& object_;
  const Place& place_;
  TensorDesc tensor_;
};

bool CheckTensorType(const Json& value, const Place& place) {
  const auto type = ReadEnumerator(value, "DML_TENSOR_TYPE_", kTensorTypes, place);
  if (type && *type != 1) place.Refuse(value, "must be BUFFER");
  return type && *type == 1;
}

}  // namespace

std::optional<TensorDesc> ReadTensor(const Json& value, const Place& place) {
  if (!CheckObject(value, place)) return std::nullopt;
  const Json* type = FindMember(value, "Type");
  if (type != nullptr && !CheckTensorType(*type, place.Member("Type"))) return std::nullopt;
  const Json* desc = FindMember(value, "Desc");
  if (desc == nullptr) return BufferReader(value, place).Read();
  const size_t problems = place.problem_count();
  CheckMembers(value, {"Type", "Desc"}, "a tensor with Desc", place);
  const Place desc_place = place.Member("Desc");
  if (!CheckObject(*desc, desc_place)) return std::nullopt;
  std::optional<TensorDesc> tensor = BufferReader(*desc, desc_place).Read();
  return place.problem_count() == problems ? tensor : std::nullopt;
}

}  // namespace anydml::model
