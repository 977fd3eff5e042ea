"""Writes rows, weights and the normalized rows in f64, x.npy, gamma.npy, beta.npy, y.npy: python3 layer_norm.py ROWS LENGTH."""

import sys

import numpy

rows, length = map(int, sys.argv[1:])
random = numpy.random.default_rng(0)
x = (2 * random.standard_normal((rows, length)) + 1).astype(numpy.float16)
gamma, beta = (random.standard_normal(length).astype(numpy.float32) for _ in range(2))
wide = x.astype(numpy.float64)
centred = wide - wide.mean(axis=1, keepdims=True)
scale = 1 / numpy.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
for name, array in (("x", x), ("gamma", gamma), ("beta", beta), ("y", centred * scale * gamma + beta)):
    numpy.save(f"{name}.npy", array)
