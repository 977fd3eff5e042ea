"""Writes accumulators, a bias and their sum in f16, sums.npy, bias.npy, c.npy: python3 epilogue.py ROWS COLUMNS."""

import sys

import numpy

rows, columns = map(int, sys.argv[1:])
random = numpy.random.default_rng(0)
sums = (8 * random.standard_normal((rows, columns))).astype(numpy.float32)
bias = random.standard_normal(columns).astype(numpy.float32)
numpy.save("sums.npy", sums)
numpy.save("bias.npy", bias)
numpy.save("c.npy", (sums + bias).astype(numpy.float16))
