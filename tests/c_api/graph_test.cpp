// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Graphs of values as a program uses them, through the shared library: anydml.h and graph.hpp.
#include "anydml/graph.hpp"

#include <directml.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using anydml::DataType;
using anydml::Graph;
using anydml::Operator;
using anydml::Value;
using Floats = std::vector<float>;
using testing::Test;

constexpr const char* kReluText = R"({"type": "ACTIVATION_RELU"})";

std::string SentenceOf(const auto& body) {
  try {
    body();
  } catch (const std::exception& exception) {
    return exception.what();
  }
  return "no failure";
}

class GraphTest : public Test {
 protected:
  // Of a graph whose inputs are those of `inputs`.
  Floats Run(Graph& g, const Value& output, std::vector<Floats> inputs) {
    const Operator op = device.Compile(g, {output});
    Floats result(op.output(0).total_bytes / sizeof(float));
    std::vector<const void*> pointers;
    for (const Floats& input : inputs) pointers.push_back(input.data());
    op.Execute(pointers, {result.data()});
    return result;
  }

  anydml::Device device{"cpu"};
};

TEST_F(GraphTest, BroadcastsAsNumPyDoes) {
  Graph g;
  const Value a = g.Input("a", {2, 3}), b = g.Input("b", {3}), c = g.Input("c", {2, 1});
  const Value y = (a + b) * c - 1.0f;
  EXPECT_EQ(y.sizes(), (anydml::Sizes{2, 3}));
  EXPECT_EQ(Run(g, y, {{1, 2, 3, 4, 5, 6}, {10, 20, 30}, {1, 2}}),
            (Floats{10, 21, 32, 27, 49, 71}));
  EXPECT_EQ(SentenceOf([&] { a + g.Input("d", {4}); }), "only axes of size 1 can be repeated");
}

TEST_F(GraphTest, TakesScalarsOnBothSides) {
  Graph g;
  const Value x = g.Input("x", {2});
  EXPECT_EQ(Run(g, 8.0f / (x / 2.0f), {{4, 16}}), (Floats{4, 1}));
  EXPECT_EQ(Run(g, 3.0f - (-x), {{4, 16}}), (Floats{7, 19}));
}

TEST_F(GraphTest, TransposesAndReshapesWithoutOperatorsUntilElementsMove) {
  Graph g;
  const Value x = g.Input("x", {2, 3});
  const Value turned = anydml::Transpose(x, {1, 0});
  EXPECT_EQ(turned.strides(), (anydml::Sizes{1, 3}));
  EXPECT_EQ(Run(g, turned, {{1, 2, 3, 4, 5, 6}}), (Floats{1, 4, 2, 5, 3, 6}));
  const Value flat = anydml::Reshape(turned, {6});
  EXPECT_EQ(flat.strides(), (anydml::Sizes{1}));
  EXPECT_EQ(Run(g, flat, {{1, 2, 3, 4, 5, 6}}), (Floats{1, 4, 2, 5, 3, 6}));
}

TEST_F(GraphTest, TakesSizesByWidthAndHeight) {
  Graph g;
  const Value x = g.Input("x", {1, 1, 1, 2});
  const Value y = anydml::Upsample2d(x, {.ScaleSize = {{.Width = 2, .Height = 1}},
                                         .InterpolationMode = anydml::InterpolationMode::kLinear});
  EXPECT_EQ(Run(g, y, {{0, 4}}), (Floats{0, 1, 3, 4}));
}

TEST_F(GraphTest, FillsInWhatTheSettingsLeaveOut) {
  Graph g;
  const Value x = g.Input("x", {1, 1, 4, 4});
  const Value pooled = anydml::MaxPooling2(x, {.Strides = 2, .WindowSize = {2, 2}});
  EXPECT_EQ(pooled.sizes(), (anydml::Sizes{1, 1, 2, 2}));
  const Value clipped = anydml::Clip1(pooled, {.Min = 0, .Max = 10});
  EXPECT_EQ(Run(g, clipped, {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}),
            (Floats{6, 8, 10, 10}));
  EXPECT_EQ(SentenceOf([&] { anydml::MaxPooling2(x, {.Strides = 2}); }),
            "desc: WindowSize is required");
  EXPECT_EQ(SentenceOf([&] { anydml::Join({x, x}); }), "desc: Axis is required");
}

TEST_F(GraphTest, GivesOptionalAndSeveralOutputs) {
  Graph g;
  const Value x = g.Input("x", {1, 1, 1, 4});
  const anydml::MaxPooling2Outputs pooled = anydml::MaxPooling2(
      x, {.WindowSize = {1, 2},
          .OutputIndicesTensor = anydml::Tensor{DataType::kUint32, {1, 1, 1, 3}}});
  EXPECT_EQ(pooled.OutputIndices.data_type(), DataType::kUint32);
  EXPECT_EQ(Run(g, pooled, {{4, 3, 2, 9}}), (Floats{4, 3, 9}));
  const std::vector<Value> parts = anydml::Split(x, {.OutputCount = 2, .Axis = 3});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(Run(g, anydml::Join({parts[1], parts[0]}, {.Axis = 3}), {{1, 2, 3, 4}}),
            (Floats{3, 4, 1, 2}));
}

TEST_F(GraphTest, RefusesWhatAnOperatorDoesNotTake) {
  Graph g;
  const Value x = g.Input("x", {2, 2});
  EXPECT_EQ(SentenceOf([&] { anydml::Join(std::vector<Value>(100, x), {.Axis = 0}); }),
            "JOIN: InputCount = 100 must be 1 to 64");
  EXPECT_EQ(SentenceOf([&] { anydml::Gemm(x, Value()); }), "GEMM: BTensor is required");
  EXPECT_EQ(SentenceOf([&] { anydml::Cast(x); }),
            "CAST: OutputTensor is required, since its data type and sizes do not follow from the "
            "other fields");
  EXPECT_EQ(SentenceOf([&] {
              x.View({2, 3}, {2, 1});
            }),
            "graph: a view of input 'x' has Sizes {2, 3} and Strides {2, 1}, which take 20 bytes; "
            "it must stay within 16");
  EXPECT_EQ(SentenceOf([&] { device.Compile(g, {}); }),
            "graph: a graph that is compiled has an output or more");
}

TEST_F(GraphTest, HoldsConstants) {
  Graph g;
  const float numbers[] = {1, 2};
  const Value y = g.Input("x", {2}) + g.Constant(DataType::kFloat32, {2}, numbers);
  EXPECT_EQ(Run(g, y, {{10, 20}}), (Floats{11, 22}));
}

TEST_F(GraphTest, TakesAStructWithoutInputs) {
  Graph g;
  const Value x = g.Input("x", {3});
  DML_ACTIVATION_RELU_OPERATOR_DESC relu = {};
  const DML_OPERATOR_DESC desc = {DML_OPERATOR_ACTIVATION_RELU, &relu};
  const anydml_value input = x.id();
  anydml_value output = 0;
  ASSERT_EQ(anydml_graph_operator_from_desc(g.get(), &desc, 1, &input, 1, &output), ANYDML_OK)
      << anydml_last_error();
  EXPECT_EQ(Run(g, Value(g.get(), output), {{-1, 0, 2}}), (Floats{0, 0, 2}));
  const DML_TENSOR_DESC tensor = {};
  relu.InputTensor = &tensor;
  EXPECT_EQ(anydml_graph_operator_from_desc(g.get(), &desc, 1, &input, 1, &output),
            ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(),
               "ACTIVATION_RELU: InputTensor must be null, since the inputs are given apart");
}

TEST_F(GraphTest, DifferentiatesAndTrainsInPlace) {
  Graph g;
  const Value x = g.Input("x", {4, 2}), t = g.Input("t", {4, 1}), w = g.Input("w", {2, 1});
  const Value error = anydml::Gemm(x, w) - t;
  const Value loss = anydml::Average(error * error);
  const Value dw = g.Gradients(loss, {w})[0];
  EXPECT_EQ(dw.sizes(), w.sizes());
  const Operator step = device.Compile(g, {loss, w - 0.05f * dw}, {{1, 2}});
  EXPECT_EQ(step.info().input_count, 3u);
  EXPECT_STREQ(step.input(2).name, "w");
  EXPECT_EQ(step.input(2).may_be_overwritten, 1u);
  // t = 2 x0 - x1, so the loss goes to zero there.
  const Floats xs = {1, 0, 0, 1, 1, 1, 2, 1}, ts = {2, -1, 1, 3};
  Floats ws = {0, 0}, losses(1);
  step.Execute({xs.data(), ts.data(), ws.data()}, {losses.data(), ws.data()});
  // By hand: error = -t, dw = 2/4 x^T error = {-4.5, -1.5}, w' = -0.05 dw.
  EXPECT_FLOAT_EQ(losses[0], (4 + 1 + 1 + 9) / 4.0f);
  EXPECT_FLOAT_EQ(ws[0], 0.225f);
  EXPECT_FLOAT_EQ(ws[1], 0.075f);
  for (int i = 0; i < 500; ++i) {
    step.Start({xs.data(), ts.data(), ws.data()}, {losses.data(), ws.data()}).Wait();
  }
  EXPECT_NEAR(ws[0], 2, 1e-4);
  EXPECT_NEAR(ws[1], -1, 1e-4);
}

TEST_F(GraphTest, TellsWhyThereIsNoGradient) {
  Graph g;
  const Value x = g.Input("x", {2}), unused = g.Input("unused", {2});
  const Value loss = anydml::Sum(x * x);
  EXPECT_EQ(SentenceOf([&] { g.Gradients(x * x, {x}); }),
            "graph: the output of ELEMENT_WISE_MULTIPLY (node 2) has Sizes {2} and the type "
            "FLOAT32; what is differentiated must have one element, of a floating-point type");
  EXPECT_EQ(SentenceOf([&] { g.Gradients(loss, {unused}); }),
            "graph: the output of REDUCE (node 1) does not depend on input 'unused'");
}

// What an output lies over is read before it is written, whatever the order of the nodes.
TEST_F(GraphTest, WritesOverAnInputAfterItsLastReader) {
  Graph g;
  const Value w = g.Input("w", {4, 4});
  const Value next = w + 1.0f;         // node 0: would overwrite w at once
  const Value y = anydml::Gemm(w, w);  // node 1
  const Operator step = device.Compile(g, {next, y}, {{0, 0}});
  Floats ws(16, 1), ys(16);
  step.Execute({ws.data()}, {ws.data(), ys.data()});
  EXPECT_EQ(ws, Floats(16, 2));
  EXPECT_EQ(ys, Floats(16, 4));
}

// Fused with its only reader, the reader of w would run after w is written.
TEST_F(GraphTest, FusesNoReaderPastTheWriter) {
  Graph g;
  const Value w = g.Input("w", {4, 4});
  const Value twice = w * 2.0f;
  const Value next = w + 1.0f;
  const Value sum = twice + anydml::Gemm(next, next);
  const Operator step = device.Compile(g, {next, sum}, {{0, 0}});
  Floats ws(16, 1), sums(16);
  step.Execute({ws.data()}, {ws.data(), sums.data()});
  EXPECT_EQ(ws, Floats(16, 2));
  EXPECT_EQ(sums, Floats(16, 18));
}

TEST_F(GraphTest, RefusesSharedMemoryThatNoOrderAllows) {
  Graph g;
  const Value w = g.Input("w", {4, 4});
  const Value next = w + 1.0f;
  const Value y = anydml::Gemm(next, w);
  EXPECT_EQ(SentenceOf([&] {
              device.Compile(g, {next, y}, {{0, 0}});
            }),
            "graph: output 0 cannot share memory with input 'w': GEMM reads the input and can run "
            "only after ELEMENT_WISE_IDENTITY has written the output");
  EXPECT_EQ(SentenceOf([&] {
              device.Compile(g, {y}, {{0, 0}});
            }),
            "graph: output 0 cannot share memory with w: the operator that writes it does not run "
            "in place on the input");
  EXPECT_EQ(SentenceOf([&] {
              device.Compile(g, {anydml::Sum(w)}, {{0, 0}});
            }),
            "graph: output 0 cannot share memory with w: it has 4 bytes of FLOAT32, and the input "
            "64 of FLOAT32");
  EXPECT_EQ(SentenceOf([&] {
              device.Compile(g, {next}, {{1, 0}});
            }),
            "graph: output 1 of 1 and input 0 of 1 cannot share memory");
}

TEST_F(GraphTest, ChecksPointers) {
  Graph g;
  const Value a = g.Input("a", {4}), b = g.Input("b", {4});
  g.Input("unused", {4});
  const Operator op = device.Compile(g, {anydml::Reshape(a, {2, 2}) + anydml::Reshape(b, {2, 2})});
  EXPECT_EQ(op.input(2).is_present, 0u);
  Floats memory(12), ys(4);
  float* const as = memory.data();
  float* const bs = as + 4;
  const auto run = [&](const void* left, const void* right, void* out) {
    return SentenceOf([&] { op.Execute({left, right, nullptr}, {out}); });
  };
  EXPECT_EQ(run(as, bs, ys.data()), "no failure");
  EXPECT_EQ(run(as, bs, as), "no failure");  // element by element
  EXPECT_EQ(run(as, nullptr, ys.data()), "graph: b must not be null");
  EXPECT_EQ(run(as, bs, as + 1), "graph: output 0 overlaps a and must then have exactly its bytes");
  EXPECT_EQ(run(as, reinterpret_cast<char*>(bs) + 1, ys.data()).substr(0, 11), "graph: b = ");
}

TEST_F(GraphTest, KeepsToHandlesOfItsOwn) {
  Graph g, other;
  const Value x = g.Input("x", {4}), y = other.Input("y", {4});
  anydml_value out = 0;
  const anydml_value foreign[] = {77};
  EXPECT_EQ(anydml_graph_operator(g.get(), kReluText, 1, foreign, 1, &out),
            ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "graph: input 0 = 77 must be a value of this graph, 1 to 1");
  EXPECT_EQ(SentenceOf([&] { x + y; }), "values of two graphs cannot be combined");
  EXPECT_EQ(SentenceOf([&] { g.Input("x", {4}); }), "graph: there is a value 'x' already");
  EXPECT_EQ(SentenceOf([&] { x.SetName("z"); }), "graph: an input keeps its name");
  EXPECT_FALSE(g.Find("z"));
  EXPECT_EQ(g.Find("x").id(), x.id());
  EXPECT_EQ(anydml_graph_create(nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_graph_view(g.get(), x.id(), 1, nullptr, nullptr, &out), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_graph_operator(nullptr, kReluText, 0, nullptr, 0, nullptr),
            ANYDML_INVALID_ARGUMENT);
}

// The text of a graph is a model, and a model is a graph.
TEST_F(GraphTest, RefusesValuesOfAnotherGraph) {
  Graph a, b;
  const Value x = a.Input("x", {1}), other = b.Input("other", {1});
  const auto refusal = "values of two graphs cannot be combined";
  EXPECT_EQ(SentenceOf([&] { a.Gradients(other, {x}); }), refusal);
  EXPECT_EQ(SentenceOf([&] { a.Gradients(anydml::Identity(x), {other}); }), refusal);
  EXPECT_EQ(SentenceOf([&] { device.Compile(a, {anydml::Identity(other)}); }), refusal);
}

TEST_F(GraphTest, KeepsNamesAsLongAsTheGraphAndShowsThem) {
  Graph g;
  const Value x = g.Input("x", {2});
  const Value y = anydml::Identity(x).SetName("first");
  const std::string_view first = y.info().name;
  y.SetName("second\n");
  EXPECT_EQ(first, "first");
  EXPECT_EQ(std::string_view(y.info().name), "second\n");
  EXPECT_EQ(g.Find("first").id(), 0u);
  EXPECT_EQ(g.Find("second\n").id(), y.id());
  EXPECT_EQ(SentenceOf([&] { g.Gradients(y, {x}); }),
            "graph: 'second\\x0a', the output of ELEMENT_WISE_IDENTITY (node 0) has Sizes {2} and "
            "the type FLOAT32; what is differentiated must have one element, of a floating-point "
            "type");
  const anydml::Operator op = device.Compile(g, {y});
  const float in[2] = {};
  EXPECT_EQ(SentenceOf([&] { op.Execute({in}, {nullptr}); }),
            "graph: second\\x0a must not be null");
}

TEST_F(GraphTest, WritesNoInputThatNoOutputNeeds) {
  Graph g;
  const Value x = g.Input("x", {2});
  g.Input("unused", {4000000000u});
  const Value y = anydml::Identity(x).SetName("y");
  const char* json = nullptr;
  const anydml_value output = y.id();
  ASSERT_EQ(anydml_graph_to_json(g.get(), 1, &output, &json), ANYDML_OK) << anydml_last_error();
  EXPECT_EQ(std::string_view(json).find("unused"), std::string_view::npos);
}

TEST_F(GraphTest, GoesToAModelAndBack) {
  Graph g;
  const Value x = g.Input("x", {2, 3}), b = g.Input("b", {3});
  const Value y = (anydml::Transpose(x + b, {1, 0}) * 2.0f).SetName("y");
  const char* json = nullptr;
  const anydml_value outputs[] = {y.id()};
  ASSERT_EQ(anydml_graph_to_json(g.get(), 1, outputs, &json), ANYDML_OK) << anydml_last_error();
  anydml_graph* read = nullptr;
  ASSERT_EQ(anydml_graph_from_json(json, nullptr, &read), ANYDML_OK) << anydml_last_error();
  anydml_value again = 0;
  ASSERT_EQ(anydml_graph_find(read, "y", &again), ANYDML_OK);
  const char* twice = nullptr;
  ASSERT_EQ(anydml_graph_to_json(read, 1, &again, &twice), ANYDML_OK) << anydml_last_error();
  EXPECT_STREQ(twice, json);
  anydml_operator* op = nullptr;
  ASSERT_EQ(anydml_graph_compile(device.get(), read, 1, &again, 0, nullptr, &op), ANYDML_OK);
  const Operator compiled(op);
  EXPECT_STREQ(compiled.input(0).name, "x");
  EXPECT_STREQ(compiled.output(0).name, "y");
  const Floats xs = {1, 2, 3, 4, 5, 6}, bs = {10, 20, 30};
  Floats ys(6);
  compiled.Execute({xs.data(), bs.data()}, {ys.data()});
  EXPECT_EQ(ys, (Floats{22, 28, 44, 50, 66, 72}));
  anydml_graph_release(read);
}

// {resource: elements} of what the outputs' model prints.
class WrittenModel {
 public:
  WrittenModel(const Graph& g, const std::vector<Value>& outputs) {
    std::vector<anydml_value> ids;
    for (const Value& output : outputs) ids.push_back(output.id());
    const char* json = nullptr;
    anydml::detail::Check(
        anydml_graph_to_json(g.get(), static_cast<uint32_t>(ids.size()), ids.data(), &json));
    text = json;
    anydml_graph* read = nullptr;
    anydml::detail::Check(anydml_graph_from_json(json, nullptr, &read));
    graph.reset(read);
  }
  Value Find(const char* name) const {
    anydml_value value = 0;
    anydml::detail::Check(anydml_graph_find(graph.get(), name, &value));
    return Value(graph.get(), value);
  }

  std::string text;
  std::unique_ptr<anydml_graph, void (*)(anydml_graph*)> graph{nullptr, anydml_graph_release};
};

TEST_F(GraphTest, WritesEveryNameOfAValueThatHasTwo) {
  Graph g;
  const Value a = g.Input("a", {2}), b = g.Input("b", {2});
  const Value sum = a + b, loss = anydml::Sum(sum * sum);
  const std::vector<Value> d = g.Gradients(loss, {a, b});
  d[0].SetName("d.a");
  d[1].SetName("d.b");
  const WrittenModel model(g, {d[0], d[1]});
  for (const char* name : {"a", "b", "d.a", "d.b"}) EXPECT_TRUE(model.Find(name)) << name;
}

TEST_F(GraphTest, KnowsTheOutputOfAComparison) {
  Graph g;
  const Value x = g.Input("x", {3}), y = g.Input("y", {3});
  const Value is_greater = anydml::LogicalGreaterThan(x, y);
  EXPECT_EQ(is_greater.data_type(), DataType::kUint8);
  EXPECT_EQ(Run(g, anydml::If(is_greater, x, y), {{1, 5, -2}, {2, 4, -3}}), (Floats{2, 5, -2}));
}

TEST_F(GraphTest, WritesTheNameOfAViewOnce) {
  Graph g;
  const Value x = g.Input("x", {2, 3});
  const Value y = anydml::Relu(x);
  const Value turned = anydml::Transpose(y, {1, 0}).SetName("turned");
  const Value first = y.View({2}, {1}).SetName("first");
  const WrittenModel model(g, {y, turned, first});
  EXPECT_EQ(model.Find("turned").sizes(), (anydml::Sizes{3, 2}));
  EXPECT_EQ(model.Find("first").sizes(), (anydml::Sizes{2}));
  EXPECT_EQ(model.Find("relu.0").sizes(), (anydml::Sizes{2, 3}));
}

TEST_F(GraphTest, ReadsInputsBeforeItWritesOutputs) {
  Graph g;
  const Value x = g.Input("x", {2});
  anydml_value v = x.id();
  ASSERT_EQ(anydml_graph_operator(g.get(), kReluText, 1, &v, 1, &v), ANYDML_OK)
      << anydml_last_error();
  EXPECT_EQ(Run(g, Value(g.get(), v), {{-1, 2}}), (Floats{0, 2}));
  const Value loss = anydml::Sum(Value(g.get(), v));
  v = x.id();
  ASSERT_EQ(anydml_graph_gradients(g.get(), loss.id(), 1, &v, &v), ANYDML_OK)
      << anydml_last_error();
  EXPECT_EQ(Run(g, Value(g.get(), v), {{-1, 2}}), (Floats{0, 1}));
}

TEST_F(GraphTest, RefusesAModelThatIsNoGraph) {
  const std::string relu = R"({"type": "dispatch", "dispatchable": "relu", "bindings":
      {"InputTensor": "%", "OutputTensor": "%"}})";
  const auto command = [&](const char* from, const char* to) {
    std::string text = relu;
    text.replace(text.find('%'), 1, from);
    return text.replace(text.find('%'), 1, to);
  };
  const auto refusal = [&](const std::string& commands) {
    const std::string json = R"({"resources": {
        "x": {"initialValuesDataType": "FLOAT32", "initialValues": [1, 2]},
        "y": {"initialValuesDataType": "FLOAT32", "initialValues": [0, 0]}},
      "dispatchables": {"relu": {"type": "ACTIVATION_RELU", "desc": {
        "InputTensor": {"DataType": "FLOAT32", "Sizes": [2]}}}},
      "commands": [)" + commands +
                             "]}";
    anydml_graph* graph = nullptr;
    EXPECT_EQ(anydml_graph_from_json(json.c_str(), nullptr, &graph), ANYDML_INVALID_ARGUMENT);
    EXPECT_EQ(graph, nullptr);
    return std::string(anydml_last_error());
  };
  EXPECT_EQ(refusal(command("x", "y") + "," + command("x", "y")),
            "the model is no graph: commands[1] writes \"y\", which commands[0] has written");
  EXPECT_EQ(refusal(command("x", "x")),
            "the model is no graph: commands[0] writes \"x\", which commands[0] reads");
  EXPECT_EQ(refusal(command("x", "y") + "," + command("y", "x")),
            "the model is no graph: commands[1] writes \"x\", which commands[0] reads");
}

}  // namespace
