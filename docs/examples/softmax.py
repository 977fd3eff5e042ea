"""Writes rows, x.npy, and their softmax in f64, y.npy: python3 softmax.py ROWS LENGTH."""

import sys

import numpy

rows, length = map(int, sys.argv[1:])
x = 3 * numpy.random.default_rng(0).standard_normal((rows, length)).astype(numpy.float32)
e = numpy.exp(x.astype(numpy.float64) - x.max(axis=1, keepdims=True))
numpy.save("x.npy", x)
numpy.save("y.npy", e / e.sum(axis=1, keepdims=True))
