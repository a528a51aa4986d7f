#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Writes tests/gradient/networks.json: losses and gradients of small networks by PyTorch 1.13 in
float64. The numbers that go in are made by `pattern`, here and in networks_test.cpp, and those of
the U-Net are in models/unet.json.

    python3 make_gradient_data.py OUTPUT_FILE
"""
import json
import math
import pathlib
import re
import sys

import torch
from torch.nn import functional


def pattern(k, *sizes, scale=1):
    """Multiples of 1/64 between -30/64 and 30/64, times a power of two: exact in every format."""
    count = math.prod(sizes)
    numbers = [((i * k) % 61 - 30) / 64 * scale for i in range(count)]
    return torch.tensor(numbers, dtype=torch.float64).reshape(sizes).requires_grad_()


def lenet():
    x = pattern(7, 2, 1, 12, 12)
    c1, b1 = pattern(11, 4, 1, 5, 5), pattern(13, 4)
    c2, b2 = pattern(17, 6, 4, 3, 3), pattern(19, 6)
    w, b = pattern(23, 24, 10), pattern(29, 10)
    h = functional.max_pool2d(functional.relu(functional.conv2d(x, c1, b1, padding=2)), 2)
    h = functional.avg_pool2d(functional.relu(functional.conv2d(h, c2, b2)), 2)
    loss = functional.cross_entropy(h.reshape(2, 24) @ w + b, torch.tensor([3, 7]))
    return loss, [x, c1, b1, c2, b2, w, b]


def residual():
    x = pattern(7, 2, 3, 6, 6)
    c1, s1, b1 = pattern(11, 4, 3, 3, 3), pattern(13, 4, scale=2), pattern(17, 4)
    c2, s2, b2 = pattern(19, 4, 4, 3, 3), pattern(23, 4, scale=2), pattern(29, 4)
    c3 = pattern(31, 4, 3, 1, 1)
    normalize = lambda h, s, b: functional.batch_norm(h, None, None, s, b, training=True, eps=0.125)
    h = functional.relu(normalize(functional.conv2d(x, c1, stride=2, padding=1), s1, b1))
    h = normalize(functional.conv2d(h, c2, padding=1), s2, b2)
    y = functional.relu(h + functional.conv2d(x, c3, stride=2))
    return (y * pattern(37, 2, 4, 3, 3)).sum(), [x, c1, s1, b1, c2, s2, b2, c3]


def attention():
    x = pattern(7, 2, 5, 8, scale=2)
    q, k, v, o = (pattern(p, 8, 8) for p in (11, 13, 17, 19))
    s, t = pattern(23, 8, scale=2), pattern(29, 8)
    up, down = pattern(31, 8, 16), pattern(37, 16, 8)
    heads = lambda m: (x @ m).reshape(2, 5, 2, 4).transpose(1, 2)
    weights = torch.softmax(heads(q) @ heads(k).transpose(2, 3) / 2, 3)
    mixed = (weights @ heads(v)).transpose(1, 2).reshape(2, 5, 8)
    h = functional.layer_norm(x + mixed @ o, (8,), s, t, eps=0.125)
    y = h + functional.gelu(h @ up) @ down
    return (y * pattern(41, 2, 5, 8)).sum(), [x, q, k, v, o, s, t, up, down]


def unet():
    model = (pathlib.Path(__file__).parents[2] / 'models/unet.json').read_text()
    resources = json.loads(re.sub(r'^ *//.*$', '', model, flags=re.MULTILINE))['resources']
    tensor = lambda name, *sizes: torch.tensor(resources[name]['initialValues'],
                                               dtype=torch.float64).reshape(sizes)
    x, target = tensor('x', 1, 1, 12, 12), tensor('target', 1, 1, 4, 4)
    sizes = {'c1': (2, 1, 3, 3), 'b1': (2,), 'c2': (4, 2, 3, 3), 'b2': (4,), 'c3': (2, 6, 3, 3),
             'b3': (2,), 'c4': (1, 2, 1, 1)}
    of = {name: tensor(name, *shape).requires_grad_() for name, shape in sizes.items()}
    x.requires_grad_()
    block = lambda h, n: functional.relu(functional.conv2d(h, of[f'c{n}'], of[f'b{n}']))
    a = block(x, 1)
    bottom = block(functional.max_pool2d(a, 2), 2)
    large = functional.interpolate(bottom, scale_factor=2, mode='bilinear', align_corners=False)
    last = block(torch.cat([a[:, :, 2:8, 2:8], large], 1), 3)
    y = functional.conv2d(last, of['c4']).clamp(-0.1, 0.2)
    return ((y - target) ** 2).mean(), [x, *of.values()]


def main():
    networks = {}
    for network in (lenet, residual, attention, unet):
        loss, inputs = network()
        loss.backward()
        networks[network.__name__] = {
            'loss': float('%.9g' % loss.item()),
            'gradients': [[float('%.8g' % g) for g in x.grad.flatten().tolist()] for x in inputs]}
    with open(sys.argv[1], 'w') as file:
        rows = []
        for name, network in networks.items():
            gradients = ',\n  '.join(json.dumps(g, separators=(',', ':')) for g in network['gradients'])
            rows.append(f'"{name}": {{"loss": {network["loss"]}, "gradients": [\n  {gradients}]}}')
        file.write('{\n' + ',\n'.join(rows) + '\n}\n')


if __name__ == '__main__':
    main()
