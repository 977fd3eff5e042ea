"""Writes the arguments of shared-maps.mlir, and what its kernels compute, for numpy."""

import numpy

random = numpy.random.default_rng(0)
save = numpy.save

x = random.integers(-60, 60, (63, 60)).astype(numpy.float32)
rows, columns = numpy.indices((63, 60))
save("x", x)
save("moved", (2 * x + rows - columns).astype(numpy.float32))

half = random.integers(-9, 9, (64, 64)).astype(numpy.float16)
own = random.integers(-9, 9, (64, 64)).astype(numpy.float32)
weights = random.integers(1, 4, (1, 64)).astype(numpy.float32)
save("half", half)
save("own", own)
save("weights", weights)
save("added", own + half.astype(numpy.float32) * weights)

divisors = random.integers(1, 9, (5, 7)).astype(numpy.int32)
save("divisors", divisors)
save("quotients", 1000 // divisors + numpy.arange(5, dtype=numpy.int32).reshape(5, 1))

boxes = random.integers(-99, 99, (4, 15, 33)).astype(numpy.int32)
save("boxes", boxes)
save("plus_warp", boxes + numpy.arange(4, dtype=numpy.int32).reshape(4, 1, 1))

pieces = random.integers(-9, 9, (8, 640)).astype(numpy.float32)
save("pieces", pieces)
save("sums", pieces.reshape(8, 10, 64).sum(axis=1))
save("row_sums", pieces.sum(axis=1, keepdims=True))
save("row_most", pieces.argmax(axis=1).astype(numpy.int32).reshape(8, 1))
save("centered", pieces - pieces.max(axis=0, keepdims=True))
