# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Networks that PyTorch writes as ONNX: anydml.onnx gives PyTorch's results."""
import io
import warnings

import numpy
import onnx
import pytest
import torch
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


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.__name__)
def test_network(network):
    torch.manual_seed(1)
    module, x, file = network().eval(), NETWORKS[network], io.BytesIO()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = module(x)
        torch.onnx.export(module, x, file, opset_version=14, input_names=["x"])
    found = anydml.onnx.run_model(onnx.load_from_string(file.getvalue()), [x.numpy()])
    expected = expected if isinstance(expected, tuple) else (expected,)
    assert len(found) == len(expected)
    for result, wanted in zip(found, expected):
        assert (result.dtype, result.shape) == (wanted.numpy().dtype, wanted.shape)
        numpy.testing.assert_allclose(result, wanted.numpy(), rtol=1e-4, atol=1e-5)
