"""Checks that a pipeline has the same result as with tile-opt for each file, or that both refuse it: lower.py OPT FILE…"""

import subprocess
import sys
import warnings

import mlir_tile as tile

PIPELINE = "builtin.module(lower-tile-copy,lower-tile-scan)"

warnings.simplefilter("ignore")
opt, *paths = sys.argv[1:]
same = 0
for path in paths:
    try:
        text = tile.lower(open(path).read(), PIPELINE, name=path)
    except tile.CompileError:
        text = ""
    expected = subprocess.run([opt, path, f"--pass-pipeline={PIPELINE}"], capture_output=True, text=True).stdout
    if text != expected:
        sys.exit(f"{path}: the IR differs")
    same += bool(text)
print(f"the IR of {same} files is the same")
