# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Every entry of tests/reference_data, computed by another program, to the bit; packed
and through layouts with other orders of dimensions and gaps."""
import json
import pathlib

import numpy
import pytest

import anydml
from anydml import _functions
from anydml._arrays import NUMPY_NAMES

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "reference_data"
BY_TYPE = {operator.type: operator for operator in anydml._operators.values()}


def dtype(data_type):
    return numpy.dtype(NUMPY_NAMES[data_type])


def array(entry, tensor):
    described = entry["fields"][tensor]
    data = bytes.fromhex(entry["data"][tensor])
    return numpy.frombuffer(data, dtype(described["DataType"])).reshape(described["Sizes"])


def value(entry, setting):
    given = entry["fields"].get(setting.field_name)
    if isinstance(given, dict) and "Bytes" in given:
        names = ("MinMaxDataType", "ValueDataType", "PaddingValueDataType")
        data_type = dtype(next(entry["fields"][name] for name in names if name in entry["fields"]))
        return numpy.frombuffer(bytes.fromhex(given["Bytes"])[:data_type.itemsize], data_type)[0]
    if isinstance(given, dict):
        return given["Scale"], given["Bias"]
    if setting.type == "FLOAT_ARRAY":
        return [float(number) for number in given]
    return given.lower() if isinstance(given, str) else given


def arguments(entry):
    operator = BY_TYPE[entry["operator"]]
    settings = {s.name: value(entry, s) for s in operator.settings}
    if operator.takes_output_sizes:
        settings["output_sizes"] = entry["fields"][operator.outputs[0]]["Sizes"]
    for tensor in operator.optional_outputs:
        if tensor in entry["fields"]:
            settings[_functions._optional_name(tensor)] = entry["fields"][tensor][
                "DataType"].lower()
    return operator, [array(entry, t) if t in entry["fields"] else None
                      for t in operator.inputs], settings


def entries(path):
    return json.loads(path.read_text())


def assert_same(result, expected):
    """Equal bits; NaNs of any payload are equal (B13)."""
    assert result.dtype == expected.dtype and result.shape == expected.shape
    if expected.dtype.kind == "f":
        nan = numpy.isnan(expected)
        assert (numpy.isnan(result) == nan).all()
        result, expected = result[~nan], expected[~nan]
    assert result.tobytes() == expected.tobytes()


def untouched(wanted):
    """For a result: what an operator does not write keeps these bytes, as in the recorded data."""
    return numpy.frombuffer(b"\xc5" * wanted.nbytes, wanted.dtype).reshape(wanted.shape).copy()


def types_are_chosen(operator, inputs):
    """Whether `out` says what the data have, such as indices of uint32 or uint64."""
    return operator.needs_out or all(a is None for a in inputs) or any(
        word in operator.type for word in ("LOGICAL", "NONZERO", "TOP_K", "DYNAMIC"))


def scattered(original, random):
    """The same elements in memory with another order of dimensions and gaps between them."""
    order = random.permutation(original.ndim)
    room = numpy.zeros([original.shape[d] + int(random.integers(0, 3)) for d in order],
                       original.dtype)
    view = room[tuple(slice(0, original.shape[d]) for d in order)].transpose(numpy.argsort(order))
    view[...] = original
    return view


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_results_of_another_program(path):
    random = numpy.random.default_rng(7)
    for entry in entries(path):
        operator, inputs, settings = arguments(entry)
        function = getattr(anydml, operator.name)
        expected = [array(entry, t) for t in operator.outputs if t in entry["fields"]]
        if types_are_chosen(operator, inputs):
            outs = tuple(map(untouched, expected))
            settings["out"] = outs if len(outs) > 1 else outs[0]
        for arrays in (inputs, [a if a is None else scattered(a, random) for a in inputs]):
            results = function(*arrays, **settings)
            for result, wanted in zip(results if len(expected) > 1 else [results], expected):
                assert_same(numpy.ascontiguousarray(result), wanted)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_out_of_any_strides(path):
    random = numpy.random.default_rng(8)
    for entry in list(entries(path))[::4]:
        operator, inputs, settings = arguments(entry)
        settings.pop("output_sizes", None)
        for tensor in operator.optional_outputs:
            settings.pop(_functions._optional_name(tensor), None)
        names = [t for t in operator.outputs if t not in operator.optional_outputs]
        wanted = [array(entry, t) for t in names]
        outs = tuple(scattered(untouched(w), random) for w in wanted)
        out = outs if len(outs) > 1 else outs[0]
        results = getattr(anydml, operator.name)(*inputs, **settings, out=out)
        for result, mine, expected in zip(results if len(outs) > 1 else [results], outs, wanted):
            assert result is mine
            assert_same(numpy.ascontiguousarray(mine), expected)
