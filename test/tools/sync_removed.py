#!/usr/bin/env python3
"""Removes each operation that --tile-insert-sync inserts: the simulator has to find a race, a hang or a wrong value.

    sync_removed.py <tile-opt> <tile-run> <first seed> <seeds> [<folder for intermediate files>]

The kernels are those of sync_kernels.py without their barriers, waits and fences. Exits with 1 if for more than one operation in
fifty the removal is not noticed and no reason for that is known.
"""

import subprocess
import sys
from pathlib import Path

from drawn import Given, removals
from sync_kernels import SYNC, Kernel, faults, without


def remove(tools, seed, folder):
    """Removes each inserted operation of a kernel in turn: the number of removals that are noticed, and those that are not."""
    opt, run = tools
    kernel = Kernel(seed, trips=5)
    path = Path(folder) / f"remove-{seed}.mlir"
    path.write_text(without(kernel.text(), SYNC))
    ordered = subprocess.run([opt, "--tile-insert-sync", path], capture_output=True, text=True)
    path.unlink()
    if ordered.returncode != 0:
        return seed, 0, []
    lines, missed, unseen = ordered.stdout.splitlines(True), 0, []
    for at in [at for at, line in enumerate(lines) if SYNC.match(line)]:
        path.write_text("".join(lines[:at] + lines[at + 1:]))
        if faults(run, path, kernel):
            missed += 1
        else:
            unseen.append(explained(lines, at) or f"without line {at + 1}, {lines[at].strip()}")
    path.unlink(missing_ok=True)
    return seed, missed, unseen


def explained(lines, at):
    """The reason, if known, why the simulator does not notice that an operation is missing."""
    if "cp.async.wait.group" in lines[at] and "gpu.return" in lines[at + 1]:
        return "a cp.async that no thread reads from is in flight at the end, where the simulator lets it be"
    if "proxy_kind<async>}" in lines[at]:
        return "global memory is written through two proxies, which the simulator distinguishes in shared memory only"
    return ""


def main():
    given = Given()
    return removals(given.each(remove), "operations are missed", given.count)


if __name__ == "__main__":
    sys.exit(main())
