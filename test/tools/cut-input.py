#!/usr/bin/env python3
"""Feeds truncated files to the compiler, as text and as bytecode.

    cut-input.py FILE.mlir...

Each truncated file must end in success or in a diagnostic: exit status 0 or 1, and an error if it is 1.
"""

import subprocess
import sys

CUTS = 24


def run(command, data):
    return subprocess.run(command, input=data, capture_output=True, check=False, timeout=60)


def check(name, command, data):
    """What is wrong with the run, or None; and its exit status."""
    result = run(command, data)
    said = result.stderr.decode(errors="replace")
    if result.returncode not in (0, 1) or "panicked" in said or "Stack dump" in said:
        return f"{name}: {' '.join(command)} ended with {result.returncode}: {said[-300:]}", result.returncode
    if result.returncode == 1 and "error" not in said:
        return f"{name}: {' '.join(command)} failed without an error", 1
    return None, result.returncode


def cuts(data):
    return sorted({len(data) * step // CUTS for step in range(CUTS)} | {len(data) - 2, len(data)})


def main(files):
    wrong, runs, refused = [], 0, 0
    for file in files:
        with open(file, "rb") as stream:
            text = stream.read()
        bytecode = run(["tile-opt", "--emit-bytecode", "-"], text).stdout
        assert bytecode, f"{file} has no bytecode"
        for kind, data in (("text", text), ("bytecode", bytecode)):
            for end in cuts(data):
                for command in (["tile-opt", "--lower-tile-copy", "-"], ["tile-translate", "--tile-to-ptx", "-"]):
                    fault, status = check(f"{file}, {kind} up to byte {end}", command, data[:end])
                    wrong += [fault] if fault else []
                    refused += status if command[0] == "tile-opt" else 0
                    runs += 1
    print("\n".join(wrong))
    print(f"{runs} runs, {len(wrong)} wrong; {'some' if refused else 'no'} beginnings were refused")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1:]))
