"""Writes 8-bit floats, scales and their product, a.npy, b.npy, sa.npy, sb.npy, c.npy: python3 gemm_fp8.py M N K."""

import sys

import numpy

m, n, k = map(int, sys.argv[1:])
random = numpy.random.default_rng(0)
# Small integers: all sums are exact, in whatever order they are added. The codes are those of f8E4M3FN.
values = numpy.array([0, 1, 2, 3, -1, -2], numpy.float32)
codes = numpy.array([0x00, 0x38, 0x40, 0x44, 0xB8, 0xC0], numpy.uint8)
a, b = random.integers(0, 6, (m, k)), random.integers(0, 6, (n, k))
of_a = random.integers(1, 4, (m, k // 128)).astype(numpy.float32)
of_b = random.integers(1, 3, (-(-n // 128), k // 128)).astype(numpy.float32)
scaled_a = values[a] * of_a.repeat(128, 1)
scaled_b = values[b] * of_b.repeat(128, 0)[:n].repeat(128, 1)
bits = (scaled_a @ scaled_b.T).view(numpy.uint32)
# To bf16, to nearest even.
c = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(numpy.uint16)
for name, array in (("a", codes[a]), ("b", codes[b]), ("sa", of_a.T.copy()), ("sb", of_b), ("c", c)):
    numpy.save(f"{name}.npy", array)
