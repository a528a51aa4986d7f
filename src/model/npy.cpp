// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/npy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/checked_math.h"
#include "base/text.h"

namespace anydml::model {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct TypeName {
  DataType data_type;
  std::string_view name;  // kind and size in bytes
};
constexpr std::array<TypeName, 11> kTypeNames = {{{DataType::kFloat32, "f4"},
                                                  {DataType::kFloat16, "f2"},
                                                  {DataType::kFloat64, "f8"},
                                                  {DataType::kUint8, "u1"},
                                                  {DataType::kUint16, "u2"},
                                                  {DataType::kUint32, "u4"},
                                                  {DataType::kUint64, "u8"},
                                                  {DataType::kInt8, "i1"},
                                                  {DataType::kInt16, "i2"},
                                                  {DataType::kInt32, "i4"},
                                                  {DataType::kInt64, "i8"}}};

// The header: a Python dictionary, of which this understands strings, True and
// False, and tuples of integers.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  struct Header {
    std::string_view descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<uint64_t>> shape;
  };

  // Empty when the text is no such dictionary.
  std::optional<Header> Read() {
    Header header;
    if (!Take('{')) return std::nullopt;
    while (!Take('}')) {
      const std::optional<std::string_view> key = ReadText();
      if (!key || !Take(':') || !ReadValue(*key, header)) return std::nullopt;
      if (!Take(',') && Peek() != '}') return std::nullopt;
    }
    if (Peek() != 0 || !header.fortran_order || !header.shape) return std::nullopt;
    return header;
  }

 private:
  char Peek() {
    while (at_ < text_.size() && std::string_view(" \t\n").find(text_[at_]) != text_.npos) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  bool TakeWord(std::string_view word) {
    Peek();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::optional<std::string_view> ReadText() {
    const char quote = Peek();
    if (quote != '\'' && quote != '"') return std::nullopt;
    const size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) return std::nullopt;
    const std::string_view text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return text;
  }

  // `descr` of a structured type is a list: kept as it is, to be refused as a
  // type.
  bool ReadDescr(Header& header) {
    const std::optional<std::string_view> descr = Peek() == '[' ? ReadList() : ReadText();
    if (descr) header.descr = *descr;
    return descr.has_value();
  }

  std::optional<std::string_view> ReadList() {
    const size_t start = at_;
    for (size_t depth = 0; at_ < text_.size(); ++at_) {
      if (text_[at_] == '[') ++depth;
      if (text_[at_] == ']' && --depth == 0) {
        ++at_;
        return text_.substr(start, at_ - start);
      }
    }
    return std::nullopt;
  }

  bool ReadShape(Header& header) {
    if (!Take('(')) return false;
    header.shape.emplace();
    while (!Take(')')) {
      Peek();
      uint64_t size = 0;
      const char* begin = text_.data() + at_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), size);
      if (error != std::errc()) return false;
      at_ += static_cast<size_t>(end - begin);
      Take('L');  // written by Python 2
      header.shape->push_back(size);
      if (!Take(',') && Peek() != ')') return false;
    }
    return true;
  }

  bool ReadValue(std::string_view key, Header& header) {
    if (key == "descr") return ReadDescr(header);
    if (key == "shape") return ReadShape(header);
    if (key != "fortran_order") return false;
    header.fortran_order = TakeWord("True");
    return *header.fortran_order || TakeWord("False");
  }

  std::string_view text_;
  size_t at_ = 0;
};

// Headers of version 1.0 are Latin-1, and files may hold anything.
std::string AsciiQuoted(std::string_view text) {
  std::string shown;
  for (char c : text.substr(0, 40)) shown += (c < 0x20 || c > 0x7E) ? '?' : c;
  return fmt::format("'{}'", shown);
}

Result<DataType> ReadDescr(std::string_view descr) {
  for (const auto& [data_type, name] : kTypeNames) {
    if (descr.size() != 3 || descr.substr(1) != name) continue;
    const bool has_order = ElementSize(data_type) > 1;
    if (descr[0] == '<' || (!has_order && (descr[0] == '|' || descr[0] == '>'))) return data_type;
    if (descr[0] == '>') {
      return InvalidArgument(fmt::format(
          "has big-endian elements ({}) and must have little-endian ones", AsciiQuoted(descr)));
    }
  }
  return InvalidArgument(fmt::format(
      "has elements of the type {} and must have integers or floats of a tensor data type",
      AsciiQuoted(descr)));
}

// The header's text, and the file's remainder in `rest`.
Result<std::string_view> SplitHeader(std::span<const uint8_t> file,
                                     std::span<const uint8_t>& rest) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(kMagic)) {
    return InvalidArgument("is no NumPy file: it must begin with \\x93NUMPY");
  }
  if (file.size() < 8) return InvalidArgument("is truncated: it ends inside its header");
  const uint8_t major = file[6];
  if (major < 1 || major > 3 || file[7] != 0) {
    return InvalidArgument(
        fmt::format("has the format version {}.{} and must have 1.0, 2.0 or 3.0", major, file[7]));
  }
  const size_t length_bytes = major == 1 ? 2 : 4;
  const size_t start = 8 + length_bytes;
  uint64_t length = 0;
  for (size_t i = 0; i < length_bytes && 8 + i < file.size(); ++i) {
    length |= uint64_t{file[8 + i]} << (8 * i);
  }
  if (file.size() < start || file.size() - start < length) {
    return InvalidArgument("is truncated: it ends inside its header");
  }
  rest = file.subspan(start + length);
  return text.substr(start, length);
}

}  // namespace

std::optional<uint64_t> NpyBytes(DataType data_type, std::span<const uint64_t> shape) {
  if (std::ranges::count(shape, 0u) != 0) return 0;
  std::optional<uint64_t> bytes = ElementSize(data_type);
  for (uint64_t size : shape) bytes = CheckedMultiply(bytes, size);
  return bytes;
}

std::string_view WhyMisnamed(std::span<const uint8_t> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.starts_with(kMagic)) return "is a NumPy file: its name must end with .npy";
  if (text.starts_with("PK\3\4")) return "is an archive (.npz or .zip): save one array as .npy";
  return "";
}

Result<NpyArray> ReadNpy(std::span<const uint8_t> file) {
  NpyArray array;
  const Result<std::string_view> text = SplitHeader(file, array.data);
  if (!text.ok()) return text.error();
  auto header = HeaderReader(text.value()).Read();
  if (!header) {
    return InvalidArgument("has a header that does not give descr, fortran_order and shape");
  }
  const Result<DataType> data_type = ReadDescr(header->descr);
  if (!data_type.ok()) return data_type.error();
  if (*header->fortran_order) {
    return InvalidArgument("is in Fortran order and must be in C order");
  }
  array.data_type = data_type.value();
  array.shape = *std::move(header->shape);
  const std::optional<uint64_t> bytes = NpyBytes(array.data_type, array.shape);
  if (bytes == array.data.size()) return array;
  return InvalidArgument(
      fmt::format("has {} bytes of data, and its header's shape and type need {}",
                  array.data.size(), bytes ? fmt::format("{}", *bytes) : "2^64 or more"));
}

std::string NpyHeader(DataType data_type, std::span<const uint64_t> shape) {
  std::string_view name;
  for (const TypeName& type : kTypeNames) {
    if (type.data_type == data_type) name = type.name;
  }
  const char order = ElementSize(data_type) == 1 ? '|' : '<';
  std::string dictionary =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}", order, name,
                  fmt::join(shape.begin(), shape.end(), ", "), shape.size() == 1 ? "," : "");
  // The data starts at a multiple of 64; a newline ends the header.
  constexpr size_t kStart = 10;
  while ((kStart + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string header = fmt::format("{}\x01{}", kMagic, '\0');
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

}  // namespace anydml::model
