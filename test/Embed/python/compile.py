"""Prints the PTX of a file: compile.py FILE"""

import sys

import mlir_tile as tile

path = sys.argv[1]
try:
    print(tile.compile(open(path).read(), "sm_90a", name=path, line_info=False).ptx, end="")
except tile.CompileError as error:
    sys.exit(f"{error}")
