// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/json_text.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "model/decimal.h"
#include "model/place.h"

namespace anydml::model {
namespace {

// The byte at `offset` as people count: both from 1, a character of several
// bytes as one.
std::string At(std::string_view text, size_t offset, std::string_view sentence) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const size_t line = 1 + static_cast<size_t>(std::ranges::count(before, '\n'));
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto is_first_byte = [](char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; };
  const auto column = std::ranges::count_if(before.substr(line_start), is_first_byte) + 1;
  return fmt::format("line {}, column {}: {}", line, column, sentence);
}

// The encoding of JSON that is not UTF-8, by its mark or by where its first character, which
// is ASCII, has zeros; empty for the others.
std::string_view ForeignEncoding(std::string_view text) {
  const auto starts = [&](std::string_view mark) { return text.starts_with(mark); };
  const auto is_zero = [&](size_t i) { return i < text.size() && text[i] == '\0'; };
  if (starts({"\xFF\xFE\0\0", 4}) || starts({"\0\0\xFE\xFF", 4})) return "UTF-32";
  if (starts("\xFF\xFE") || starts("\xFE\xFF")) return "UTF-16";
  if (text.size() < 2 || is_zero(0) == is_zero(1)) {
    return is_zero(0) && is_zero(2) && text.size() > 3 && !is_zero(3) ? "UTF-32" : "";
  }
  return !is_zero(0) && is_zero(2) && is_zero(3) ? "UTF-32" : "UTF-16";
}

// Finds the end of the root value and turns trailing commas, which the JSON
// library does not know, into spaces: every byte keeps its position.
class RootScanner {
 public:
  explicit RootScanner(std::string_view text) : text_(text), root_(text) {}

  std::string Scan() {
    while (at_ < text_.size() && !closed_) {
      if (SkipBlank()) continue;
      if (text_.substr(at_, 2) == "/*") {
        at_ = text_.size();  // without an end; looked for once
      } else if (text_[at_] == '"') {
        SkipString();
        ++at_;
      } else {
        Visit(text_[at_]);
        ++at_;
      }
    }
    root_.resize(std::min(at_, root_.size()));
    return std::move(root_);
  }

  // After Scan: the first byte behind an array or object that is neither space nor part of a
  // comment.
  std::optional<size_t> Trailing() {
    while (at_ < text_.size() && SkipBlank()) {
    }
    return at_ < text_.size() ? std::optional(at_) : std::nullopt;
  }

 private:
  void SkipString() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    previous_ = '"';
  }

  // One space or comment. What is not a complete comment is left for the parser to refuse;
  // a comment of one line may end with the text.
  bool SkipBlank() {
    if (std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
      ++at_;
      return true;
    }
    const std::string_view start = text_.substr(at_, 2);
    if (start == "//") {
      at_ = std::min(text_.find_first_of(kLineEnds, at_), text_.size());
      return true;
    }
    const size_t end = start == "/*" ? text_.find("*/", at_ + 2) : std::string_view::npos;
    if (end == std::string_view::npos) return false;
    at_ = end + 2;
    return true;
  }

  void Visit(char c) {
    if (c == ',') {
      comma_ = at_;
      comma_follows_value_ = std::string_view("[{,:").find(previous_) == std::string_view::npos;
    } else if (c == '[' || c == '{') {
      ++depth_;
    } else if (c == ']' || c == '}') {
      if (previous_ == ',' && comma_follows_value_) root_[comma_] = ' ';
      closed_ = depth_ <= 1;
      if (depth_ > 0) --depth_;
    }
    previous_ = c;
  }

  // Where the JSON library lets a comment of one line end.
  static constexpr std::string_view kLineEnds{"\n\r\0", 3};

  const std::string_view text_;
  std::string root_;
  size_t at_ = 0;
  size_t depth_ = 0;
  bool closed_ = false;
  char previous_ = '[';  // the last character that is neither space nor comment
  size_t comma_ = 0;
  bool comma_follows_value_ = false;
};

// Tells how far the parser has read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  size_t* count_;
};

// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax
// error while parsing value - invalid literal; last read: 'x'" without its
// head, which we make ourselves, and its tail, which may be a megabyte.
std::string_view LibrarySentence(std::string_view what) {
  const size_t column = what.find("column ");
  if (column == std::string_view::npos) return "a number is beyond the range of FLOAT64";
  what.remove_prefix(what.find(": ", column) + 2);
  return what.substr(0, what.find("; last read"));
}

Json MakeNumber(double nearest, std::string_view text) {
  const bool matters = MayBeHalfway(nearest) || IsExactInteger(nearest);
  if (!matters || CompareDecimal(text, nearest) == 0) return nearest;
  Json::binary_t::container_type bytes(sizeof nearest + text.size());
  std::memcpy(bytes.data(), &nearest, sizeof nearest);
  std::ranges::copy(text, bytes.begin() + sizeof nearest);
  return Json::binary(std::move(bytes));
}

class Builder final : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view text, const size_t& read) : text_(text), read_(read) {}
  ~Builder() override { Dismantle(root_); }
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  Json& root() { return root_; }
  const std::string& problem() const { return problem_; }

  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  // Below 0; the other is -0, which only a float can be.
  bool number_integer(number_integer_t value) override {
    return Add(value == 0 ? Json(-0.0) : Json(value));
  }
  bool number_unsigned(number_unsigned_t value) override { return Add(value); }
  bool number_float(number_float_t value, const string_t& text) override {
    return Add(MakeNumber(value, text));
  }
  bool string(string_t& value) override { return Add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return Open(Json::object()); }
  bool start_array(size_t) override { return Open(Json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(string_t& name) override {
    key_ = std::move(name);
    if (names_.back().insert(key_).second) return true;
    problem_ = At(text_, read_ - 1, fmt::format("the member {} is given twice", Quoted(key_)));
    return false;
  }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    problem_ = At(text_, position - 1, LibrarySentence(error.what()));
    return false;
  }

 private:
  Json* Put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (auto* array = open_.back()->get_ptr<Json::array_t*>()) {
      return &array->emplace_back(std::move(value));
    }
    auto* object = open_.back()->get_ptr<Json::object_t*>();
    if (object->size() == object->capacity()) Grow(*object);
    return &object->emplace_back(key_, std::move(value)).second;
  }
  // By itself an object that grows copies its members, and takes memory to destroy
  // the old ones. Here the values move when all else has succeeded.
  static void Grow(Json::object_t& object) {
    Json::object_t grown;
    grown.reserve(2 * object.size() + 4);
    for (const auto& [name, value] : object) grown.emplace_back(name, nullptr);
    auto to = grown.begin();
    for (auto& [name, value] : object) (to++)->second = std::move(value);
    object.swap(grown);
  }
  bool Add(Json value) { return Put(std::move(value)) != nullptr; }
  // The limit is here, since here is what the parser makes of the text: destroying
  // and reading values takes stack for each level.
  bool Open(Json value) {
    if (open_.size() == kMaxJsonDepth) {
      problem_ =
          At(text_, read_ - 1, fmt::format("values must nest at most {} deep", kMaxJsonDepth));
      return false;
    }
    open_.push_back(Put(std::move(value)));
    names_.emplace_back();
    return true;
  }
  bool Close() {
    open_.pop_back();
    names_.pop_back();
    return true;
  }

  const std::string_view text_;
  const size_t& read_;
  Json root_;
  std::string key_;
  std::vector<Json*> open_;
  std::vector<std::unordered_set<std::string>> names_;  // of the open objects' members
  std::string problem_;
};

}  // namespace

std::optional<InexactNumber> AsInexactNumber(const Json& value) {
  const auto* bytes = value.get_ptr<const Json::binary_t*>();
  if (bytes == nullptr) return std::nullopt;
  InexactNumber number;
  std::memcpy(&number.nearest, bytes->data(), sizeof number.nearest);
  const std::string_view all(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  number.text = all.substr(sizeof number.nearest);
  return number;
}

void Dismantle(Json& value) noexcept {
  if (auto* array = value.get_ptr<Json::array_t*>()) {
    for (Json& element : *array) Dismantle(element);
    array->clear();
  } else if (auto* object = value.get_ptr<Json::object_t*>()) {
    for (auto& [name, member] : *object) Dismantle(member);
    object->clear();
  }
}

DismantleAtEnd::~DismantleAtEnd() {
  if (json_.ok()) Dismantle(json_.value());
}

Result<Json> ParseJson(std::string_view text) try {
  if (const std::string_view encoding = ForeignEncoding(text); !encoding.empty()) {
    return InvalidArgument(
        At(text, 0, fmt::format("the text is in {} and must be in UTF-8", encoding)));
  }
  RootScanner scanner(text);
  const std::string value = scanner.Scan();
  size_t read = 0;
  Builder builder(text, read);
  const CountingIterator begin(value.data(), &read);
  const CountingIterator end(value.data() + value.size(), &read);
  const bool complete =
      Json::sax_parse(begin, end, &builder, nlohmann::detail::input_format_t::json,
                      /*strict=*/true, /*ignore_comments=*/true);
  if (!complete) return InvalidArgument(builder.problem());
  if (const std::optional<size_t> trailing = scanner.Trailing()) {
    return InvalidArgument(
        At(text, *trailing, "only white space and comments may follow the root value"));
  }
  return std::move(builder.root());
} catch (const std::bad_alloc&) {
  return OutOfMemoryNow("the text does not fit into memory");
} catch (const std::exception& error) {
  return Error{ErrorCode::kInternal, error.what()};
}

}  // namespace anydml::model
