"""Writes the arguments of elementwise.mlir, and what its kernels compute, for numpy."""

import numpy

random = numpy.random.default_rng(0)
save = numpy.save


def bfloat16(array):
    """The bits of bf16 numbers that are exact."""
    return (array.astype(numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16)


small = random.integers(-60, 60, (8, 32))
for name, dtype, kind, reduce in (
    ("f16", numpy.float16, "max", numpy.max),
    ("f64", numpy.float64, "add", numpy.sum),
    ("i8", numpy.int8, "max", numpy.max),
    ("i32", numpy.int32, "xor", numpy.bitwise_xor.reduce),
    ("i64", numpy.int64, "add", numpy.sum),
):
    array = small.astype(dtype) << 33 if name == "i64" else small.astype(dtype)
    save(name, array)
    result = reduce(array, axis=1)
    save(f"{kind}_{name}", result.astype(dtype).reshape(8, 1))
save("bf16", bfloat16(small))
save("min_bf16", bfloat16(small.min(axis=1, keepdims=True)))
save("i16", small.astype(numpy.int16))
save("umax_i16", small.astype(numpy.int16).view(numpy.uint16).max(axis=1, keepdims=True).view(numpy.int16))
signs = random.choice([-1.0, 1.0, 2.0], (8, 32)).astype(numpy.float32)
save("f32", signs)
save("mul_f32", signs.prod(axis=1, keepdims=True))

# Each row's maximum is there twice: the first counts.
rows = random.permuted(numpy.tile(numpy.arange(32) // 2, (8, 1)), axis=1).astype(numpy.float32)
save("f", rows)
save("most", rows.max(axis=1, keepdims=True))
save("at", rows.argmax(axis=1).astype(numpy.int32).reshape(8, 1))
groups = random.integers(-9, 9, (6, 128)).astype(numpy.int32)
save("g", groups)
save("sums", groups.sum(axis=1, keepdims=True).astype(numpy.int32))
thirds = random.integers(-9, 9, (10, 3)).astype(numpy.int32)
save("t", thirds)
save("thirds", thirds.sum(axis=1, keepdims=True).astype(numpy.int32))
part = random.integers(1, 9, 48).astype(numpy.int32)
save("p", part)
save("part", (1000 // part + numpy.arange(48)).astype(numpy.int32))
square = numpy.arange(16).reshape(4, 4).astype(numpy.int32)
save("q", square)
save("transposed", square.T.copy())
