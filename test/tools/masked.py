#!/usr/bin/env python3
"""Executes masked copies of every kind, at every way to leave a buffer, and compares with the rule of docs/masked.md.

    masked.py TOOLS FOLDER      writes kernels to the folder; a line for each kind; exit status 1 if an element differs

A region is 16 x 64, of a matrix of 64 columns in global memory that has as many rows as the way says.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROWS, COLUMNS = 16, 64

# Rows of the matrix; first row and column of the region; the row from which on rows are outside.
WAYS = {
    "inside": (40, 8, 0, 40),
    "negative": (40, -4, 0, 40),
    "negative columns": (40, 8, -8, 40),
    "past the end": (40, 30, 0, 40),
    "past the columns": (40, 8, 16, 40),
    "behind all": (40, 100, 0, 40),
    "larger": (8, 0, 0, 8),
    "larger at both ends": (8, -4, 0, 8),
    "empty": (0, 0, 0, 0),
    "empty, negative": (0, -4, 0, 0),
    "another end": (40, 8, 0, 20),
    "another end, behind": (40, 30, 0, 20),
    "another end, empty": (40, 8, 0, 0),
}

KERNEL = """!matrix = !tile.buffer<?x64xf32, global>
!s = !tile.buffer<16x64xf32, shared>
!r = !tile.buffer<16x64xf32, local, #tile.layout<(16, 32, 2) : (2, 1@tx, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %row: index, %any: index, %end: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant ZERO : f32
    %seven = arith.constant SEVEN : f32
    %column = tile.assume %any divisible_by STEP : index
    %a = tile.view %A : memref<?x64xf32> to !matrix
    %b = tile.view %B : memref<?x64xf32> to !matrix
    BODY
    gpu.return
  }
}
"""
FILLED = """%s = tile.alloc : SPACE
    tile.fill %seven to %s scope(cta) : f32 to SPACE
    gpu.barrier
    """
LOAD = """COPY %a[%row, %column] [16, 64] to %s scope(cta) CLAUSES : !matrix to SPACE
    WAIT
    gpu.barrier
    tile.copy %s to %b[0, 0] [16, 64] scope(cta) : SPACE to !matrix"""
RING = """scf.for %v = %c0 to %c2 step %c1 {
      %s = tile.alloc : !s
      tile.copy_async %a[%row, %column] [16, 64] to %s scope(cta) CLAUSES : !matrix to !s
      tile.copy %s to %b[0, 0] [16, 64] scope(cta) : !s to !matrix
    } {tile.stages = 2 : i64}"""
STORE = """%s = tile.alloc : SPACE
    tile.copy %a[0, 0] [16, 64] to %s scope(cta) : !matrix to SPACE
    FENCE
    gpu.barrier
    COPY %s to %b[%row, %column] [16, 64] scope(cta) CLAUSES : SPACE to !matrix
    WAIT"""
DIRECT = "COPY %a[%row, %column] [16, 64] to %b[0, 0] [16, 64] scope(cta) CLAUSES : !matrix to !matrix"
SET = "tile.fill %seven to %b[%row, %column] [16, 64] scope(cta) CLAUSES : f32 to !matrix"

ZEROS, SEVENS = "fill(%zero : f32)", "fill(%seven : f32)"
GROUP, BULK = "nvvm.cp.async.wait.group 0", "nvvm.cp.async.bulk.wait_group 0"
FENCE = "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}"


def forced(variant):
    return f'{{variant = "{variant}"}}' if variant else ""


def variants(spaces):
    """The variants that mask a copy of that direction, and none: the one that is chosen."""
    return {"!s": ["", "gmem_smem", "fallback"], "!r": ["", "reg", "fallback"], "!matrix": ["", "same_memory", "fallback"]}[spaces]


class Kind:
    def __init__(self, name, body, does, value, only_from_0=(), until=False, has_empty=True, element="f32", step=4, **words):
        self.name, self.does, self.value, self.only_from_0, self.until = name, does, value, only_from_0, until
        self.has_empty, self.element = has_empty, element
        for word, text in {"FENCE": "", "WAIT": "", "SPACE": "!s", "COPY": "tile.copy", **words}.items():
            body = body.replace(word, text)
        point = ".0" if element[0] == "f" else ""
        text = KERNEL.replace("BODY", body).replace("ZERO", "0" + point).replace("SEVEN", "7" + point)
        self.text = text.replace("STEP", str(step)).replace("f32", element)

    def has(self, way):
        """Whether the copy is masked in that way: what a tensor map cannot do is a promise, which docs/bounds.md checks."""
        rows, row, column, _ = WAYS[way]
        begins = {"row": row, "column": column}
        exists = (self.until or not way.startswith("another")) and (self.has_empty or rows > 0)
        return exists and all(begins[dimension] >= 0 for dimension in self.only_from_0)

    def expected(self, way):
        """The rows of argument 1."""
        rows, first, left, end = WAYS[way]
        inside = lambda row, column: 0 <= first + row < min(rows, end) and 0 <= left + column < COLUMNS
        region = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
        if self.does == "load":
            source = lambda row, column: COLUMNS * (first + row) + left + column
            of = {at: source(*at) if inside(*at) else self.value for at in region}
            return [[of[row, column] for column in range(COLUMNS)] for row in range(ROWS)]
        result = [[0] * COLUMNS for _ in range(rows)]
        for row, column in region:
            if inside(row, column):
                moved = COLUMNS * row + column if self.does == "store" else self.value
                result[first + row][left + column] = moved
        return result


def kinds():
    for space in ["!s", "!r"]:
        for variant in variants(space):
            name = f"{variant or 'chosen'} {space[1:]}"
            for fill, value in [(SEVENS, 7), (ZEROS, 0)]:
                clauses = f"masked {fill} {forced(variant)}"
                yield Kind(f"load, {name}, filled with {value}", FILLED + LOAD, "load", value, SPACE=space, CLAUSES=clauses)
            yield Kind(f"load, {name}, kept", FILLED + LOAD, "load", 7, SPACE=space, CLAUSES=f"masked {forced(variant)}")
            yield Kind(f"store, {name}", STORE, "store", 0, SPACE=space, CLAUSES=f"masked {forced(variant)}")
    for variant in ["", "ldgsts"]:
        for fill, value in [(SEVENS, 7), (ZEROS, 0), ("", 7)]:
            # cp.async fills with zeros only.
            clauses = f"group masked {fill} {forced(variant if value == 0 or not fill else '')}"
            words = {"COPY": "tile.copy_async", "WAIT": GROUP, "CLAUSES": clauses}
            yield Kind(f"load, asynchronous {variant}, {fill}", FILLED + LOAD, "load", value, **words)
    for variant in ["", "same_memory", "fallback"]:
        yield Kind(f"copy, {variant or 'chosen'}", DIRECT, "load", 7, CLAUSES=f"masked {SEVENS} {forced(variant)}")
    for variant in ["", "fallback"]:
        yield Kind(f"fill, {variant or 'chosen'}", SET, "fill", 7, CLAUSES=f"masked {forced(variant)}")
    for fill, value in [(SEVENS, 7), (ZEROS, 0), ("", 7)]:
        yield Kind(f"load, bytes, {fill}", FILLED + LOAD, "load", value, element="i8", step=1, CLAUSES=f"masked {fill}")
    yield Kind("store, bytes", STORE, "store", 0, element="i8", step=1, CLAUSES="masked")
    # There is no map of nothing.
    yield Kind("ring", RING, "load", 0, has_empty=False, CLAUSES=f"masked {ZEROS}")
    yield Kind("ring of maps", RING, "load", 0, has_empty=False, CLAUSES=f'masked {ZEROS} {forced("tma")}')
    until = {"until": True, "has_empty": False, "only_from_0": ("row",)}
    yield Kind("ring until", RING, "load", 0, CLAUSES=f'masked until(%end) {ZEROS} {forced("tma")}', **until)
    bulk = {"FENCE": FENCE, "WAIT": BULK, "COPY": "tile.copy_async", "only_from_0": ("row", "column"), "has_empty": False}
    yield Kind("store through a map", STORE, "store", 0, CLAUSES=f'masked bulk_group {forced("tma")}', **bulk)
    yield Kind("store through a map until", STORE, "store", 0, CLAUSES=f'masked until(%end) bulk_group {forced("tma")}', until=True, **bulk)


def stored(value, element):
    """A number as the element that it becomes."""
    return float(value) if element[0] == "f" else float((int(value) + 128) % 256 - 128)


def run(tools, folder, number, kind):
    path = folder / f"{number}.mlir"
    path.write_text(kind.text)
    failures, done = [], 0
    for way, (rows, row, column, end) in WAYS.items():
        if not kind.has(way):
            continue
        written = ROWS if kind.does == "load" else rows
        read = rows if kind.does == "load" else ROWS
        element = kind.element
        arguments = [f"{element}[{read}x64]=iota", f"{element}[{written}x64]=zeros", f"i64={row}", f"i64={column}", f"i64={end}"]
        words = [word for argument in arguments for word in ("--arg", argument)]
        ran = subprocess.run([tools / "tile-run", path, *words, "--print", "1", "--print-all"], capture_output=True, text=True, check=False)
        done += 1
        if ran.returncode != 0:
            failures.append(f"{way}: {ran.stderr.strip().splitlines()[0] if ran.stderr else ran.stdout}")
            continue
        lines = [line.split() for line in ran.stdout.splitlines()]
        got = [[float(word) for word in line] for line in lines if len(line) == COLUMNS]
        expected = [[stored(value, element) for value in line] for line in kind.expected(way)]
        if got != expected:
            differing = [(r, c) for r, line in enumerate(expected) for c, value in enumerate(line) if r >= len(got) or got[r][c] != value]
            failures.append(f"{way}: {len(differing)} differ, first {differing[:1]}, {len(got)} rows")
    return done, failures


def main():
    tools, folder = map(Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    all_kinds = list(kinds())
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda numbered: run(tools, folder, *numbered), enumerate(all_kinds)))
    for number, (kind, (done, failures)) in enumerate(zip(all_kinds, results)):
        print(f"{number}. "
              f"{kind.name}: {done} ways" + "".join(f"\n  {failure}" for failure in failures))
    return 1 if any(failures for _, failures in results) else 0


if __name__ == "__main__":
    sys.exit(main())
