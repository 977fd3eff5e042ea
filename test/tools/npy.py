#!/usr/bin/env python3
"""Writes an .npy file whose data consists of blocks of a fixed random stream, in a given order.

    npy.py <file> <type> <shape> <block>...

The file has one block per name, all of the same size; block 3 has the same bytes in every file with blocks of that
size, and block - is zeros:

    npy.py in.npy  '<f2' 2,16,64 0 1       block 0, block 1
    npy.py out.npy '<f2' 2,16,64 1 0       the same two, swapped
    npy.py row.npy '<f2' 64,64 3:19 16:64  rows 3 to 18, and 16 to 63
"""

import math
import random
import sys
from pathlib import Path


def blocks(name):
    """The blocks that a name stands for: one block, a range of blocks, or zeros."""
    if name == "-":
        return [None]
    first, _, end = name.partition(":")
    return range(int(first), int(end or int(first) + 1))


def main():
    file, kind, extents, *order = sys.argv[1:]
    shape = tuple(int(extent) for extent in extents.split(","))
    order = [block for name in order for block in blocks(name)]
    size, rest = divmod(math.prod(shape) * int(kind[2:]), len(order))
    if rest:
        sys.exit(f"npy: error: {math.prod(shape)} elements of {kind[2:]} bytes do not make {len(order)} blocks")
    stream = random.Random(0).randbytes(size * (max((block for block in order if block is not None), default=0) + 1))
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.ljust((len(header) + 11 + 63) // 64 * 64 - 11) + "\n"
    data = b"".join(bytes(size) if block is None else stream[block * size : (block + 1) * size] for block in order)
    Path(file).write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data)


if __name__ == "__main__":
    main()
