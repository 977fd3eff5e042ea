"""Writes a table, row numbers and the rows, table.npy, index.npy, out.npy: python3 gather.py TABLE_ROWS ROWS LENGTH."""

import sys

import numpy

table_rows, rows, length = map(int, sys.argv[1:])
random = numpy.random.default_rng(0)
table = random.standard_normal((table_rows, length)).astype(numpy.float16)
index = random.integers(0, table_rows, rows, dtype=numpy.int32)
numpy.save("table.npy", table)
numpy.save("index.npy", index)
numpy.save("out.npy", table[index])
