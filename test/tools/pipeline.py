#!/usr/bin/env python3
"""Random kernels with loops that request stages, pipelined and executed under all schedules.

    pipeline.py <tile-opt> <tile-run> <first seed> <seeds> [<folder for failing kernels>] [--remove] [--bulk]

Each loop copies tiles of global memory asynchronously to shared memory, at some function of its variable, and computes on them:
elements of other threads through registers, sums that the loop carries. Bounds and steps are known or not; loops follow each
other, are nested, are under conditions, or belong to single warps. The result of --tile-pipeline must pass --tile-check-sync, run
without a race, and leave in memory what the same kernel leaves when it is ordered by hand. Every other kernel's rings share
storage by --tile-plan-memory. Exits with 1 otherwise.

With --bulk, some or all tiles of a loop are copied in bulk, and mbarriers complete these copies.

With --remove, the ordering operations of the pipelined kernel are removed one by one; the simulator or the comparison must notice.
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


def prepare(tools, seed, path, lasting=False, bulk=False):
    """Runs a kernel ordered by hand, and pipelines it: the error, the pipelined file, and a function that checks a file."""
    opt, run = tools
    kernel, plain = Kernel(seed, lasting, bulk=bulk), Kernel(seed, lasting, by_hand=True, bulk=bulk)
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


def look(tools, seed, folder, bulk):
    """The outcome of one kernel."""
    path = Path(folder) / f"pipeline-{seed}.mlir"
    fault, ring, check = prepare(tools, seed, path, bulk=bulk)
    fault = fault or call(tools[0], "--tile-check-sync", ring, "-o", "/dev/null") or check(ring)
    if not fault:
        for file in Path(folder).glob(f"pipeline-{seed}.*"):
            file.unlink()
    return seed, fault


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
    fault, ring, check = prepare(tools, seed, path, lasting=True, bulk=bulk)
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
    given, wrong = Given(), 0
    bulk = "--bulk" in given.flags
    if "--remove" in given.flags:
        found = given.each(lambda tools, seed, folder: remove(tools, seed, folder, bulk))
        return removals(found, "removals are noticed", given.count)
    for seed, fault in given.each(lambda tools, seed, folder: look(tools, seed, folder, bulk)):
        if fault:
            wrong += 1
            print(f"seed {seed}: {fault[:1500]}")
    print(f"{given.count - wrong} of {given.count} kernels do pipelined what they do plainly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
