"""Writes two matrices and their product, a.npy, b.npy, c.npy: python3 stream_k.py M N K."""

import sys

import numpy

m, n, k = map(int, sys.argv[1:])
random = numpy.random.default_rng(0)
# Small integers: all sums are exact, in whatever order they are added.
a = random.integers(-3, 4, (m, k)).astype(numpy.float16)
b = random.integers(-3, 4, (k, n)).astype(numpy.float16)
c = a.astype(numpy.float32) @ b.astype(numpy.float32)
for name, array in (("a", a), ("b", b), ("c", c)):
    numpy.save(f"{name}.npy", array)
