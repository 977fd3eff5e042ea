"""Writes the arguments of arg-reductions.mlir, and what its kernels find, for numpy, which also takes the first of equal elements."""

import numpy

random = numpy.random.default_rng(0)


def save(name, rows, axis=1, index=numpy.int32):
    """The rows, their extremes and where these are: NaN is as large, and as small, as can be."""
    numpy.save(f"{name}.npy", rows)
    for kind, find in (("max", numpy.argmax), ("min", numpy.argmin)):
        at = numpy.expand_dims(find(rows, axis=axis), axis)
        numpy.save(f"{kind}_{name}.npy", numpy.take_along_axis(rows, at, axis))
        numpy.save(f"arg{kind}_{name}.npy", at.astype(index))


# Each value is there several times.
rows = random.integers(-5, 5, (8, 96)).astype(numpy.float32)
rows[0, 70] = rows[0, 33] = rows[0, 90] = numpy.nan
rows[1] = -numpy.inf
rows[2] = 0.0
rows[2, ::3] = -0.0
rows[3] = numpy.inf
rows[4] = numpy.nan
save("rows", rows)
save("bytes", random.integers(-128, 127, (8, 96)).astype(numpy.int8), index=numpy.int64)
save("half", random.integers(-20, 20, (8, 96)).astype(numpy.float16), index=numpy.int16)
save("double", random.integers(-20, 20, (8, 96)).astype(numpy.float64))
save("sums", random.integers(-9, 9, (16, 16)).astype(numpy.float32), axis=0)
save("thirds", random.integers(0, 3, (10, 3)).astype(numpy.int32), index=numpy.int8)
save("groups", random.integers(-99, 99, (6, 128)).astype(numpy.int32))
# All elements are less than what is outside of the rows would be, were it there.
save("edge", -random.integers(1, 9, (5, 13)).astype(numpy.float32))
