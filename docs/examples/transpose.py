"""Writes a matrix, x.npy, and its transpose, y.npy: python3 transpose.py ROWS COLUMNS."""

import sys

import numpy

rows, columns = map(int, sys.argv[1:])
x = numpy.random.default_rng(0).standard_normal((rows, columns)).astype(numpy.float32)
numpy.save("x.npy", x)
numpy.save("y.npy", numpy.ascontiguousarray(x.T))
