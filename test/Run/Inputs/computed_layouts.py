"""Writes the arguments of choose-layouts-computed.mlir, and what its kernels compute, for numpy."""

import numpy

random = numpy.random.default_rng(0)
save = numpy.save

x = random.integers(-60, 60, (64, 64)).astype(numpy.float32)
save("x", x)
save("row_sums", x.sum(axis=1, keepdims=True))
save("looped", 4 * x.sum(axis=1, keepdims=True))
save("turned", (2 * x.T).copy())

half = random.integers(-9, 9, (64, 64)).astype(numpy.float16)
save("half", half)
save("wide", half.astype(numpy.float32))
