"""Writes images, filters and the result, x.npy, w.npy, y.npy: python3 convolution.py N H W C K."""

import sys

import numpy

n, h, w, c, k = map(int, sys.argv[1:])
random = numpy.random.default_rng(0)
# Small integers: all sums are exact, in whatever order they are added.
x = random.integers(-2, 3, (n, h, w, c)).astype(numpy.float16)
filters = random.integers(-1, 2, (3, 3, c, k)).astype(numpy.float16)
padded = numpy.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0))).astype(numpy.float32)
y = sum(padded[:, r : r + h, q : q + w] @ filters[r, q].astype(numpy.float32) for r in range(3) for q in range(3))
for name, array in (("x", x), ("w", filters.reshape(-1, k)), ("y", y.reshape(-1, k).astype(numpy.float16))):
    numpy.save(f"{name}.npy", array)
