"""Writes rows, weights of 4 bits and their product, a.npy, q.npy, s.npy, c.npy: python3 gemm_4bit.py M N K."""

import sys

import numpy

m, n, k = map(int, sys.argv[1:])
random = numpy.random.default_rng(0)
# Small integers and powers of two: all sums are exact, in whatever order they are added.
a = random.integers(-3, 4, (m, k)).astype(numpy.float16)
codes = random.integers(0, 16, (n, k)).astype(numpy.uint8)
scales = (2.0 ** random.integers(-2, 2, (k // 128, n))).astype(numpy.float16)
weights = (codes.astype(numpy.float32) - 8) * scales.T.repeat(128, 1)
for name, array in (
    ("a", a),
    ("q", (codes[:, 0::2] | codes[:, 1::2] << 4).view(numpy.int8)),
    ("s", scales),
    ("c", a.astype(numpy.float32) @ weights.T),
):
    numpy.save(f"{name}.npy", array)
