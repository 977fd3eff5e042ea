#!/usr/bin/env python3
"""Launches the kernels of one .mlir file in the simulator, and compares with Vulkan, or writes the data to do so in a browser.

    jobs.py vulkan TOOLS FILE      one line per kernel; exit status 1 if bits differ
    jobs.py page TOOLS FILE        prints jobs.js: WGSL, inputs and the simulator's results, for docs/web/copies.html

Lines of the file state the launches: arguments of tile-run, and after bars additional arguments of the simulator and of the others:

    // JOB: window --arg i32[40x24]=random --arg i32[16x32]=poison --arg i64=-3
    // JOB: sums --arg i32[5000]=random --arg i32[5000]=poison --arg u8[512]=zeros --arg i64=5000 --arg i32=1 | --grid 1 | --grid 2

A `poison` buffer is written by the kernel and compared; a `zeros` buffer is ignored; others are read, and must not change.
"""

import base64
import json
import re
import shlex
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

BUFFER = re.compile(r"(i|u|f|bf)(\d+)\[([\dx]+)\]=(.+)")
NUMBER = re.compile(r"(i|u|f)(\d+)=(.+)")


class Job:
    """A launch."""

    def __init__(self, line):
        common, simulator, portable = (line.split("|") + ["", ""])[:3]
        self.name, *words = shlex.split(common)
        self.arguments = [word for before, word in zip(words, words[1:]) if before == "--arg"]
        self.simulator = words + shlex.split(simulator)
        self.portable = words + shlex.split(portable)

    def buffers(self):
        """The argument number, size in bytes and contents of each buffer."""
        for number, argument in enumerate(self.arguments):
            if found := BUFFER.fullmatch(argument):
                _, bits, shape, contents = found.groups()
                count = 1
                for extent in shape.split("x"):
                    count *= int(extent)
                yield number, count * int(bits) // 8, contents

    def grid(self):
        """The grid of the portable kernel."""
        words = self.portable
        stated = [after for before, after in zip(words, words[1:]) if before == "--grid"]
        extents = [int(extent) for extent in stated[-1].split(",")] if stated else []
        return (extents + [1, 1, 1])[:3]

    def numbers(self, declared):
        """The words of the uniform block, as in docs/portable-copies.md."""
        words = []
        for argument, kind in zip(self.arguments, declared, strict=True):
            if found := BUFFER.fullmatch(argument):
                extents = kind.removeprefix("memref<").split("x") if kind.startswith("memref<") else []
                words += [int(given) for given, extent in zip(found[3].split("x"), extents) if extent == "?"]
                continue
            letter, bits, value = NUMBER.fullmatch(argument).groups()
            size = 4 if kind == "index" else max(int(bits) // 8, 4)
            packed = struct.pack("<f", float(value)) if letter == "f" else int(value).to_bytes(size, "little", signed=int(value) < 0)
            words += [word for (word,) in struct.iter_unpack("<I", packed)]
        return words


def jobs(file):
    """The launches that a file requests."""
    return [Job(line) for line in re.findall(r"^// JOB: (.*)$", file.read_text(), re.MULTILINE)]


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def must(*command):
    """The output of a command, which must succeed."""
    done = run(*command)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def simulate(tools, file, job, folder):
    """Runs a job in the simulator; the files with its results, by argument."""
    kept = {number: folder / f"{number}.npy" for number, _, contents in job.buffers() if contents != "zeros"}
    written = [word for number, path in kept.items() for word in ("--write", f"{number}={path}")]
    read = [str(number) for number, _, contents in job.buffers() if contents not in ("zeros", "poison")]
    unchanged = [word for number in read for word in ("--expect-unchanged", number)]
    must(tools / "tile-run", file, "--entry", job.name, *job.simulator, *written, *unchanged)
    return kept


def vulkan(tools, file, job, folder):
    """The outcome of a job on Vulkan."""
    kept = simulate(tools, file, job, folder)
    expected = [word for number, path in kept.items() for word in ("--expect", f"{number}={path}")]
    done = run(tools / "tile-run", file, "--entry", job.name, "--device", "vulkan", *job.portable, *expected)
    return done.stderr.strip() if done.returncode else "same bits"


def of_page(tools, file, ptx, job, folder):
    """A job in the form that copies.js expects; `ptx` is the whole file's, with declarations."""
    source = must(tools / "tile-translate", "--tile-to-wgsl", f"--kernel={job.name}", file)
    source = "\n".join(line.strip() for line in source.splitlines() if line.strip())
    declared = re.findall(rf"^// argument of {job.name} at .*?: ((?!\d).*)$", ptx, re.MULTILINE)
    kept = simulate(tools, file, job, folder)
    buffers = []
    for number, size, contents in job.buffers():
        left = kept[number].read_bytes()[-size:] if number in kept else None
        data = left and base64.b64encode(left).decode()
        is_output = contents == "poison"
        buffers.append({"argument": number, "size": size, "input": None if is_output else data, "expected": data if is_output else None})
    entries = re.findall(r"@compute[^\n]*\nfn (\w+)", source)
    numbers = job.numbers(declared)
    return {"name": job.name, "entries": entries, "grid": job.grid(), "numbers": numbers, "buffers": buffers, "source": source}


def main():
    match sys.argv[1:]:
        case ["vulkan" | "page" as what, tools, file]:
            tools, file = Path(tools), Path(file)
        case _:
            sys.exit(__doc__)
    good, lines = True, []
    ptx = must(tools / "tile-translate", "--tile-to-ptx", "--declarations", file) if what == "page" else ""
    for job in jobs(file):
        with tempfile.TemporaryDirectory() as folder:
            if what == "page":
                lines.append(f"  {json.dumps(of_page(tools, file, ptx, job, Path(folder)))},")
                continue
            became = vulkan(tools, file, job, Path(folder))
        print(f"{job.name}: {became}")
        good = good and became == "same bits"
    if what == "page":
        print("// Kernels, inputs, and what the simulator of PTX has left; test/tools/jobs.py makes this file of copies.mlir.")
        print("\n".join(["const JOBS = [", *lines, "];"]))
    sys.exit(not good)


if __name__ == "__main__":
    main()
