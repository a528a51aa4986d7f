# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Outputs whose sizes the library finds, arrays of tensors, and operators that are fused.

No operator of the library has the latter two yet: their listing is that of JOIN and ADD1, and the
library is replaced where it would have to know them."""
import ctypes
import json

import numpy
import pytest

import anydml
from anydml import _describe, _errors, _functions, _layouts, _library, _schema


def tensor(name, kind, **more):
    return {"name": name, "kind": kind, "optional": False, **more}


def field(name, kind, **more):
    return {"name": name, "type": kind, "optional": False, **more}


SUPPORT = [{"level": "1_0", "tensors": ["InputTensors", "ATensor", "OutputTensor"],
            "dimension_counts": [1, 8], "data_types": ["FLOAT32"]}]
JOIN = _schema.Operator({
    "name": "JOIN", "level": "1_0", "in_place": [], "support": SUPPORT,
    "tensors": [tensor("InputTensors", "input", count="InputCount"),
                tensor("OutputTensor", "output", inferred=True)],
    "fields": [field("InputCount", "UINT", equals={"length_of": "InputTensors"}),
               field("InputTensors", "INPUT_TENSOR_ARRAY", count="InputCount"),
               field("OutputTensor", "OUTPUT_TENSOR"), field("Axis", "UINT")]})
ADD1 = _schema.Operator({
    "name": "ELEMENT_WISE_ADD1", "level": "2_0", "in_place": [], "support": SUPPORT,
    "tensors": [tensor("ATensor", "input"), tensor("BTensor", "input"),
                tensor("OutputTensor", "output", inferred=True)],
    "fields": [field("ATensor", "INPUT_TENSOR"), field("BTensor", "INPUT_TENSOR"),
               field("OutputTensor", "OUTPUT_TENSOR"),
               {"name": "FusedActivation", "type": "OPERATOR_DESC", "optional": True,
                "operators": ["ACTIVATION_ELU"]}]})


def layout(*sizes):
    return _layouts.Layout("FLOAT32", sizes, _layouts.packed_strides(sizes), True, "cpu")


def test_sizes_of_results_are_the_librarys():
    x = numpy.zeros((1, 2, 7, 9), "float32")
    assert anydml.max_pooling(x, window_size=(2, 3), strides=2).shape == (1, 2, 3, 4)
    y, indices = anydml.max_pooling2(x, window_size=2, output_indices="uint64")
    assert y.shape == indices.shape == (1, 2, 6, 8) and indices.dtype == numpy.uint64
    x = numpy.zeros(10, "float32")
    assert anydml.slice1(x, input_window_sizes=8, input_window_strides=-3).shape == (3,)
    assert anydml.resample2(x, interpolation_mode="linear", scales=0.7).shape == (7,)


def test_channels_last_stays_channels_last():
    x = numpy.zeros((1, 4, 4, 3), "float32").transpose(0, 3, 1, 2)
    y = anydml.max_pooling(x, window_size=2, strides=2)
    assert y.shape == (1, 3, 2, 2) and y.transpose(0, 2, 3, 1).flags.c_contiguous


def test_what_cannot_be_inferred_is_asked_for():
    with pytest.raises(anydml.InvalidArgument, match="SLICE_GRAD: output_sizes, .* or out is requi"):
        anydml.slice_grad(numpy.zeros(3, "float32"), input_window_sizes=3)


def test_an_array_of_tensors_is_a_list_of_arrays(monkeypatch):
    described = []

    class Compiled:
        handle = None

        def __init__(self, device, threads, text):
            described.append(json.loads(text))

        def table_bytes(self):
            return 0

    def execute(handle, inputs, outputs):
        end = outputs[0]
        for pointer, size in zip(inputs, (4, 12)):
            ctypes.memmove(end, pointer, size)
            end += size
        return 0

    monkeypatch.setattr(_library, "CompiledOperator", Compiled)
    monkeypatch.setattr(_library, "execute", execute)
    monkeypatch.setattr(_library, "describe_output", lambda text, index: (1, (4,)))
    join = _functions.make(JOIN, "test")
    parts = numpy.array([1], "float32"), numpy.array([2, 3, 4], "float32")
    numpy.testing.assert_array_equal(join(parts, axis=0), [1, 2, 3, 4])
    desc = described[0]["desc"]
    assert desc["InputCount"] == 2 and desc["Axis"] == 0
    assert [t["Sizes"] for t in desc["InputTensors"]] == [[1], [3]]
    assert desc["OutputTensor"]["Sizes"] == [4]
    out = numpy.zeros(4, "float32")
    assert join(list(parts), axis=0, out=out) is out and out[3] == 4
    assert "inputs: Sequence[Array]" in _functions.stub(JOIN)
    with pytest.raises(_errors.WrongType, match="JOIN: inputs must be a list or tuple of arrays"):
        join(numpy.zeros((2, 2), "float32"), axis=0)


def describe_add(fused):
    inputs = {"ATensor": layout(2), "BTensor": layout(2)}
    text = _describe.describe(ADD1, inputs, {"OutputTensor": layout(2)},
                              {"FusedActivation": fused}, None, {}).json
    return json.loads(text)["desc"]


def test_a_fused_operator_is_a_name_or_a_dict():
    assert "FusedActivation" not in describe_add(None)
    assert describe_add("ACTIVATION_RELU")["FusedActivation"] == {"Type": "ACTIVATION_RELU"}
    fused = {"Type": "ACTIVATION_ELU", "Alpha": 0.5}
    assert describe_add(fused)["FusedActivation"] == fused
    with pytest.raises(_errors.WrongType, match="fused_activation = 3 must be the name of"):
        describe_add(3)
    with pytest.raises(_errors.WrongType, match="must be the name of"):
        describe_add({"Alpha": 1})
