# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""anydml.onnx: what is compiled when, what is folded, what is refused, devices."""
import numpy
import onnx
import pytest
from onnx import TensorProto
from onnx.helper import make_graph, make_model, make_node, make_tensor_value_info

import anydml
import anydml.onnx

X = numpy.arange(6, dtype="float32").reshape(2, 3)


def model(nodes, inputs, outputs, version=17, constants=()):
    """`inputs` and `outputs` are {name: (type, sizes)}."""
    infos = [[make_tensor_value_info(name, *given) for name, given in values.items()]
             for values in (inputs, outputs)]
    constants = [onnx.numpy_helper.from_array(array, name)
                 for name, array in dict(constants).items()]
    return make_model(make_graph(nodes, "graph", *infos, constants),
                      opset_imports=[onnx.helper.make_opsetid("", version)])


def test_values_that_decide_sizes():
    """Reshape's shape is an input: what is compiled is for its values."""
    prepared = anydml.onnx.prepare(model(
        [make_node("Reshape", ["x", "shape"], ["y"])],
        {"x": (TensorProto.FLOAT, ["n", "m"]), "shape": (TensorProto.INT64, [2])},
        {"y": (TensorProto.FLOAT, ["a", "b"])}))
    for shape in ((3, 2), (1, 6), (3, 2), (-1, 1)):
        found, = prepared.run([X, numpy.array(shape)])
        assert numpy.array_equal(found, X.reshape(shape))
    found, = prepared.run([X[:1], numpy.array((3, 1))])
    assert numpy.array_equal(found, X[:1].reshape(3, 1))


def test_shapes_are_folded():
    """x in the shape {size of x}, by Shape, Gather, Mul and Unsqueeze: no operator but Relu."""
    prepared = anydml.onnx.prepare(model(
        [make_node("Shape", ["x"], ["s"]), make_node("Gather", ["s", "zero"], ["a"]),
         make_node("Gather", ["s", "one"], ["b"]), make_node("Mul", ["a", "b"], ["ab"]),
         make_node("Unsqueeze", ["ab", "axes"], ["shape"]), make_node("Relu", ["x"], ["r"]),
         make_node("Reshape", ["r", "shape"], ["y"])],
        {"x": (TensorProto.FLOAT, [2, 3])}, {"y": (TensorProto.FLOAT, [6])},
        constants={"zero": numpy.array(0), "one": numpy.array(1), "axes": numpy.array([0])}))
    found, = prepared.run([X - 2])
    assert found.tolist() == [0, 0, 0, 1, 2, 3]
    assert prepared.compiled({"x": X}).operators == 1


def test_what_is_computed_of_constants_decides_sizes():
    """The shape passes through an operator that is not folded: the graph computes it first."""
    prepared = anydml.onnx.prepare(model(
        [make_node("CumSum", ["c", "zero"], ["s"]), make_node("Reshape", ["x", "s"], ["y"])],
        {"x": (TensorProto.FLOAT, [2, 3])}, {"y": (TensorProto.FLOAT, [2, 3])},
        constants={"c": numpy.array([3, -1]), "zero": numpy.array(0)}))
    assert prepared.run([X])[0].shape == (3, 2)


def test_bool_and_several_outputs():
    prepared = anydml.onnx.prepare(model(
        [make_node("Greater", ["x", "two"], ["big"]), make_node("Not", ["big"], ["small"]),
         make_node("Where", ["mask", "x", "two"], ["y"])],
        {"x": (TensorProto.FLOAT, [2, 3]), "mask": (TensorProto.BOOL, [3])},
        {"big": (TensorProto.BOOL, [2, 3]), "small": (TensorProto.BOOL, [2, 3]),
         "y": (TensorProto.FLOAT, [2, 3])}, constants={"two": numpy.float32(2).reshape(())}))
    mask = numpy.array([True, False, True])
    big, small, y = prepared.run({"x": X, "mask": mask})
    assert big.dtype == bool and numpy.array_equal(big, X > 2)
    assert numpy.array_equal(small, X <= 2) and numpy.array_equal(y, numpy.where(mask, X, 2))


def test_initializers_that_are_listed_as_inputs():
    given = model([make_node("Add", ["x", "b"], ["y"])],
                  {"x": (TensorProto.FLOAT, [2, 3]), "b": (TensorProto.FLOAT, [3])},
                  {"y": (TensorProto.FLOAT, [2, 3])}, constants={"b": numpy.ones(3, "float32")})
    assert numpy.array_equal(anydml.onnx.run_model(given, [X])[0], X + 1)


def refused(given, inputs, *words):
    with pytest.raises(anydml.Error) as told:
        anydml.onnx.run_model(given, inputs)
    for word in words:
        assert word in str(told.value)


def test_refusals_name_operator_and_node():
    def one(kind, element=TensorProto.FLOAT, **attributes):
        return model([make_node(kind, ["x"], ["y"], name="the node", **attributes)],
                     {"x": (element, [2, 3])}, {"y": (element, ["a"])})
    refused(one("Det"), [X], "Det", "'the node'", "not built")
    refused(one("Abs", TensorProto.DOUBLE), [X.astype("float64")], "Abs", "'the node'", "FLOAT64")
    refused(one("Identity", TensorProto.STRING), [X], "'x'", "STRING")
    refused(one("Identity", TensorProto.BFLOAT16), [X], "'x'", "BFLOAT16")
    refused(one("Abs"), [], "x")
    wide = model([make_node("Pow", ["x", "e"], ["y"])],
                 {"x": (TensorProto.FLOAT, [2, 3]), "e": (TensorProto.INT64, [1])},
                 {"y": (TensorProto.FLOAT, [2, 3])})
    refused(wide, [X, numpy.array([2**31])], "INT32")
    assert numpy.array_equal(anydml.onnx.run_model(wide, [X, numpy.array([3])])[0], X**3)


def test_nodes_and_devices():
    node = make_node("Clip", ["x", "", "high"], ["y"])
    found, = anydml.onnx.run_node(node, [X, numpy.float32(3)])
    assert numpy.array_equal(found, X.clip(None, 3))
    assert anydml.onnx.supports_device("CPU") and not anydml.onnx.supports_device("TPU")
    assert anydml.onnx.supports_device("CUDA") == ("cuda:0" in anydml.devices())


def test_threads_and_devices_give_the_same_bits():
    x = numpy.random.default_rng(1).standard_normal((2, 3, 33, 31)).astype("float32")
    weights = {"w": x[:, :, :5, :5].repeat(4, 0), "b": x[0, 0, 0, :8]}
    given = model([make_node("Conv", ["x", "w", "b"], ["t"], pads=[2, 2, 2, 2]),
                   make_node("LogSoftmax", ["t"], ["y"], axis=-1)],
                  {"x": (TensorProto.FLOAT, x.shape)}, {"y": (TensorProto.FLOAT, list("abcd"))},
                  constants=weights)
    runs = [anydml.onnx.prepare(given, device, threads=threads).run([x])[0].tobytes()
            for device in ("CPU", "CUDA") if anydml.onnx.supports_device(device)
            for threads in (1, 3)]
    assert len(set(runs)) == 1


@pytest.mark.parametrize("equation, shapes", [
    ("bij,bkj->bik", [(2, 3, 4), (2, 5, 4)]), ("...ij,...jk->...ik", [(2, 2, 3, 4), (2, 2, 4, 5)]),
    ("ij", [(3, 4)]), ("ji", [(3, 4)]), ("ij->", [(3, 4)]), ("...ii->...i", [(2, 3, 3)]),
    ("ij,kl->il", [(2, 3), (4, 5)]), ("ab,bc,cd->ad", [(2, 3), (3, 4), (4, 5)]),
    ("i,i->", [(5,), (5,)])])
def test_einsum(equation, shapes):
    random = numpy.random.default_rng(1)
    operands = [random.integers(-3, 4, shape).astype("float32") for shape in shapes]
    node = make_node("Einsum", [f"x{i}" for i in range(len(shapes))], ["y"], equation=equation)
    found, = anydml.onnx.run_node(node, operands)
    expected = numpy.einsum(equation, *operands)
    assert found.shape == expected.shape and numpy.array_equal(found, expected)


def test_functions_of_the_model():
    """Leaky(a) = LeakyRelu(a) + a, with the slope of its call."""
    opsets = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("own", 1)]
    leaky = make_node("LeakyRelu", ["a"], ["l"])
    alpha = leaky.attribute.add()
    alpha.name, alpha.ref_attr_name, alpha.type = "alpha", "slope", onnx.AttributeProto.FLOAT
    function = onnx.helper.make_function("own", "Leaky", ["a"], ["b"], [
        leaky, make_node("Add", ["l", "a"], ["b"])], opsets[:1], ["slope"])
    given = model([make_node("Leaky", ["x"], ["t"], domain="own", slope=0.5),
                   make_node("Leaky", ["t"], ["y"], domain="own", slope=2.0)],
                  {"x": (TensorProto.FLOAT, [2, 3])}, {"y": (TensorProto.FLOAT, [2, 3])})
    given = make_model(given.graph, functions=[function], opset_imports=opsets)
    found, = anydml.onnx.run_model(given, [X - 2])
    # Negative: x + x / 2, then 3 times that; positive: doubled twice.
    assert found.tolist() == [[-9, -4.5, 0], [4, 8, 12]]


def test_inputs_are_as_the_model_says():
    given = model([make_node("Abs", ["x"], ["y"])], {"x": (TensorProto.FLOAT, ["n", 3])},
                  {"y": (TensorProto.FLOAT, ["n", 3])})
    refused(given, [X.astype("float64")], "'x'", "float64", "float32")
    refused(given, [X.T], "'x'", "(3, 2)", "(?, 3)")
    refused(given, [X[0]], "'x'", "(3,)")
    refused(given, [X, X], "was given")
    refused(given, {"z": X}, "was given z")


def test_loop_that_its_values_end():
    """while sum(x) < 100: x = 2 x, collected: what is compiled depends on x."""
    body = make_graph(
        [make_node("Add", ["x", "x"], ["next"]),
         make_node("ReduceSum", ["next"], ["s"], keepdims=0), make_node("Less", ["s", "hundred"], ["more"]),
         make_node("Identity", ["next"], ["seen"])],
        "body", [make_tensor_value_info("i", TensorProto.INT64, []),
                 make_tensor_value_info("c", TensorProto.BOOL, []),
                 make_tensor_value_info("x", TensorProto.FLOAT, [3])],
        [make_tensor_value_info("more", TensorProto.BOOL, []),
         make_tensor_value_info("next", TensorProto.FLOAT, [3]),
         make_tensor_value_info("seen", TensorProto.FLOAT, [3])])
    prepared = anydml.onnx.prepare(model(
        [make_node("Loop", ["", "yes", "start"], ["end", "all"], body=body)],
        {"start": (TensorProto.FLOAT, [3])},
        {"end": (TensorProto.FLOAT, [3]), "all": (TensorProto.FLOAT, ["n", 3])},
        constants={"yes": numpy.array(True), "hundred": numpy.float32(100).reshape(())}))
    for start, steps in (([1, 2, 3], 5), ([10, 20, 30], 1), ([40, 50, 60], 1)):
        end, seen = prepared.run([numpy.array(start, "float32")])
        expected = [[n * 2**(k + 1) for n in start] for k in range(steps)]
        assert seen.tolist() == expected and end.tolist() == expected[-1]
    refused(model([make_node("Loop", ["", "yes", "start"], ["end", "all"], body=body)],
                  {"start": (TensorProto.FLOAT, [3])},
                  {"end": (TensorProto.FLOAT, [3]), "all": (TensorProto.FLOAT, ["n", 3])},
                  constants={"yes": numpy.array(True),
                             "hundred": numpy.float32(100).reshape(())}),
            [numpy.zeros(3, "float32")], "Loop", "1000 steps")


def test_windows_that_would_begin_behind_the_elements():
    """ceil_mode: 14 elements by steps of 3 are seen from 0 to 12, as PyTorch and ONNX 1.16 say."""
    x = numpy.arange(14, dtype="float32").reshape(1, 1, 14)
    for kind in ("MaxPool", "AveragePool"):
        node = make_node(kind, ["x"], ["y"], kernel_shape=[1], strides=[3], ceil_mode=1)
        assert anydml.onnx.run_node(node, [x])[0].tolist() == [[[0, 3, 6, 9, 12]]]


@pytest.mark.parametrize("mode", ["linear", "cubic", "nearest"])
def test_resize_to_one_element(mode):
    """Corners aligned, the one element is the first."""
    node = make_node("Resize", ["x", "", "", "sizes"], ["y"], mode=mode,
                     coordinate_transformation_mode="align_corners")
    x = numpy.arange(7, 19, dtype="float32").reshape(1, 1, 3, 4)
    assert anydml.onnx.run_node(node, [x, numpy.array([1, 1, 1, 1])])[0].tolist() == [[[[7]]]]


def test_sizes_that_computed_values_decide():
    """The columns whose sum is positive: what is compiled depends on x."""
    prepared = anydml.onnx.prepare(model(
        [make_node("ReduceSum", ["x", "axes"], ["sums"], keepdims=0),
         make_node("Relu", ["sums"], ["positive"]), make_node("NonZero", ["positive"], ["found"]),
         make_node("Flatten", ["found"], ["row"], axis=0),
         make_node("Squeeze", ["row", "axes"], ["at"]),
         make_node("Gather", ["x", "at"], ["y"], axis=1)],
        {"x": (TensorProto.FLOAT, [2, 3])}, {"y": (TensorProto.FLOAT, [2, "n"])},
        constants={"axes": numpy.array([0])}))
    for x, columns in ((X - 2, [1, 2]), (X, [0, 1, 2]), (X - 3, [2])):
        assert numpy.array_equal(prepared.run([x])[0], x[:, columns])
