#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The numbers that tests/train expects, from docs/rulings.md (B140 to B147) by Python and NumPy;
shares nothing with the library. Prints them."""
import hashlib
import struct
from fractions import Fraction

import numpy as np

WORD = 2 ** 32


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [b // WORD ^ c[1] ^ k[0], b % WORD, a // WORD ^ c[3] ^ k[1], a % WORD]
        k = [(k[0] + 0x9E3779B9) % WORD, (k[1] + 0xBB67AE85) % WORD]
    return c


def key_of(seed, name):
    h = 0xCBF29CE484222325
    for byte in struct.pack("<Q", seed) + name.encode():
        h = (h ^ byte) * 0x100000001B3 % 2 ** 64
    return h % WORD, h // WORD


def words(seed, name, first=(0, 0, 0, 0)):
    counter = first[0]
    while True:
        yield from philox([counter, *first[1:]], key_of(seed, name))
        counter += 1


def uniform(seed, name, bound, count):
    source = words(seed, name)
    u = np.array([next(source) >> 8 for _ in range(count)], np.float32) * np.float32(2.0 ** -24)
    return (2 * u - 1) * np.float32(bound)


def he_bound(fan_in):
    return np.sqrt(np.float32(6) / np.float32(fan_in))


def shuffled(seed, epoch, count):
    source = words(seed, "order", (0, 0, epoch % WORD, epoch // WORD))
    order = list(range(count))
    for i in range(count, 1, -1):
        while True:
            product = next(source) * i
            if product % WORD >= WORD % i:
                break
        j = product // WORD
        order[i - 1], order[j] = order[j], order[i - 1]
    return order


def weights_file(parameters):
    """weights.bin of a dictionary."""
    parts = []
    for name in sorted(parameters):
        array = parameters[name].astype("<f4")
        parts.append(f"FLOAT32 {' '.join(map(str, array.shape))} {name}\n".encode() + array.tobytes())
    return b"".join(parts)


def adam_steps(x, target, rates, beta1=0.9, beta2=0.999, epsilon=1e-8):
    """B46, of the mean square of x - target; the mean of 4 elements divides exactly."""
    f = np.float32
    m = v = np.zeros_like(x)
    for step, rate in enumerate(rates, start=1):
        g = (x - target) * f(0.5)
        b1, b2 = float(f(beta1)) ** step, float(f(beta2)) ** step
        alpha = f(rate) * f(np.sqrt(1 - b2) / (1 - b1))
        m = f(beta1) * m + (f(1) - f(beta1)) * g
        v = f(beta2) * v + ((f(1) - f(beta2)) * g) * g
        x = x - (alpha * m) / (np.sqrt(v) + f(epsilon))
    return x, m, v


def sgd_steps(x, target, rates, momentum):
    f = np.float32
    v = np.zeros_like(x)
    for rate in rates:
        v = f(momentum) * v + (x - target) * f(0.5)
        x = x - v * f(rate)
    return x, v


def cosine_rates(rate, last, steps, count):
    """By the cosine of 40 digits that Taylor's series has in fractions."""
    def cosine(x):
        term, total = Fraction(1), Fraction(1)
        for k in range(1, 30):
            term *= -x * x / ((2 * k - 1) * (2 * k))
            total += term
        return total
    pi = Fraction(314159265358979323846264338327950288419716939937510, 10 ** 50)
    rate, last = Fraction(float(np.float32(rate))), Fraction(float(np.float32(last)))
    return [np.float32(float(last + (rate - last) * (1 + cosine(pi * n / steps)) / 2))
            for n in range(count)]


def log_softmax(x):
    x = np.asarray(x, np.float64)
    return x - x.max(1, keepdims=True) - np.log(np.exp(x - x.max(1, keepdims=True)).sum(1, keepdims=True))


def hexadecimal(values):
    return ", ".join(f"0x{v:08x}" for v in np.asarray(values, np.float32).view(np.uint32).ravel())


def main():
    print("key of 1, conv1:", [hex(k) for k in key_of(1, "conv1")])
    print("key of 2^63 + 5, empty:", [hex(k) for k in key_of(2 ** 63 + 5, "")])
    print("uniform 1 conv1 bound 0.5:", hexadecimal(uniform(1, "conv1", 0.5, 6)))
    values = uniform(7, "fc", he_bound(400), 100000).astype(np.float64)
    print("100000 of 7, fc, He 400: bound", hexadecimal([he_bound(400)]), "sha256",
          hashlib.sha256(values.astype("<f4").tobytes()).hexdigest(), "mean", values.mean())
    print("bounds 25, 150, 84:", hexadecimal([he_bound(n) for n in (25, 150, 84)]))
    print("order 2, epoch 0, 10:", shuffled(2, 0, 10))
    print("order 2, epoch 1, 10:", shuffled(2, 1, 10))
    big = np.array(shuffled(3, 2 ** 32 + 1, 60000), "<u4")
    print("order 3, epoch 2^32 + 1, 60000: sha256", hashlib.sha256(big.tobytes()).hexdigest())
    x = np.array([[1, 2, 3], [-1, 0.5, 1000]], np.float32)
    print("cross entropy of classes 2, 0:", -(log_softmax(x)[0, 2] + log_softmax(x)[1, 0]) / 2)
    s, t = np.array([0, 2, -3, 100, -100.0]), np.array([1, 0.25, 0, 1, 1.0])
    bce = np.maximum(s, 0) - s * t + np.log1p(np.exp(-np.abs(s)))
    p = 1 / (1 + np.exp(-s))
    print("binary cross entropy:", bce.mean(), "gradient", (p - t) / 5)
    print("Dice:", 1 - (2 * (p * t).sum() + 1) / (p.sum() + t.sum() + 1))
    x = uniform(1, "w", 1, 4)
    target = np.array([1, -2, 0.5, 0], np.float32)
    for name, result in zip(("x", "m", "v"), adam_steps(x, target, [0.1, 0.1, 0.05])):
        print("Adam, rates 0.1, 0.1, 0.05:", name, hexadecimal(result))
    for name, result in zip(("x", "v"), sgd_steps(x, target, [0.1, 0.1, 0.05], 0.9)):
        print("SGD, momentum 0.9, the same rates:", name, hexadecimal(result))
    print("cosine from 0.1 to 0.01 in 7 steps:", hexadecimal(cosine_rates(0.1, 0.01, 7, 7)))
    many = np.array(cosine_rates(2e-3, 0, 1000, 1000), "<f4")
    print("cosine from 2e-3 to 0 in 1000 steps: sha256", hashlib.sha256(many.tobytes()).hexdigest())
    weights = {"w": uniform(1, "w", he_bound(3), 6).reshape(2, 3), "b": np.zeros((1, 2), np.float32)}
    print("weights.bin of w {2, 3} and b {1, 2}, seed 1:",
          hashlib.sha256(weights_file(weights)).hexdigest())


if __name__ == "__main__":
    main()
