# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The models that Debian's libonnx-testdata has, with their inputs and the outputs that others
expect. onnx_passed.txt names those that must pass, and only grows; onnx_refused.txt names the
others, each with the reason."""
import pathlib

import numpy
import onnx
import onnx.numpy_helper
import pytest

import anydml
import anydml.onnx

DATA = pathlib.Path("/usr/share/libonnx-testdata/data")
HERE = pathlib.Path(__file__).resolve().parent
GROUPS = ("node", "simple", "pytorch-operator", "pytorch-converted")
MODELS = [f"{group}/{folder.name}" for group in GROUPS if DATA.is_dir()
          for folder in sorted((DATA / group).iterdir())]
PASSED = (HERE / "onnx_passed.txt").read_text().split()
REFUSED = dict(line.split(": ", 1) for line in
               (HERE / "onnx_refused.txt").read_text().splitlines())
needs_data = pytest.mark.skipif(not MODELS, reason=f"{DATA} is missing: Debian's package is "
                                                   f"libonnx-testdata")
# Operators that move, choose or count elements, and single operations that IEEE 754 defines: models
# of these alone have results that are equal in every bit.
EXACT = set("""
    ArgMax ArgMin BitShift Compress Concat Constant ConstantOfShape DepthToSpace Expand EyeLike
    Flatten Gather GatherElements GatherND Identity If MaxUnpool NonZero Not OneHot Pad Reshape
    ReverseSequence Scatter ScatterElements ScatterND Shape Size Slice SpaceToDepth Split Squeeze
    Tile TopK Transpose Trilu Unsqueeze Where
    Abs Add Cast CastLike Ceil Clip DequantizeLinear Div Dropout Floor GlobalMaxPool Hardmax
    LeakyRelu Max MaxPool Min Mod Mul Neg PRelu Range Reciprocal ReduceMax ReduceMin Relu Round Sign
    Sqrt Sub ThresholdedRelu Upsample""".split())


def read(path, value_type):
    kinds = {"tensor_type": onnx.TensorProto, "sequence_type": onnx.SequenceProto,
             "optional_type": onnx.OptionalProto}
    kind = value_type.WhichOneof("value")
    proto = kinds[kind].FromString(path.read_bytes())
    return onnx.numpy_helper.to_array(proto) if kind == "tensor_type" else proto


def check(model, folder):
    prepared = anydml.onnx.prepare(model, threads=1)
    is_exact = all(node.op_type in EXACT for node in model.graph.node)
    sets = sorted(folder.glob("test_data_set_*"))
    assert sets
    for data in sets:
        inputs = {entry.name: read(data / f"input_{i}.pb", entry.type)
                  for i, entry in enumerate(model.graph.input)
                  if (data / f"input_{i}.pb").exists()}
        found = prepared.run(inputs)
        assert len(found) == len(model.graph.output)
        for i, (result, entry) in enumerate(zip(found, model.graph.output)):
            expected = read(data / f"output_{i}.pb", entry.type)
            assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
            if expected.dtype.kind in "biu" or is_exact:
                assert result.tobytes() == expected.tobytes()
            numpy.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-7)


@needs_data
@pytest.mark.parametrize("name", MODELS)
def test_model(name):
    model = onnx.load(DATA / name / "model.onnx")
    if name in PASSED:
        check(model, DATA / name)
        return
    assert name in REFUSED, "the model is in neither list"
    # A refusal is a sentence that ends as the reason does: it names the type, the operator and so
    # on. Another result than the expected one is no refusal, and has to be explained.
    reason = REFUSED[name]
    if reason.startswith("the expected outputs"):
        with pytest.raises(AssertionError, match="Not equal to tolerance"):
            check(model, DATA / name)
    else:
        with pytest.raises(anydml.Error, match=rf"\b{reason.split()[-1]}\b"):
            check(model, DATA / name)


@needs_data
def test_lists():
    assert len(set(PASSED)) == len(PASSED)
    assert set(PASSED) | set(REFUSED) == set(MODELS) and not set(PASSED) & set(REFUSED)
