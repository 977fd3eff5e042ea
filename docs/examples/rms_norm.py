"""Writes rows, weights and the result, x.npy, w.npy, y.npy: python3 rms_norm.py ROWS."""

import sys

import numpy

rows = int(sys.argv[1])
random = numpy.random.default_rng(0)
x, w = (random.standard_normal((n, 4096)).astype(numpy.float16) for n in (rows, 1))
wide = x.astype(numpy.float64)
y = wide / numpy.sqrt((wide**2).mean(axis=1, keepdims=True) + 1e-5) * w
for name, array in (("x", x), ("w", w), ("y", y.astype(numpy.float16))):
    numpy.save(f"{name}.npy", array)
