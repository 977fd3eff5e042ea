#!/usr/bin/env python3
"""Barriers of random kernels: put by --tile-insert-sync, behind every write, and left of these by gpu-eliminate-barriers.

    sync_counts.py <tile-opt> <first seed> <seeds>
"""

import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sync_kernels import BARRIER, Kernel, without


def launched(text, block):
    """A kernel's text as a gpu.launch in a func.func, which is where upstream's pass looks."""
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
    """Barriers of a kernel: put, behind every write, left of these by upstream; None where it has branches of some warps."""
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


def main():
    opt, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        return counts(opt, first, count, folder)


if __name__ == "__main__":
    sys.exit(main())
