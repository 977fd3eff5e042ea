#!/usr/bin/env python3
"""Removes each operation that orders a pipelined kernel: the simulator or a comparison of memory must notice.

    pipeline_removed.py <tile-opt> <tile-run> <first seed> <seeds> [<folder for intermediate files>] [--bulk]

Each loop copies tiles of global memory asynchronously to shared memory, at some function of its variable, and computes on them:
elements of other threads through registers, sums that the loop carries. Bounds and steps are known or not; loops follow each
other, are nested, are under conditions, or belong to single warps. With --bulk, some or all tiles of a loop are copied in bulk, and
mbarriers complete these copies. Every other kernel's rings share storage by --tile-plan-memory.

Exits with 1 if for more than one operation in fifty the removal is not noticed. That pipelined kernels leave what they leave
without stages is what `tile-programs --kind pipelines` compares.
"""

import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # Tests must not write to the checkout.
from drawn import Given, compiled, removals  # noqa: E402
from pipeline_kernels import Kernel  # noqa: E402
from sync_kernels import SYNC  # noqa: E402


def call(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr or "failed"


def prepare(tools, seed, path, bulk):
    """Runs a kernel ordered by hand, and pipelines it: the error, the pipelined file, and a function that checks a file."""
    opt, run = tools
    kernel, plain = Kernel(seed, bulk), Kernel(seed, bulk, by_hand=True)
    ring, reference = path.with_suffix(".ring.mlir"), path.with_suffix(".plain.mlir")
    path.write_text(kernel.text())
    reference.write_text(plain.text())
    files = [f"{k}={path.with_suffix(f'.{k}.npy')}" for k in (1, 2)]
    fault = call(run, reference, *kernel.arguments(), *[word for it in files for word in ("--write", it)])
    expected = [*kernel.arguments(), *[word for it in files for word in ("--expect", it)]]
    fault = fault or call(opt, "--tile-pipeline", path, "-o", ring)
    if not fault and (seed % 2 or "static shared memory" in call(opt, "--lower-tile-copy", ring, "-o", "/dev/null")):
        # Rings share storage, or are dynamic.
        fault = call(opt, "--tile-pipeline", "--tile-plan-memory", "--tile-insert-sync", path, "-o", ring)

    def check(file):
        ptx, wrong = compiled(run, file)
        return wrong or call(run, ptx, "--schedule", "all", *expected)

    return fault, ring, check


def ordering(lines):
    """The line ranges of the operations that order a pipelined kernel."""
    for at, line in enumerate(lines):
        if SYNC.match(line) or "nvvm.mbarrier.init" in line:
            # After the loop, the groups that are left are empty.
            if "wait.group 0" not in line or lines[at - 1].strip() != "}":
                yield at, at + 1
        elif "scf.while" in line:
            end = next(it for it in range(at, len(lines)) if lines[it].strip() == "}" and lines[it - 1].strip() == "scf.yield")
            yield at, end + 1


def remove(tools, seed, folder, bulk):
    """The number of removals that are noticed, and those that are not."""
    path = Path(folder) / f"pipeline-{seed}.mlir"
    fault, ring, check = prepare(tools, seed, path, bulk)
    if fault:
        return seed, 0, [f"without anything: {fault}"]
    lines, noticed, unseen = ring.read_text().splitlines(True), 0, []
    for first, end in ordering(lines):
        ring.write_text("".join(lines[:first] + lines[end:]))
        if check(ring):
            noticed += 1
        else:
            unseen.append(f"without line {first + 1}, {lines[first].strip()}")
    return seed, noticed, unseen


def main():
    given = Given()
    bulk = "--bulk" in given.flags
    found = given.each(lambda tools, seed, folder: remove(tools, seed, folder, bulk))
    return removals(found, "removals are noticed", given.count)


if __name__ == "__main__":
    sys.exit(main())
