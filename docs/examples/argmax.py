"""Writes rows, x.npy, in which many elements are equal, and where the first largest of each is, y.npy: python3 argmax.py ROWS LENGTH."""

import sys

import numpy

rows, length = map(int, sys.argv[1:])
x = numpy.random.default_rng(0).integers(-9, 10, (rows, length)).astype(numpy.float32)
if rows > 2:
    x[1] = -numpy.inf
    x[2, length // 2 :: 3] = numpy.nan
numpy.save("x.npy", x)
numpy.save("y.npy", x.argmax(axis=1, keepdims=True).astype(numpy.int32))
