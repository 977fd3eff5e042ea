#!/usr/bin/env python3
"""Counts barriers of random kernels: from --tile-insert-sync, after every write, and left of these by gpu-eliminate-barriers.

    sync_counts.py <tile-opt> <first seed> <seeds> [<another tile-opt>]

With another tile-opt, compares what both insert into kernels with branches, loops or both: barriers, waits and fences in the text,
and their cost, 4 for a barrier and 1 for any other, 8 times that in a loop.
"""

import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sync_kernels import BARRIER, SYNC, Kernel, without


def launched(text, block):
    """A kernel's text as a gpu.launch in a func.func, which upstream's pass needs."""
    head = re.search(r" *gpu.func @drawn\((.*)\)\n.*\{\n", text)
    launch = f"""  func.func @drawn({head[1]}) {{
    %one_block = arith.constant 1 : index
    %threads = arith.constant {block} : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %one_block, %gy = %one_block, %gz = %one_block)
        threads(%tx, %ty, %tz) in (%nx = %threads, %ny = %one_block, %nz = %one_block) {{
"""
    text = text.replace(head[0], launch).replace("    gpu.return\n  }", "    gpu.terminator\n    }\n    return\n  }")
    return re.sub(r"gpu.module @kernels.*\{", "module {", text)


def counted(opt, seed, folder):
    """Barriers of a kernel: inserted, after every write, left of these by upstream; None if only some warps take a branch."""
    kernel = Kernel(seed)
    text = kernel.text()
    if "arith.cmpi ult, %thread" in text:
        return None
    path = Path(folder) / f"count-{seed}.mlir"
    counts = []
    bare = without(text, BARRIER)
    written = re.compile(r"^( *)tile\.(copy|fill|copy_async) .* to (?!%v).*$", re.M)
    everywhere = written.sub(r"\g<0>\n\1gpu.barrier", bare)
    lowered = ["--lower-tile-copy=chip=sm_90a", "--gpu-eliminate-barriers"]
    ways = (bare, ["--tile-insert-sync"]), (everywhere, []), (launched(everywhere, kernel.block), lowered)
    for variant, passes in ways:
        path.write_text(variant)
        done = subprocess.run([opt, *passes, path], capture_output=True, text=True)
        if done.returncode != 0:
            path.unlink()
            return None
        counts.append(sum(bool(BARRIER.match(line)) for line in done.stdout.splitlines()))
    path.unlink()
    return counts


def counts(opt, first, count, folder):
    """A table of all kernels."""
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda seed: counted(opt, seed, folder), range(first, first + count))
        found = [counts for counts in found if counts]
    put, everywhere, left = (sum(of) for of in zip(*found))
    print(f"| {len(found)} kernels | barriers |\n| --- | --- |")
    print(f"| behind every write | {everywhere} |\n| left by `gpu-eliminate-barriers` | {left} |\n| put by `--tile-insert-sync` | {put} |")
    return 0


def cost(text):
    """The numbers of a kernel's barriers and of its waits and fences, and their total cost."""
    barriers, others, total, around = 0, 0, 0, []
    for line in text.splitlines():
        if SYNC.match(line):
            is_barrier = bool(BARRIER.match(line))
            barriers, others = barriers + is_barrier, others + (not is_barrier)
            total += (4 if is_barrier and "bar.warp" not in line else 1) * 8 ** around.count(True)
        if line.lstrip().startswith("}"):
            around.pop()
        if line.endswith("{"):
            around.append("scf.for" in line)
    return barriers, others, total


def compared(opts, seed, folder):
    """What two tools insert into a kernel; None if it is straight-line code, or one of them refuses it."""
    text = without(Kernel(seed).text(), SYNC)
    if "scf.for" not in text and "scf.if %flag" not in text and "scf.if %v" not in text:
        return None
    path = Path(folder) / f"compare-{seed}.mlir"
    path.write_text(text)
    done = [subprocess.run([opt, "--tile-insert-sync", path], capture_output=True, text=True) for opt in opts]
    path.unlink()
    return None if any(it.returncode for it in done) else [cost(it.stdout) for it in done]


def comparison(opts, first, count, folder):
    """A table of all kernels with branches or loops."""
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda seed: compared(opts, seed, folder), range(first, first + count))
        found = [pair for pair in found if pair]
    print(f"| {len(found)} kernels with branches or loops | barriers | waits, fences | cost |\n| --- | --- | --- | --- |")
    for name, which in ("the other", 1), ("this", 0):
        sums = [sum(pair[which][at] for pair in found) for at in range(3)]
        print(f"| {name} | {sums[0]} | {sums[1]} | {sums[2]} |")
    cheaper, dearer = (sum(pair[a][2] < pair[1 - a][2] for pair in found) for a in (0, 1))
    print(f"{cheaper} kernels are cheaper, {dearer} dearer")
    return 1 if dearer else 0


def main():
    opt, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) > 4:
            return comparison((opt, sys.argv[4]), first, count, folder)
        return counts(opt, first, count, folder)


if __name__ == "__main__":
    sys.exit(main())
