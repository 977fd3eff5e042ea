"""Writes rows, the largest magnitude of each, and the rows divided by it, x.npy, m.npy, y.npy: python3 scale_rows.py ROWS COLUMNS."""

import sys

import numpy

rows, columns = map(int, sys.argv[1:])
x = numpy.random.default_rng(0).standard_normal((rows, columns)).astype(numpy.float32)
m = abs(x).max(axis=1)
for name, array in (("x", x), ("m", m), ("y", x / m[:, None])):
    numpy.save(f"{name}.npy", array)
