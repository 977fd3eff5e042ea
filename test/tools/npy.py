#!/usr/bin/env python3
"""Writes an .npy file whose data are blocks of a fixed random stream, in a given order.

    npy.py <file> <type> <shape> <block>...

The blocks are as many as are named, all of one size; block 3 is the same bytes in every file whose blocks have that
size:

    npy.py in.npy  '<f2' 2,16,64 0 1       block 0, block 1
    npy.py out.npy '<f2' 2,16,64 1 0       the same two, swapped
"""

import math
import random
import sys
from pathlib import Path


def main():
    file, kind, extents, *order = sys.argv[1:]
    shape = tuple(int(extent) for extent in extents.split(","))
    order = [int(block) for block in order]
    size, rest = divmod(math.prod(shape) * int(kind[2:]), len(order))
    if rest:
        sys.exit(f"npy: error: {math.prod(shape)} elements of {kind[2:]} bytes do not make {len(order)} blocks")
    stream = random.Random(0).randbytes(size * (max(order) + 1))
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.ljust((len(header) + 11 + 63) // 64 * 64 - 11) + "\n"
    data = b"".join(stream[block * size : (block + 1) * size] for block in order)
    Path(file).write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data)


if __name__ == "__main__":
    main()
