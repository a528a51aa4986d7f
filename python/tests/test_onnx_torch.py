# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Networks that PyTorch writes as ONNX: anydml.onnx gives PyTorch's results and gradients."""
import io
import warnings

import numpy
import onnx
import pytest
import torch
from onnx import numpy_helper
from onnx.helper import make_node, make_tensor_value_info
from torch import nn
from torch.nn import functional

import anydml.onnx


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 8, 7, 2, 3), nn.BatchNorm2d(8), nn.ReLU(),
                                   nn.MaxPool2d(3, 2, 1))
        self.block = nn.Sequential(nn.Conv2d(8, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16),
                                   nn.ReLU(), nn.Conv2d(16, 16, 3, padding=1, groups=4))
        self.skip = nn.Conv2d(8, 16, 1, 2)
        self.last = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))

    def forward(self, x):
        x = self.first(x)
        return self.last(torch.relu(self.block(x) + self.skip(x)))


class Unet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.bottom = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, padding=1)
        self.up, self.norm = nn.ConvTranspose2d(16, 8, 2, 2), nn.GroupNorm(2, 8)
        self.join, self.end = nn.Conv2d(16, 8, 3, padding=1), nn.Conv2d(16, 1, 1)

    def forward(self, x):
        a = functional.gelu(self.down(x))
        b = self.up(torch.relu(self.bottom(functional.max_pool2d(a, 2))))
        c = self.norm(functional.silu(self.join(torch.cat([a, b], 1))))
        d = functional.interpolate(c[:, :, ::2, ::2], scale_factor=2, mode="bilinear")
        return torch.sigmoid(self.end(torch.cat([d, b], 1))).mean((2, 3)), c.std(1), c.argmax(1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.last = nn.Embedding(50, 32), nn.Linear(32, 50)
        layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2)

    def forward(self, x):
        mask = torch.full((9, 9), float("-inf")).triu(1)
        return self.last(self.layers(self.embedding(x), mask)).log_softmax(-1)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 12, 2, bidirectional=True, batch_first=True)
        self.gru, self.rnn = nn.GRU(24, 16), nn.RNN(16, 5)

    def forward(self, x):
        return self.rnn(self.gru(self.lstm(x)[0])[0])[0]


NETWORKS = {Residual: torch.randn(2, 3, 33, 35), Unet: torch.randn(2, 3, 32, 24),
            Attention: torch.arange(18).reshape(2, 9), Recurrent: torch.randn(2, 70, 8)}


def exported(network, **options):
    """The module with parameters of which no two are equal, which would become one; and as ONNX."""
    torch.manual_seed(1)
    module, file = network().eval(), io.BytesIO()
    for parameter in module.parameters():
        parameter.data.add_(0.1 * torch.rand(parameter.shape))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(module, NETWORKS[network], file, opset_version=14, input_names=["x"],
                          **options)
    return module, onnx.load_from_string(file.getvalue())


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.__name__)
def test_network(network):
    module, model = exported(network)
    found = anydml.onnx.run_model(model, [NETWORKS[network].numpy()])
    with torch.no_grad():
        expected = module(NETWORKS[network])
    expected = expected if isinstance(expected, tuple) else (expected,)
    assert len(found) == len(expected)
    for result, wanted in zip(found, expected):
        assert (result.dtype, result.shape) == (wanted.numpy().dtype, wanted.shape)
        numpy.testing.assert_allclose(result, wanted.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.__name__)
def test_gradients_of_a_network(network):
    """By ONNX's Gradient of sum(y^2), with respect to every parameter."""
    module, model = exported(network, do_constant_folding=False,
                             training=torch.onnx.TrainingMode.PRESERVE)
    graph, names = model.graph, [name for name, _ in module.named_parameters()]
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer
              if tensor.name in names}
    kept = [tensor for tensor in graph.initializer if tensor.name not in values]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    graph.input.extend(make_tensor_value_info(name, onnx.TensorProto.FLOAT, value.shape)
                       for name, value in values.items())
    y, gradients = graph.output[0].name, [f"d {name}" for name in values]
    graph.node.extend([
        make_node("Mul", [y, y], ["square"]), make_node("ReduceSum", ["square"], ["loss"]),
        make_node("Gradient", list(values), gradients, domain="ai.onnx.preview.training",
                  xs=list(values), y="loss")])
    del graph.output[:]
    graph.output.extend(make_tensor_value_info(name, onnx.TensorProto.FLOAT, value.shape)
                        for name, value in zip(gradients, values.values()))
    model.opset_import.append(onnx.helper.make_opsetid("ai.onnx.preview.training", 1))
    found = anydml.onnx.run_model(model, {"x": NETWORKS[network].numpy(), **values})
    result = module(NETWORKS[network])
    result = result[0] if isinstance(result, tuple) else result
    parameters = dict(module.named_parameters())
    expected = torch.autograd.grad(result.square().sum(), [parameters[name] for name in values])
    assert len(values) >= 8
    for name, gradient, wanted in zip(values, found, expected):
        numpy.testing.assert_allclose(gradient, wanted.numpy(), rtol=1e-3, err_msg=name,
                                      atol=1e-4 * max(1, abs(wanted).max().item()))
