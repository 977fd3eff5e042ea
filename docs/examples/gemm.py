"""Writes factors, a bias and the result, a.npy, b.npy, bias.npy, c.npy: python3 gemm.py M N K."""

import sys

import numpy

m, n, k = map(int, sys.argv[1:])
random = numpy.random.default_rng(0)
# Small integers: all sums are exact, in whatever order they are added.
a = random.integers(-3, 4, (m, k)).astype(numpy.float16)
b = random.integers(-3, 4, (k, n)).astype(numpy.float16)
bias = random.integers(-9, 10, n).astype(numpy.float32)
c = numpy.maximum(a.astype(numpy.float32) @ b.astype(numpy.float32) + bias, 0)
for name, array in (("a", a), ("b", b), ("bias", bias), ("c", c.astype(numpy.float16))):
    numpy.save(f"{name}.npy", array)
