"""Compiles a file with a pass that panics, then without: panic.py FILE"""

import sys

import mlir_tile as tile

text = open(sys.argv[1]).read()
for passes in ("tile-test-panic", ""):
    try:
        print(f"compiled {len(tile.compile(text, 'sm_90a', passes=passes))} kernel")
    except tile.CompileError as error:
        print(f"CompileError: {error}")
