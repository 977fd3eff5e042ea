#!/usr/bin/env python3
"""Random fills and reductions, executed under all schedules and compared with what the pages of the ops specify.

    effects.py <tile-run> <folder> <first seed> <seeds>

Each program fills a region of a buffer in global memory, or reduces a region of another buffer into it: directly, or through
shared memory or registers that are filled before, or reduced into. Regions are drawn as in masked.py.
"""

import itertools
import math
import random
import sys
from pathlib import Path

import masked
from masked import Side, is_right, save, tile_between

masked.FORMATS.update({"f16": ("e", "<f2"), "f32": ("f", "<f4"), "f64": ("d", "<f8")})

OPERATORS = {
    "add": lambda a, b: a + b,
    "min": min,
    "max": max,
    "umin": min,
    "umax": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "inc": lambda a, b: 0 if a >= b else a + 1,
    "dec": lambda a, b: b if a == 0 or a > b else a - 1,
}


def operator(draw, kind):
    """A reduction that the element type has, and its result for two small numbers."""
    words = ["add", "min", "max"]
    if kind.startswith("i"):
        words += ["umin", "umax", "and", "or", "xor"] + (["inc", "dec"] if kind == "i32" else [])
    word = draw.choice(words)
    return word, OPERATORS[word]


def program(seed):
    """The text of a program, its two sides, its effect on an element, and the number of blocks."""
    draw = random.Random(seed)
    reduces = draw.random() < 0.6
    kind = draw.choice(["i32", "i64", "f16", "f32", "f64"] if reduces else list(masked.FORMATS))
    size = [draw.choice([1, 2, 3, 4, 5, 6, 8, 16, 32]) for _ in range(draw.choice([1, 2, 2, 3]))]
    while math.prod(size) > 1024:
        size[draw.randrange(len(size))] = 1
    src, dst = Side(draw, "s", size, kind), Side(draw, "d", size, kind)
    scope, block = draw.choice([("cta", draw.choice([32, 64, 96, 128])), ("warp", 32), ("thread", 1)])
    value, chip = draw.choice([0, 7]), draw.choice(["sm_80", "sm_90a", "sm_100a"])
    body = [f"%v = arith.constant {float(value) if kind[0] == 'f' else value} : {kind}"] + src.lines + dst.lines
    word, between, tile = None, None, f"!tile.buffer<{'x'.join(map(str, size))}x{kind}, shared>"
    if reduces:
        word, combine = operator(draw, kind)
        between = draw.choice([None, "copied", "reduced"])
    if between == "copied":
        tile, _ = tile_between(draw, size, kind, scope, block)
    if between or (not reduces and draw.random() < 0.5):
        body += [f"%t = tile.alloc : {tile}", f"tile.fill %v to %t scope({scope}) : {kind} to {tile}", "gpu.barrier"]
    copy = f"scope({scope}) "
    if not reduces and "%t = " in "".join(body):
        body += [f"tile.copy %t to {dst.region} {copy}masked : {tile} to {dst.type}"]
    elif not reduces:
        body += [f"tile.fill %v to {dst.region} {copy}masked : {kind} to {dst.type}"]
    elif between is None:
        body += [f"tile.copy {src.region} to {dst.region} {copy}reduce({word}) masked : {src.type} to {dst.type}"]
    elif between == "copied":
        body += [f"tile.copy {src.region} to %t {copy}masked : {src.type} to {tile}", "gpu.barrier"]
        body += [f"tile.copy %t to {dst.region} {copy}reduce({word}) masked : {tile} to {dst.type}"]
    else:
        body += [f"tile.copy {src.region} to %t {copy}reduce({word}) masked : {src.type} to {tile}", "gpu.barrier"]
        body += [f"tile.copy %t to {dst.region} {copy}reduce({word}) masked : {tile} to {dst.type}"]
    blocks = draw.choice([1, 3]) if reduces else 1

    def left(old, new):
        """The new value of an element; `new` is None if the source element is outside."""
        if not reduces:
            return value
        if between == "copied":
            new = value if new is None else new
        elif between == "reduced":
            new = value if new is None else combine(value, new)
        for _ in range(blocks if new is not None else 0):
            old = combine(old, new)
        return old

    parameters = ", ".join(src.parameters + dst.parameters)
    text = "\n".join(
        [f'gpu.module @kernels [#nvvm.target<chip = "{chip}">] {{']
        + [f"  gpu.func @effect({parameters}) kernel attributes {{known_block_size = array<i32: {block}, 1, 1>}} {{"]
        + [f"    {line}" for line in body]
        + ["    gpu.return", "  }", "}", ""]
    )
    return draw, src, dst, left, blocks, text


def main():
    tool, folder, first, seeds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for seed in range(first, first + seeds):
        draw, src, dst, left, blocks, text = program(seed)
        held = [draw.randint(1, 9) for _ in range(src.elements)]
        before = [draw.randint(1, 9) for _ in range(dst.elements)]
        after = list(before)
        for step in itertools.product(*map(range, src.size)):
            source, target = src.place(step), dst.place(step)
            if target is not None:
                after[target] = left(after[target], None if source is None else held[source])
        paths = {name: folder / f"{name}-{seed}.npy" for name in ("src", "dst", "expected")}
        for name, values in (("src", held), ("dst", before), ("expected", after)):
            save(paths[name], values, src.kind)
        kernel = folder / f"effect-{seed}.mlir"
        kernel.write_text(text)
        ways = [paths[name] for name in ("src", "dst", "expected")]
        wrong += not is_right(f"{tool} --grid={blocks}", kernel, (src, dst), ways)
    print(f"{seeds - wrong} of {seeds} fills and reductions are right")
    sys.exit(wrong != 0)


main()
