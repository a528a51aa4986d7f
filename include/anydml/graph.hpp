// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Graphs of values in C++20: arithmetic with broadcasting, a function per operator, and
// gradients. Header only, over anydml.h.
//
//   anydml::Graph g;
//   anydml::Value x = g.Input("x", {64, 3}), w = g.Input("w", {3, 1}), t = g.Input("t", {64, 1});
//   anydml::Value e = anydml::Gemm(x, w) - t;
//   anydml::Value loss = anydml::Average(e * e);
//   anydml::Value dw = g.Gradients(loss, {w})[0];
//   anydml::Operator step = device.Compile(g, {loss, w - 0.1f * dw}, {{1, 1}});  // over w
//
// Values belong to one graph, which must outlive them; a graph is for one thread at a time.
#ifndef ANYDML_GRAPH_HPP_
#define ANYDML_GRAPH_HPP_

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anydml/anydml.hpp"

namespace anydml {

using Sizes = std::vector<uint32_t>;
using SharedMemory = anydml_shared_memory;

// DML_TENSOR_DATA_TYPE
enum class DataType : uint32_t {
  kFloat32 = 1,
  kFloat16,
  kUint32,
  kUint16,
  kUint8,
  kInt32,
  kInt16,
  kInt8,
  kFloat64,
  kUint64,
  kInt64,
};

namespace detail {

inline const char* NameOf(DataType type) {
  constexpr const char* kNames[] = {"UNKNOWN", "FLOAT32", "FLOAT16", "UINT32",  "UINT16", "UINT8",
                                    "INT32",   "INT16",   "INT8",    "FLOAT64", "UINT64", "INT64"};
  return kNames[static_cast<size_t>(type)];
}

}  // namespace detail

// An output of an operator that says itself what it is; packed without strides.
struct Tensor {
  DataType data_type = DataType::kFloat32;
  Sizes sizes;
  Sizes strides = {};
};

class Value {
 public:
  Value() = default;  // none: an optional input that is absent
  Value(anydml_graph* graph, anydml_value id) : graph_(graph), id_(id) {}

  anydml_graph* graph() const noexcept { return graph_; }
  anydml_value id() const noexcept { return id_; }
  explicit operator bool() const noexcept { return id_ != 0; }

  anydml_tensor_info info() const {
    return detail::Fill<anydml_tensor_info>(
        [this](anydml_tensor_info* info) { return anydml_graph_value_info(graph_, id_, info); });
  }
  Sizes sizes() const {
    const anydml_tensor_info own = info();
    return Sizes(own.sizes, own.sizes + own.dimension_count);
  }
  Sizes strides() const {  // in elements
    const anydml_tensor_info own = info();
    return Sizes(own.strides, own.strides + own.dimension_count);
  }
  DataType data_type() const { return static_cast<DataType>(info().data_type); }

  // For outputs, sentences and models.
  const Value& SetName(const char* name) const {
    detail::Check(anydml_graph_set_name(graph_, id_, name));
    return *this;
  }
  // The same bytes by other sizes and strides; see anydml_graph_view.
  Value View(const Sizes& sizes, const Sizes& strides) const {
    if (sizes.size() != strides.size()) {
      throw std::invalid_argument("a view has as many strides as sizes");
    }
    anydml_value view = 0;
    detail::Check(anydml_graph_view(graph_, id_, static_cast<uint32_t>(sizes.size()), sizes.data(),
                                    strides.data(), &view));
    return Value(graph_, view);
  }

 private:
  anydml_graph* graph_ = nullptr;
  anydml_value id_ = 0;
};

namespace detail {

// Absent values have the id 0; those of another graph are refused.
inline anydml_value IdOf(const anydml_graph* graph, const Value& value) {
  if (value && value.graph() != graph) {
    throw std::invalid_argument("values of two graphs cannot be combined");
  }
  return value.id();
}
inline std::vector<anydml_value> IdsOf(const anydml_graph* graph,
                                       const std::vector<Value>& values) {
  std::vector<anydml_value> ids;
  for (const Value& value : values) ids.push_back(IdOf(graph, value));
  return ids;
}

}  // namespace detail

class Graph {
 public:
  Graph() {
    anydml_graph* graph = nullptr;
    detail::Check(anydml_graph_create(&graph));
    graph_.reset(graph);
  }

  anydml_graph* get() const noexcept { return graph_.get(); }

  // What an execution is given, in this order.
  Value Input(const char* name, DataType type, const Sizes& sizes) {
    anydml_value value = 0;
    detail::Check(anydml_graph_input(get(), name, static_cast<uint32_t>(type),
                                     static_cast<uint32_t>(sizes.size()), sizes.data(), &value));
    return Value(get(), value);
  }
  Value Input(const char* name, const Sizes& sizes) {
    return Input(name, DataType::kFloat32, sizes);
  }
  // As many elements as the sizes have.
  Value Constant(DataType type, const Sizes& sizes, const void* data) const {
    anydml_value value = 0;
    detail::Check(anydml_graph_constant(get(), static_cast<uint32_t>(type),
                                        static_cast<uint32_t>(sizes.size()), sizes.data(), data,
                                        &value));
    return Value(get(), value);
  }
  Value Constant(float number) const { return Constant(DataType::kFloat32, {1}, &number); }
  // None where no value has the name.
  Value Find(const char* name) const {
    anydml_value value = 0;
    detail::Check(anydml_graph_find(get(), name, &value));
    return Value(get(), value);
  }

  // With respect to values that are no views; see anydml_graph_gradients.
  std::vector<Value> Gradients(const Value& loss, const std::vector<Value>& of) {
    std::vector<anydml_value> ids = detail::IdsOf(get(), of), gradients(of.size());
    detail::Check(anydml_graph_gradients(get(), detail::IdOf(get(), loss),
                                         static_cast<uint32_t>(of.size()), ids.data(),
                                         gradients.data()));
    std::vector<Value> values;
    for (anydml_value gradient : gradients) values.emplace_back(get(), gradient);
    return values;
  }

  // A model that computes these outputs, for `anydml run` and `anydml grad` here and for DxDispatch
  // on Windows; its inputs are zeros. See anydml_graph_to_json.
  std::string ToJson(const std::vector<Value>& outputs) const {
    const std::vector<anydml_value> ids = detail::IdsOf(get(), outputs);
    const char* json = nullptr;
    detail::Check(
        anydml_graph_to_json(get(), static_cast<uint32_t>(ids.size()), ids.data(), &json));
    return json;
  }
  void SaveModel(const std::string& path, const std::vector<Value>& outputs) const {
    const std::string text = ToJson(outputs);
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    const bool is_written =
        file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if ((file != nullptr && std::fclose(file) != 0) || !is_written) {
      throw std::runtime_error(path + " cannot be written: " + std::strerror(errno));
    }
  }

 private:
  struct Deleter {
    void operator()(anydml_graph* graph) const noexcept { anydml_graph_release(graph); }
  };
  std::unique_ptr<anydml_graph, Deleter> graph_;
};

inline Operator Device::Compile(const Graph& graph, const std::vector<Value>& outputs,
                                const std::vector<anydml_shared_memory>& shared) const {
  const std::vector<anydml_value> ids = detail::IdsOf(graph.get(), outputs);
  anydml_operator* op = nullptr;
  detail::Check(anydml_graph_compile(get(), graph.get(), static_cast<uint32_t>(ids.size()),
                                     ids.data(), static_cast<uint32_t>(shared.size()),
                                     shared.data(), &op));
  return Operator(op);
}

namespace detail {

struct ScaleBias {
  float Scale = 1;
  float Bias = 0;
};

struct Size2D {
  uint32_t Width = 1;
  uint32_t Height = 1;
};

// Entries of an array: a list, or one number for every dimension.
template <typename T>
struct Entries {
  Entries() = default;
  Entries(T one) : values{one}, is_one_for_all(true) {}      // NOLINT: implicit
  Entries(std::initializer_list<T> list) : values(list) {}   // NOLINT: implicit
  Entries(std::vector<T> list) : values(std::move(list)) {}  // NOLINT: implicit

  std::vector<T> values;
  bool is_one_for_all = false;
};

// {"type": ..., "desc": {...}}, field by field; what has no value is left out.
class Description {
 public:
  explicit Description(std::string_view type) : text_("{\"type\":\"") {
    text_.append(type).append("\",\"desc\":{");
  }

  template <typename T>
  void Field(std::string_view name, const std::optional<T>& value) {
    if (value) Field(name, *value);
  }
  template <typename T>
  void Field(std::string_view name, const Entries<T>& entries, size_t dimensions = 1) {
    if (entries.values.empty()) return;
    const bool repeat = entries.is_one_for_all;
    Begin(name);
    Write(repeat ? std::vector<T>(dimensions, entries.values[0]) : entries.values);
  }
  template <typename T>
  void Field(std::string_view name, const T& value) {
    Begin(name);
    Write(value);
  }

  std::string Finish() const { return text_ + "}}"; }

 private:
  void Begin(std::string_view name) {
    if (text_.back() != '{') text_ += ',';
    text_.append("\"").append(name).append("\":");
  }
  void Write(bool value) { text_ += value ? "true" : "false"; }
  template <typename T>
  void Write(const std::vector<T>& values) {
    text_ += '[';
    for (size_t i = 0; i < values.size(); ++i) {
      if (i != 0) text_ += ',';
      Write(values[i]);
    }
    text_ += ']';
  }
  void Write(const ScaleBias& value) {
    text_ += "{\"Scale\":";
    Write(value.Scale);
    text_ += ",\"Bias\":";
    Write(value.Bias);
    text_ += '}';
  }
  void Write(const Size2D& value) {
    text_ += "{\"Width\":";
    Write(value.Width);
    text_ += ",\"Height\":";
    Write(value.Height);
    text_ += '}';
  }
  void Write(const Tensor& tensor) {
    text_.append("{\"DataType\":\"").append(NameOf(tensor.data_type));
    text_ += "\",\"Sizes\":";
    Write(tensor.sizes);
    if (!tensor.strides.empty()) {
      text_ += ",\"Strides\":";
      Write(tensor.strides);
    }
    text_ += '}';
  }
  template <typename T>
  requires std::is_enum_v<T>
  void Write(T value) { text_.append("\"").append(EnumeratorOf(value)).append("\""); }
  // The shortest text that is this number again.
  template <typename T>
  requires std::is_arithmetic_v<T>
  void Write(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value)) {
        text_ += std::isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
        return;
      }
    }
    char number[32];
    text_.append(number, std::to_chars(number, number + sizeof number, value).ptr);
  }

  std::string text_;
};

inline anydml_graph* GraphOf(std::span<const Value> values) {
  for (const Value& value : values) {
    if (value) return value.graph();
  }
  return nullptr;
}

// As many outputs as asked for; none for those that are absent.
inline std::vector<Value> Call(anydml_graph* graph, const Description& text,
                               const std::vector<Value>& inputs, uint32_t output_count) {
  const std::vector<anydml_value> ids = IdsOf(graph, inputs);
  std::vector<anydml_value> outputs(output_count);
  Check(anydml_graph_operator(graph, text.Finish().c_str(), static_cast<uint32_t>(ids.size()),
                              ids.data(), output_count, outputs.data()));
  std::vector<Value> values;
  for (anydml_value output : outputs) values.emplace_back(graph, output);
  return values;
}

inline Sizes PackedStrides(const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

}  // namespace detail
}  // namespace anydml

#include "anydml/operators.hpp"

namespace anydml {

// ---- Views

// Axes of size 1, and axes that are missing in front, repeated.
inline Value Broadcast(const Value& x, const Sizes& sizes) {
  const Sizes own = x.sizes(), from = x.strides();
  if (own == sizes) return x;
  const size_t missing = sizes.size() - own.size();
  Sizes strides(sizes.size(), 0);
  for (size_t i = 0; i < own.size() && own.size() <= sizes.size(); ++i) {
    if (own[i] != 1) strides[missing + i] = from[i];
    if (own[i] != 1 && own[i] != sizes[missing + i]) {
      throw std::invalid_argument("only axes of size 1 can be repeated");
    }
  }
  if (own.size() > sizes.size()) {
    throw std::invalid_argument("a value cannot be broadcast to fewer dimensions");
  }
  return x.View(sizes, strides);
}

// The same elements in the same order: a view, of a copy where x is not packed.
inline Value Reshape(const Value& x, const Sizes& sizes) {
  uint64_t wanted = 1, own = 1;
  for (uint32_t size : sizes) wanted *= size;
  const Sizes from = x.sizes(), strides = x.strides(), packed = detail::PackedStrides(from);
  bool is_packed = true;
  for (size_t i = 0; i < from.size(); ++i) {
    own *= from[i];
    is_packed = is_packed && (from[i] == 1 || strides[i] == packed[i]);
  }
  if (own != wanted) throw std::invalid_argument("a value is reshaped to as many elements");
  return (is_packed ? x : Identity(x)).View(sizes, detail::PackedStrides(sizes));
}

// All axes but the first become one.
inline Value Flatten(const Value& x) {
  const Sizes sizes = x.sizes();
  uint32_t rest = 1;
  for (size_t i = 1; i < sizes.size(); ++i) rest *= sizes[i];
  return Reshape(x, {sizes[0], rest});
}

// Axis i of the result is axis order[i] of x.
inline Value Transpose(const Value& x, const Sizes& order) {
  const Sizes sizes = x.sizes(), strides = x.strides();
  Sizes to_sizes, to_strides;
  for (uint32_t axis : order) {
    if (axis >= sizes.size() || order.size() != sizes.size() ||
        std::count(order.begin(), order.end(), axis) != 1) {
      throw std::invalid_argument("a transposition names every axis once");
    }
    to_sizes.push_back(sizes[axis]);
    to_strides.push_back(strides[axis]);
  }
  return x.View(to_sizes, to_strides);
}

// ---- Arithmetic

namespace detail {

// As in NumPy: sizes are compared from the last, and 1 becomes the other's.
inline std::pair<Value, Value> Alike(const Value& a, const Value& b) {
  Sizes sizes = a.sizes(), others = b.sizes();
  if (sizes.size() < others.size()) sizes.swap(others);
  for (size_t i = 1; i <= others.size(); ++i) {
    uint32_t& size = sizes[sizes.size() - i];
    if (size == 1) size = others[others.size() - i];
  }
  return {Broadcast(a, sizes), Broadcast(b, sizes)};
}

// One number, of the value's type, with its sizes.
inline Value NumberLike(const Value& x, double number) {
  const Sizes sizes = x.sizes();
  Description text("FILL_VALUE_CONSTANT");
  text.Field("OutputTensor", Tensor{x.data_type(), Sizes(sizes.size(), 1)});
  text.Field("Value", number);
  return Broadcast(Call(x.graph(), text, {}, 1)[0], sizes);
}

inline Value Scaled(const Value& x, float scale, float bias) {
  return Identity(x, {.ScaleBias = ScaleBias{scale, bias}});
}

}  // namespace detail

inline Value operator+(const Value& a, const Value& b) {
  const auto [x, y] = detail::Alike(a, b);
  return Add(x, y);
}
inline Value operator-(const Value& a, const Value& b) {
  const auto [x, y] = detail::Alike(a, b);
  return Subtract(x, y);
}
inline Value operator*(const Value& a, const Value& b) {
  const auto [x, y] = detail::Alike(a, b);
  return Multiply(x, y);
}
inline Value operator/(const Value& a, const Value& b) {
  const auto [x, y] = detail::Alike(a, b);
  return Divide(x, y);
}
inline Value operator+(const Value& x, float number) { return detail::Scaled(x, 1, number); }
inline Value operator+(float number, const Value& x) { return x + number; }
inline Value operator-(const Value& x, float number) { return detail::Scaled(x, 1, -number); }
inline Value operator-(float number, const Value& x) { return detail::Scaled(x, -1, number); }
inline Value operator*(const Value& x, float number) { return detail::Scaled(x, number, 0); }
inline Value operator*(float number, const Value& x) { return x * number; }
inline Value operator/(const Value& x, float number) {
  return Divide(x, detail::NumberLike(x, number));
}
inline Value operator/(float number, const Value& x) {
  return Divide(detail::NumberLike(x, number), x);
}
inline Value operator-(const Value& x) { return x * -1.0f; }

// Over all elements: one element, with as many dimensions.
inline Value ReduceAll(const Value& x, ReduceFunction function) {
  Sizes axes(x.sizes().size());
  for (uint32_t i = 0; i < axes.size(); ++i) axes[i] = i;
  return Reduce(x, {.Function = function, .Axes = axes});
}
inline Value Sum(const Value& x) { return ReduceAll(x, ReduceFunction::kSum); }
inline Value Average(const Value& x) { return ReduceAll(x, ReduceFunction::kAverage); }

}  // namespace anydml

#endif  // ANYDML_GRAPH_HPP_
