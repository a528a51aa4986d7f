// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/commands.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/npy.h"
#include "model/numbers.h"
#include "model/paths.h"

namespace anydml::model {
namespace {

constexpr size_t kMaxNpyDimensions = 32;  // NumPy's own limit, until its version 2

class CommandReader {
 public:
  CommandReader(const Json& value, const ResourceTable& resources,
                const DispatchableTable& dispatchables, const Place& place)
      : value_(value), resources_(resources), dispatchables_(dispatchables), place_(place) {}

  std::optional<Command> Read() const {
    if (!CheckObject(value_, place_)) return std::nullopt;
    const Json* type = RequireMember(value_, "type", place_);
    const std::string* name = type == nullptr ? nullptr : ReadString(*type, place_.Member("type"));
    if (name == nullptr) return std::nullopt;
    if (EqualsIgnoringCase(*name, "dispatch")) return ReadDispatch();
    if (EqualsIgnoringCase(*name, "print")) return ReadPrint();
    if (EqualsIgnoringCase(*name, "writeFile")) return ReadWriteFile();
    constexpr std::string_view kTypes[] = {"dispatch", "print", "writeFile"};
    place_.Member("type").Refuse(*type, "is no command{}", place_.Suggest(*name, kTypes));
    return std::nullopt;
  }

 private:
  std::optional<Command> ReadDispatch() const {
    // threadGroupCount belongs to hlsl; operators have no use for it.
    CheckMembers(value_, {"type", "dispatchable", "bindings", "threadGroupCount"},
                 "a dispatch command", place_);
    const Json* name = RequireMember(value_, "dispatchable", place_);
    const Json* bindings = RequireMember(value_, "bindings", place_);
    if (name == nullptr) return std::nullopt;
    const auto index = dispatchables_.names.Find(*name, place_.Member("dispatchable"));
    if (!index || !dispatchables_.dispatchables[*index] || bindings == nullptr) {
      return std::nullopt;
    }
    return Dispatch{*index,
                    ReadBindings(bindings, dispatchables_.dispatchables[*index]->arguments,
                                 BindingTime::kDispatch, resources_, place_.Member("bindings"))};
  }

  std::optional<Command> ReadPrint() const {
    CheckMembers(value_, {"type", "resource", "verbose"}, "a print command", place_);
    Print print;
    if (const Json* verbose = FindMember(value_, "verbose")) {
      print.verbose = ReadBool(*verbose, place_.Member("verbose")).value_or(false);
    }
    const std::optional<size_t> resource = FindResource();
    if (!resource || !CheckTyped(*resource)) return std::nullopt;
    print.resource = *resource;
    return print;
  }

  std::optional<Command> ReadWriteFile() const {
    CheckMembers(value_, {"type", "resource", "targetPath", "dimensions"}, "a writeFile command",
                 place_);
    WriteFile write;
    const std::optional<size_t> resource = FindResource();
    const std::string* target = ReadTarget();
    const bool readable = ReadDimensions(write.dimensions);
    if (!resource || target == nullptr || !readable) return std::nullopt;
    write.resource = *resource;
    write.target_path = *target;
    const bool is_npy = LowerExtension(*target) == ".npy";
    if (is_npy && !CheckTyped(*resource)) return std::nullopt;
    const Resource& values = *resources_.resources[*resource];
    if (!CheckDimensions(write.dimensions, values)) return std::nullopt;
    if (is_npy && write.dimensions.empty()) write.dimensions = {values.element_count()};
    return write;
  }

  // Empty too when the resource is named rightly and could not be read.
  std::optional<size_t> FindResource() const {
    const Json* name = RequireMember(value_, "resource", place_);
    if (name == nullptr) return std::nullopt;
    const auto index = resources_.names.Find(*name, place_.Member("resource"));
    return index && resources_.resources[*index] ? index : std::nullopt;
  }

  bool CheckTyped(size_t index) const {
    const Resource& resource = *resources_.resources[index];
    if (resource.data_type != DataType::kUnknown) return true;
    place_.Member("resource").Refuse(resource.name, "must have one data type for all its values");
    return false;
  }

  const std::string* ReadTarget() const {
    const Json* target = RequireMember(value_, "targetPath", place_);
    if (target == nullptr) return nullptr;
    const Place place = place_.Member("targetPath");
    const std::string* path = ReadString(*target, place);
    if (path == nullptr) return nullptr;
    const Status status = CheckRelative(*path);
    const std::string extension = LowerExtension(*path);
    if (!status.ok()) {
      place.Refuse(*target, "{}", status.error().message);
    } else if (extension == ".jpg" || extension == ".jpeg" || extension == ".png") {
      place.RefuseUnsupported(*target, "is not supported: images are not written");
    } else if (extension == ".npz" || extension == ".gz") {
      place.RefuseUnsupported(*target,
                              "is not supported: archives are not written; .npy files are");
    } else {
      return path;
    }
    return nullptr;
  }

  bool ReadDimensions(std::vector<uint64_t>& out) const {
    const Json* dimensions = FindMember(value_, "dimensions");
    if (dimensions == nullptr) return true;
    const Place place = place_.Member("dimensions");
    if (!CheckArray(*dimensions, place)) return false;
    if (dimensions->size() > kMaxNpyDimensions) {
      place.Fail("has {} entries and must have at most {}", dimensions->size(), kMaxNpyDimensions);
      return false;
    }
    for (size_t i = 0; i < dimensions->size(); ++i) {
      const auto size =
          ReadUnsigned((*dimensions)[i], std::numeric_limits<uint32_t>::max(), place.Entry(i));
      if (!size) return false;
      out.push_back(*size);
    }
    return true;
  }

  // Fewer would cut the values silently, more would write what is not a value. A list of
  // typed values has no number of elements, and goes to other files than .npy alone.
  bool CheckDimensions(const std::vector<uint64_t>& dimensions, const Resource& resource) const {
    if (dimensions.empty() || resource.data_type == DataType::kUnknown) return true;
    const std::optional<uint64_t> bytes = NpyBytes(resource.data_type, dimensions);
    if (bytes == resource.value_bytes) return true;
    place_.Member("dimensions")
        .Fail("the product of {} must be {}, the number of values of {}",
              BracedList(std::span<const uint64_t>(dimensions)), resource.element_count(),
              Quoted(resource.name));
    return false;
  }

  const Json& value_;
  const ResourceTable& resources_;
  const DispatchableTable& dispatchables_;
  const Place& place_;
};

}  // namespace

std::optional<Command> ReadCommand(const Json& value, const ResourceTable& resources,
                                   const DispatchableTable& dispatchables, const Place& place) {
  return CommandReader(value, resources, dispatchables, place).Read();
}

}  // namespace anydml::model
