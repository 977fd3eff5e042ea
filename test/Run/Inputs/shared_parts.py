"""Writes the arguments of shared-parts.mlir, and what its kernels compute, for numpy."""

import numpy

random = numpy.random.default_rng(0)
save = numpy.save


def numbers(*shape):
    return random.integers(-60, 60, shape).astype(numpy.float32)


x = numbers(128, 128)
rows, columns = numpy.indices(x.shape)
save("x", x)
save("moved", (x + rows - columns).astype(numpy.float32))
save("turned", -x.T.copy())
save("first_row", x + x[:1])
save("rows", x.sum(axis=1, keepdims=True))
save("columns", x.sum(axis=0, keepdims=True))
save("most", x.argmax(axis=1).astype(numpy.int32).reshape(128, 1))
save("least", x.argmin(axis=0).astype(numpy.int32).reshape(1, 128))
save("total", numpy.array([2 * x.sum()], dtype=numpy.float32))

odd, weights, scales = numbers(127, 131), numbers(1, 131), numbers(127, 1)
save("odd", odd)
save("weights", weights)
save("scales", scales)
save("weighted", odd * weights + scales)
save("numbers", numpy.arange(127 * 131, dtype=numpy.int32).reshape(127, 131))

odd_sums = numbers(126, 130)
save("odd_sums", odd_sums)
save("odd_rows", odd_sums.sum(axis=1, keepdims=True))
save("odd_columns", odd_sums.sum(axis=0, keepdims=True))

wide = numbers(64, 256)
save("wide", wide)
save("twice", 2 * wide)

boxes = random.integers(-99, 99, (2, 96, 64)).astype(numpy.int32)
box, row, column = numpy.indices(boxes.shape)
save("boxes", boxes)
save("numbered", (boxes + box + row + column).astype(numpy.int32))

re, im = numbers(128, 64), numbers(128, 64)
save("re", re)
save("im", im)
save("real", re.sum(axis=1, keepdims=True))
save("imaginary", im.max(axis=1, keepdims=True))
