"""Writes factors, scales and products for mma-tcgen05-scales.mlir: small integers and powers of two, so that sums are exact.

    scales.py M,N,K,OF_A,OF_B …

The scales are exponents with a bias of 127, of at least 4 steps of 32 terms, and of b of 32 columns; a product takes those from step OF_A, OF_B on.
"""
import sys

import numpy

STEP = 32
BIAS = 127



def e4m3(numbers):
    """The bits of small integers as f8E4M3FN."""
    magnitude = numpy.abs(numbers)
    exponent = numpy.floor(numpy.log2(numpy.maximum(magnitude, 1)))
    bits = (exponent + 7) * 8 + (magnitude / 2**exponent - 1) * 8 + 128 * (numbers < 0)
    return numpy.where(magnitude > 0, bits, 0).astype("u1")


random = numpy.random.default_rng(0)
for size in sys.argv[1:]:
    m, n, k, of_a, of_b = (int(word) for word in size.split(","))
    steps = k // STEP
    a = random.integers(-8, 9, (m, k)).astype("f4")
    b = random.integers(-3, 4, (k, n)).astype("f4")
    sa = random.integers(BIAS - 2, BIAS + 3, (m, max(steps, 4))).astype("u1")
    sb = random.integers(BIAS - 2, BIAS + 3, (max(steps, 4), max(n, 32))).astype("u1")
    left = a * numpy.repeat(2.0 ** (sa[:, of_a : of_a + steps].astype("f8") - BIAS), STEP, 1)
    right = b * numpy.repeat(2.0 ** (sb[of_b : of_b + steps, :n].astype("f8") - BIAS), STEP, 0)
    arrays = [("bits_a", e4m3(a)), ("bits_b", numpy.ascontiguousarray(e4m3(b.T)))]
    for name, array in arrays + [("a", a), ("b", b), ("sa", sa), ("sb", sb), ("c", (left @ right).astype("f4"))]:
        numpy.save(f"{name}.{m}x{n}x{k}.npy", array)
