#!/usr/bin/env python3
"""Writes an array of f32 for tests of functions: every combination of special numbers, then random bits.

    floats.py <rows> <columns> <file.npy>

Every other random number is between 1/2 and 4 in magnitude, so that sums of products cancel and round in all ways.
"""

import itertools
import random
import struct
import sys

# Zero, subnormal numbers, the least normal one, numbers around 1, the largest one, infinity, a NaN.
SPECIAL = [0, 1, 0x7FFFFF, 0x800000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x7F7FFFFF, 0x7F800000, 0x7FC00000]


def column(number, rows, source):
    """The random bits of a column."""
    bits = [source.getrandbits(32) for _ in range(rows)]
    if number % 2 == 0:
        return bits
    return [(word & 0x807FFFFF) | (source.randint(126, 128) << 23) for word in bits]


def main():
    rows, columns, name = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    both_signs = SPECIAL + [bits | 0x80000000 for bits in SPECIAL]
    made = list(itertools.islice(itertools.product(both_signs, repeat=rows), columns))
    source = random.Random(1)
    made += [column(number, rows, source) for number in range(columns - len(made))]
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    words = [one[row] for row in range(rows) for one in made]
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(words)}I", *words))


if __name__ == "__main__":
    main()
