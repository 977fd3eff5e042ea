"""Checks that the PTX of each file is the same as tile-translate's, or that both refuse it: seeds.py TRANSLATE FILE…"""

import subprocess
import sys

import mlir_tile as tile

translate, *paths = sys.argv[1:]
same = 0
for path in paths:
    try:
        ptx = tile.compile(open(path).read(), "sm_90a", name=path, line_info=False).ptx
    except tile.CompileError:
        ptx = ""
    command = [translate, "--tile-to-ptx", "--chip=sm_90a", path]
    expected = subprocess.run(command, capture_output=True, text=True).stdout
    if ptx != expected:
        sys.exit(f"{path}: the PTX differs")
    same += bool(ptx)
print(f"the PTX of {same} files is the same")
