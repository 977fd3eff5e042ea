#!/usr/bin/env python3
"""Runs every pass and pipeline of the tile compiler on every kind of op of a file, as far as --pass-pipeline can name it.

    anchors.py TILE_OPT FILE ANCHORS COMMAND…      COMMAND: tile-opt, or mlir-opt with the plugin; ANCHORS: ops, with commas, or `all`

Wherever a pass cannot run there is an error: exit status 1, never a signal, a crash of LLVM, or a panic of ours. Prints a line
for each pipeline that ends in another way, and then how many ran, so that an empty list is noticed.
"""

import re
import subprocess
import sys

ANCHORS = ["builtin.module", "gpu.module", "gpu.func", "func.func", "gpu.launch", "scf.for", "any"]
NESTED = {
    "builtin.module": "builtin.module({})",
    "gpu.module": "builtin.module(gpu.module({}))",
    "gpu.func": "builtin.module(gpu.module(gpu.func({})))",
    "func.func": "builtin.module(func.func({}))",
    "gpu.launch": "builtin.module(func.func(gpu.launch({})))",
    "scf.for": "builtin.module(gpu.module(gpu.func(scf.for({}))))",
    "any": "builtin.module(any({}))",
}
OURS = re.compile(r"^ +--((?:tile|lower-tile|convert-copies-to-tile)[a-z-]*) +-  ", re.MULTILINE)
CRASHED = ("LLVM ERROR", "PLEASE submit a bug report", "panicked at", "made the compiler fail")


def ending(command, pipeline, file):
    """How a pipeline ends, if it does not run and is not refused."""
    words = [*command, f"--pass-pipeline={pipeline}", file, "-o", "/dev/null"]
    done = subprocess.run(words, capture_output=True, text=True)
    crashed = next((words for words in CRASHED if words in done.stderr), None)
    if crashed or done.returncode not in (0, 1):
        return f"exit status {done.returncode}: {crashed}"
    if done.returncode == 1 and "error: " not in done.stderr:
        return "a failure without an error"
    return None


def main(tile_opt, file, named, *command):
    anchors = ANCHORS if named == "all" else named.split(",")
    shown = subprocess.run([tile_opt, "--help"], capture_output=True, text=True, check=True).stdout
    passes = sorted(set(OURS.findall(shown)))
    for name in passes:
        for anchor in anchors:
            pipeline = NESTED[anchor].format(name)
            if how := ending(command, pipeline, file):
                print(f"{pipeline}: {how}")
    print(f"{len(passes)} passes on {len(anchors)} anchors")


main(*sys.argv[1:])
