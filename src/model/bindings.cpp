// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/bindings.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/checked_math.h"
#include "model/numbers.h"
#include "schema/problems.h"

namespace anydml::model {
namespace {

constexpr uint32_t kOwnedByDml = 1;  // DML_TENSOR_FLAG_OWNED_BY_DML
constexpr uint64_t kMaxUint64 = std::numeric_limits<uint64_t>::max();

BindingTime TimeOf(const TensorDesc& tensor) {
  return (tensor.flags & kOwnedByDml) != 0 ? BindingTime::kInitialization : BindingTime::kDispatch;
}

// A member that may be left out or 0, which both mean the default.
bool ReadOptional(const Json& object, std::string_view name, const Place& place, uint64_t& out) {
  const Json* value = FindMember(object, name);
  if (value == nullptr) return true;
  const auto number = ReadUnsigned(*value, kMaxUint64, place.Member(name));
  if (number && *number != 0) out = *number;
  return number.has_value();
}

class BindingsReader {
 public:
  BindingsReader(const schema::Arguments& arguments, BindingTime time, const ResourceTable& table,
                 const Place& place)
      : arguments_(arguments), time_(time), table_(table), place_(place) {
    for (const schema::Field& field : fields()) {
      if (field.is_input() || field.is_output()) tensor_names_.push_back(field.name);
    }
    for (size_t i = 0; i < arguments.tensor_numbers(); ++i) {
      const TensorDesc& tensor = arguments.tensor(i);
      if (tensor.present() && TimeOf(tensor) == time) wanted_.push_back(i);
    }
    // Sizes that break a rule would only give a second, stranger sentence.
    sizes_are_valid_ = FindTensorProblems(arguments, kNewestFeatureLevel).empty();
  }

  std::vector<Binding> Read(const Json* value) {
    if (value != nullptr && !CheckObject(*value, place_)) return {};
    if (value != nullptr) {
      for (const auto& member : value->get_ref<const Json::object_t&>()) {
        ReadBinding(member.first, member.second);
      }
    }
    size_t told = fields().size();  // the entries of an array are required once
    for (size_t number : wanted_) {
      const size_t field = arguments_.FieldOf(number);
      const std::string_view name = fields()[field].name;
      if (value != nullptr && FindMember(*value, name) != nullptr) continue;
      if (field != told) place_.Fail("{} is required", name);
      told = field;
    }
    return std::move(bindings_);
  }

 private:
  std::span<const schema::Field> fields() const { return arguments_.schema().fields; }

  void ReadBinding(const std::string& name, const Json& source) {
    const Place place = place_.Member(name);
    const auto found = std::ranges::find(fields(), name, &schema::Field::name);
    if (found == fields().end() || !(found->is_input() || found->is_output())) {
      return place.Fail("unknown tensor of {}{}", arguments_.schema().name,
                        place.Suggest(name, tensor_names_));
    }
    const auto field = static_cast<size_t>(found - fields().begin());
    if (found->is_tensor_array()) return ReadArray(field, source, place);
    if (CheckTime(arguments_.tensor(field), place)) Bind(field, source, place);
  }

  void Bind(size_t number, const Json& source, const Place& place) {
    const std::optional<BufferSource> read = ReadSource(source, place);
    if (read && CheckSize(*read, arguments_.tensor(number), place)) {
      bindings_.push_back({number, *read});
    }
  }

  // A buffer per entry that is bound at this time, in order.
  void ReadArray(size_t field, const Json& sources, const Place& place) {
    std::vector<size_t> entries;
    for (size_t number : wanted_) {
      if (arguments_.FieldOf(number) == field) entries.push_back(number);
    }
    if (!CheckArray(sources, place)) return;
    if (sources.size() != entries.size()) {
      return place.Fail("has {} buffers and must have {}, one per tensor", sources.size(),
                        entries.size());
    }
    for (size_t i = 0; i < entries.size(); ++i) Bind(entries[i], sources[i], place.Entry(i));
  }

  bool CheckTime(const TensorDesc& tensor, const Place& place) const {
    if (!tensor.present()) {
      place.Fail("must not be bound, since the description leaves it out");
    } else if (TimeOf(tensor) == time_) {
      return true;
    } else if (time_ == BindingTime::kDispatch) {
      place.Fail("must be bound in the dispatchable, since its Flags are OWNED_BY_DML");
    } else {
      place.Fail("must be bound in the dispatch command, since its Flags are not OWNED_BY_DML");
    }
    return false;
  }

  // Of one tensor: an array has one entry.
  std::optional<BufferSource> ReadSource(const Json& value, const Place& place) const {
    if (value.is_array()) {
      if (value.size() == 1 && !value[0].is_array()) return ReadSource(value[0], place.Entry(0));
      place.Fail("must be one buffer, since it is one tensor");
      return std::nullopt;
    }
    BufferSource source;
    if (!value.is_object()) return FindResource(value, place, source);
    CheckMembers(value,
                 {"name", "elementOffset", "elementCount", "elementSizeInBytes", "format",
                  "counter", "counterOffsetBytes", "shape"},
                 "a buffer source", place);
    const Json* name = RequireMember(value, "name", place);
    const bool readable =
        ReadOptional(value, "elementOffset", place, source.element_offset) &&
        ReadOptional(value, "elementCount", place, source.element_count) &&
        ReadOptional(value, "elementSizeInBytes", place, source.element_size_in_bytes);
    if (name == nullptr || !readable) return std::nullopt;
    return FindResource(*name, place.Member("name"), source);
  }

  // Defaults: the elements that the resource was initialized with.
  std::optional<BufferSource> FindResource(const Json& name, const Place& place,
                                           BufferSource source) const {
    const std::optional<size_t> index = table_.names.Find(name, place);
    if (!index || !table_.resources[*index]) return std::nullopt;
    source.resource = *index;
    const Resource& resource = *table_.resources[*index];
    if (source.element_size_in_bytes == 0) {
      source.element_size_in_bytes = std::max(ElementSize(resource.data_type), 1u);
    }
    if (source.element_count == 0) {
      source.element_count = resource.value_bytes / source.element_size_in_bytes;
    }
    return source;
  }

  bool CheckSize(const BufferSource& source, const TensorDesc& tensor, const Place& place) const {
    const Resource& resource = *table_.resources[source.resource];
    const auto offset = CheckedMultiply(source.element_offset, source.element_size_in_bytes);
    const uint64_t size = resource.bytes.size();
    if (!offset || *offset > size) {
      place.Fail("elementOffset = {} with elements of {} bytes is beyond the {} bytes of {}",
                 source.element_offset, source.element_size_in_bytes, size, Quoted(resource.name));
      return false;
    }
    if (!sizes_are_valid_ || size - *offset >= tensor.total_bytes) return true;
    const std::string from = *offset == 0 ? "" : fmt::format(" from offset {}", *offset);
    place.Fail("{} has {} bytes{} and must have the tensor's {}", Quoted(resource.name),
               size - *offset, from, tensor.total_bytes);
    return false;
  }

  const schema::Arguments& arguments_;
  const BindingTime time_;
  const ResourceTable& table_;
  const Place& place_;
  std::vector<std::string_view> tensor_names_;
  std::vector<size_t> wanted_;
  bool sizes_are_valid_ = false;
  std::vector<Binding> bindings_;
};

}  // namespace

std::vector<Binding> ReadBindings(const Json* value, const schema::Arguments& arguments,
                                  BindingTime time, const ResourceTable& table,
                                  const Place& place) {
  return BindingsReader(arguments, time, table, place).Read(value);
}

}  // namespace anydml::model
