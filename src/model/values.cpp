// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/values.h"

#include <cstring>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>

#include "base/checked_math.h"
#include "model/members.h"
#include "model/npy.h"
#include "model/numbers.h"
#include "model/paths.h"

namespace anydml::model {
namespace {

constexpr uint64_t kMaxCount = std::numeric_limits<uint64_t>::max();

// The next element of a sequence, in the arithmetic of the type: integers wrap,
// FLOAT16 rounds every sum (which float holds closely enough to round once).
template <typename T>
T Sum(T a, T b) {
  if constexpr (std::is_same_v<T, Float16>) {
    return anydml::ToFloat16(ToFloat(a) + ToFloat(b));
  } else if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(
        static_cast<Unsigned>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b)));
  } else {
    return a + b;
  }
}

template <typename T>
T FromBits(uint64_t bits) {
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

class ValuesReader {
 public:
  ValuesReader(const Json& resource, ValueOptions& options, const Place& place)
      : resource_(resource), options_(options), place_(place.Member("initialValues")) {}

  std::optional<Values> Read(const Place& resource_place) {
    const Json* values = RequireMember(resource_, "initialValues", resource_place);
    const Place type_place = resource_place.Member("initialValuesDataType");
    if (!ReadType(type_place) || values == nullptr) return std::nullopt;
    const size_t problems = place_.problem_count();
    if (values->is_array()) {
      ReadList(*values, resource_place);
    } else if (values->is_object()) {
      ReadObject(*values, resource_place);
    } else if (*values == "deferred") {
      place_.RefuseUnsupported(*values, "is not supported: it belongs to onnx dispatchables");
    } else {
      place_.Refuse(*values, "must be an array or an object");
    }
    if (place_.problem_count() != problems) return std::nullopt;
    if (values_.bytes.empty()) place_.Fail("must hold at least one value");
    if (values_.bytes.empty()) return std::nullopt;
    return std::move(values_);
  }

 private:
  bool ReadType(const Place& place) {
    const Json* type = FindMember(resource_, "initialValuesDataType");
    if (type == nullptr) return true;
    const std::optional<DataType> data_type = ReadDataType(*type, place);
    if (!data_type) return false;
    values_.data_type = *data_type;
    const bool readable = *data_type == DataType::kUnknown || element_size() != 0;
    if (!readable) place.RefuseUnsupported(*type, "is not supported: no operator takes it");
    return readable;
  }

  uint32_t element_size() const { return ElementSize(values_.data_type); }

  bool RequireType(const Place& resource_place) const {
    if (element_size() != 0) return true;
    resource_place.Fail("initialValuesDataType is required");
    return false;
  }

  bool StoreAt(const Json& value, DataType type, const Place& place, size_t offset) {
    const std::string rule = StoreElement(value, type, values_.bytes.data() + offset);
    if (!rule.empty()) place.Refuse(value, "{}", rule);
    return rule.empty();
  }

  // A list stops at its first problem: the others are likely the same.
  void ReadList(const Json& list, const Place& resource_place) {
    const bool typed = values_.data_type == DataType::kUnknown;
    if (typed && !list.empty() && list[0].is_object()) return ReadTypedList(list);
    if (!RequireType(resource_place)) return;
    if (!Allocate(list.size() * element_size(), options_, place_, values_.bytes)) return;
    uint8_t* out = values_.bytes.data();
    for (size_t i = 0; i < list.size(); ++i, out += element_size()) {
      const std::string rule = StoreElement(list[i], values_.data_type, out);
      if (!rule.empty()) return place_.Entry(i).Refuse(list[i], "{}", rule);
    }
  }

  // Members of a struct, one after the other without gaps.
  void ReadTypedList(const Json& list) {
    if (!Allocate(list.size() * sizeof(uint64_t), options_, place_, values_.bytes)) return;
    size_t offset = 0;
    for (size_t i = 0; i < list.size(); ++i) {
      const Place place = place_.Entry(i);
      if (!CheckObject(list[i], place)) return;
      CheckMembers(list[i], {"type", "value", "name"}, "a typed value", place);
      const Json* type = RequireMember(list[i], "type", place);
      const Json* value = RequireMember(list[i], "value", place);
      if (type == nullptr || value == nullptr) return;
      const std::optional<DataType> data_type = ReadDataType(*type, place.Member("type"));
      if (!data_type) return;
      if (ElementSize(*data_type) == 0) {
        return place.Member("type").Refuse(*type, "must be a type with whole bytes");
      }
      if (!StoreAt(*value, *data_type, place.Member("value"), offset)) return;
      offset += ElementSize(*data_type);
    }
    values_.bytes.resize(offset);
  }

  void ReadObject(const Json& object, const Place& resource_place) {
    if (const Json* source = FindMember(object, "sourcePath")) {
      CheckMembers(object, {"sourcePath"}, "values from a file", place_);
      return ReadSource(*source, resource_place, place_.Member("sourcePath"));
    }
    if (!RequireType(resource_place)) return;
    const bool is_sequence = FindMember(object, "valueStart") || FindMember(object, "valueDelta");
    if (is_sequence) {
      CheckMembers(object, {"valueCount", "valueStart", "valueDelta"}, "a sequence", place_);
    } else {
      CheckMembers(object, {"valueCount", "value", "valueStart", "valueDelta", "sourcePath"},
                   "initialValues", place_);
    }
    const Json* count = RequireMember(object, "valueCount", place_);
    const Json* first = RequireMember(object, is_sequence ? "valueStart" : "value", place_);
    const Json* delta = is_sequence ? RequireMember(object, "valueDelta", place_) : first;
    if (count == nullptr || first == nullptr || delta == nullptr) return;
    ReadSequence(*count, *first, is_sequence ? delta : nullptr);
  }

  void ReadSequence(const Json& count, const Json& first, const Json* delta) {
    const Place count_place = place_.Member("valueCount");
    const std::optional<uint64_t> number = ReadUnsigned(count, kMaxCount, count_place);
    uint64_t start = 0;
    uint64_t step = 0;
    const std::string_view first_name = delta != nullptr ? "valueStart" : "value";
    const bool readable = StoreScalar(first, first_name, start) &&
                          (delta == nullptr || StoreScalar(*delta, "valueDelta", step));
    if (!number || !readable) return;
    const uint64_t bytes = CheckedMultiply(*number, element_size()).value_or(kMaxCount);
    if (!Allocate(bytes, options_, count_place, values_.bytes)) return;
    DispatchType(ElementTypes(), values_.data_type, [&]<typename T>() {
      T value = FromBits<T>(start);
      const T difference = FromBits<T>(step);
      for (uint64_t i = 0; i < *number; ++i) {
        std::memcpy(values_.bytes.data() + i * sizeof value, &value, sizeof value);
        if (delta != nullptr) value = Sum(value, difference);
      }
    });
  }

  bool StoreScalar(const Json& value, std::string_view name, uint64_t& out) const {
    const std::string rule =
        StoreElement(value, values_.data_type, reinterpret_cast<uint8_t*>(&out));
    if (!rule.empty()) place_.Member(name).Refuse(value, "{}", rule);
    return rule.empty();
  }

  void ReadSource(const Json& source, const Place& resource_place, const Place& place) {
    const std::string* path = ReadString(source, place);
    if (path == nullptr) return;
    const std::string extension = LowerExtension(*path);
    if (extension == ".jpg" || extension == ".jpeg" || extension == ".png") {
      return place.RefuseUnsupported(source, "is not supported: images are not read");
    }
    if (extension == ".npz" || extension == ".gz") {
      return place.RefuseUnsupported(
          source, "is not supported: archives are not read; save one array as .npy");
    }
    if (extension != ".npy" && !RequireType(resource_place)) return;
    const auto resolved = ResolveInside(options_.input_path, *path);
    if (!resolved.ok()) return place.Refuse(source, "{}", resolved.error().message);
    auto file = ReadResolved(resolved.value(), options_.bytes_left);
    if (!file.ok()) return place.Refuse(source, "{}", file.error().message);
    options_.bytes_left -= file.value().size();
    options_.files.push_back(resolved.value());
    values_.bytes = std::move(file).value();
    extension == ".npy" ? UnpackNpy(source, place) : CheckRaw(source, place);
  }

  void UnpackNpy(const Json& source, const Place& place) {
    const Result<NpyArray> array = ReadNpy(values_.bytes);
    if (!array.ok()) return place.Refuse(source, "{}", array.error().message);
    const DataType found = array.value().data_type;
    if (values_.data_type != DataType::kUnknown && values_.data_type != found) {
      return place.Refuse(source, "holds {} and must hold initialValuesDataType = {}",
                          DataTypeName(found), DataTypeName(values_.data_type));
    }
    values_.data_type = found;
    const auto header_bytes = array.value().data.data() - values_.bytes.data();
    values_.bytes.erase(values_.bytes.begin(), values_.bytes.begin() + header_bytes);
  }

  void CheckRaw(const Json& source, const Place& place) const {
    const std::string_view misnamed = WhyMisnamed(values_.bytes);
    if (!misnamed.empty()) return place.Refuse(source, "{}", misnamed);
    if (values_.bytes.size() % element_size() == 0) return;
    place.Refuse(source, "has {} bytes and must have a multiple of {}, the size of {}",
                 values_.bytes.size(), element_size(), DataTypeName(values_.data_type));
  }

  const Json& resource_;
  ValueOptions& options_;
  const Place place_;
  Values values_;
};

}  // namespace

std::optional<Values> ReadInitialValues(const Json& resource, ValueOptions& options,
                                        const Place& place) {
  return ValuesReader(resource, options, place).Read(place);
}

bool Allocate(uint64_t size, ValueOptions& options, const Place& place,
              std::vector<uint8_t>& bytes) try {
  const uint64_t growth = size - bytes.size();
  if (growth > options.bytes_left) {
    place.FailOutOfMemory(fmt::format("needs {} bytes, and the model's resources may take {} more",
                                      growth, options.bytes_left));
    return false;
  }
  bytes.resize(size);
  options.bytes_left -= growth;
  return true;
} catch (const std::bad_alloc&) {
  place.FailOutOfMemory(fmt::format("needs {} bytes, which this machine does not have", size));
  return false;
}

}  // namespace anydml::model
