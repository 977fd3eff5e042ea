#!/usr/bin/env python3
"""Runs the kernels of MLIR files in the simulator and on Vulkan, and compares the results.

    portable.py <folder of the tools> <file>...

Arguments are random buffers, with 64 elements along each run-time dimension, and small numbers. Kernels that Vulkan declines, for
which this tool cannot create arguments, or that have a race on purpose are counted.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

CHIP = "vulkan1.2-64"


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def arguments(types):
    """The arguments of tile-run, and which of them are buffers; None if a type is not supported here."""
    found, buffers = [], []
    for number, name in enumerate(types):
        if name.startswith("memref<") and "strided" not in name and "vector" not in name:
            *extents, element = name[len("memref<") : -1].split(",")[0].split("x")
            shape = "x".join("64" if extent == "?" else extent for extent in extents)
            found += ["--arg", f"{element}[{shape}]=random"]
            buffers.append(number)
        elif re.fullmatch(r"index|[if]\d+|bf16", name):
            found += ["--arg", f"{'i64=0' if name == 'index' else name + '=1'}"]
        else:
            return None
    return (found, buffers) if buffers else None


def compare(tools, file, kernel, folder):
    """The outcome of a kernel."""
    spirv = run(tools / "tile-translate", "--tile-to-spirv", f"--chip={CHIP}", f"--kernel={kernel}", file, "-o", folder / "k.spv")
    if spirv.returncode:
        # A decline has a location in the file.
        located = re.search(rf"{re.escape(str(file))}:[1-9]\d*:\d+: error: ", spirv.stderr)
        return "declined" if located else f"has no place: {spirv.stderr}"
    ptx = run(tools / "tile-translate", "--tile-to-ptx", "--declarations", file)
    made = arguments(re.findall(rf"// argument of {kernel} at .*?: ((?:memref|index|[if]\d|bf|!).*)", ptx.stdout))
    if made is None:
        return "left out"
    numbers, buffers = made
    files = [f"{number}={folder / str(number)}.npy" for number in buffers]
    simulated = run(tools / "tile-run", file, "--entry", kernel, *numbers, *(w for f in files for w in ("--write", f)))
    if simulated.returncode:
        return "left out"
    device = run(tools / "tile-run", folder / "k.spv", "--device", "vulkan", *numbers, *(w for f in files for w in ("--expect", f)))
    return "same bits" if device.returncode == 0 else f"differs: {device.stderr}"


def main():
    tools, files = Path(sys.argv[1]), [Path(file) for file in sys.argv[2:]]
    wrong = 0
    for file in files:
        counts = {"same bits": 0, "declined": 0, "left out": 0}
        for kernel in dict.fromkeys(re.findall(r"gpu\.func @(\w+)", file.read_text())):
            with tempfile.TemporaryDirectory() as folder:
                became = compare(tools, file, kernel, Path(folder))
            if became not in counts:
                print(f"{file.name}: {kernel} {became}")
                wrong += 1
            else:
                counts[became] += 1
        print(f"{file.name}: {', '.join(f'{count} {what}' for what, count in counts.items())}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
