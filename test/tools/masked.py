#!/usr/bin/env python3
"""Random masked copies, executed under all schedules and compared with what the op's page specifies for each element.

    masked.py <tile-run> <folder> <first seed> <seeds>

Each program copies a region of one buffer in global memory to a region of another: directly, or through shared memory,
through registers, or asynchronously through shared memory. Both regions start and end anywhere, also before and after their
buffers; offsets and extents are constants or kernel arguments, some of which are promised to be multiples of a number. A
buffer may be a part of another one, or transposed.
"""

import itertools
import math
import random
import struct
import subprocess
import sys
from pathlib import Path

FORMATS = {"i8": ("B", "|u1"), "i16": ("H", "<u2"), "i32": ("I", "<u4"), "i64": ("Q", "<u8")}
# The value of a tile's elements before anything is copied to it.
BEFORE = 9


def save(path, values, kind):
    code, descr = FORMATS[kind]
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = struct.pack(f"<{len(values)}{code}", *values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


class Side:
    """A buffer in global memory and a region of `size` in it."""

    def __init__(self, draw, name, size, kind):
        self.name, self.kind, self.size = name, kind, size
        self.shape = [max(1, extent + draw.choice([-(extent // 2), -1, 0, 1, 3, 8])) for extent in size]
        # The buffer that contains this one, if it is a part, and the offset in that buffer.
        part = draw.random() < 0.25
        self.margins = [draw.choice([0, 1, 4, 8]) if part else 0 for _ in size]
        whole = [extent + margin + (draw.choice([0, 3]) if part else 0) for extent, margin in zip(self.shape, self.margins)]
        self.strides = [1]
        for index in reversed(range(1, len(size))):
            pad = draw.choice([0, 0, 3, 8]) if index == len(size) - 1 else 0
            self.strides.insert(0, self.strides[0] * (whole[index] + pad))
        self.elements = whole[0] * self.strides[0]
        self.begin = [
            draw.choice([0, 0, draw.randint(-extent, limit), 8 * draw.randint(-2, 2), 4 * draw.randint(-1, 3)])
            for extent, limit in zip(size, self.shape)
        ]
        self.parameters, self.values, self.lines = [f"%{name}: {self.storage()}"], [], []
        extents = [self.number(draw, f"e{i}", extent) for i, extent in enumerate(whole)]
        begins = [self.number(draw, f"b{i}", begin) for i, begin in enumerate(self.begin)]
        turned = len(size) == 2 and draw.random() < 0.25
        order = [1, 0] if turned else list(range(len(size)))
        given = [extents[index] for index in order if extents[index].startswith("%")]
        shape = ["?" if extent.startswith("%") else extent for extent in extents]
        viewed = self.tile([shape[index] for index in order], [self.strides[index] for index in order])
        given = f" extents({', '.join(given)})" if given else ""
        self.lines.append(f"%{name}v = tile.view %{name}{given} : {self.storage()} to {viewed}")
        self.type = self.tile(shape, self.strides)
        value = f"%{name}v"
        if turned:
            self.lines.append(f"%{name}t = tile.permute {value} [1, 0] : {viewed} to {self.type}")
            value = f"%{name}t"
        if part:
            margins = [self.number(draw, f"p{i}", margin) for i, margin in enumerate(self.margins)]
            source, self.type = self.type, self.tile(list(map(str, self.shape)), self.strides)
            window = f"[{', '.join(margins)}] [{', '.join(map(str, self.shape))}]"
            self.lines.append(f"%{name}p = tile.subview {value}{window} : {source} to {self.type}")
            value = f"%{name}p"
        self.region = f"{value}[{', '.join(begins)}] [{', '.join(map(str, size))}]"

    def tile(self, shape, strides):
        """The type of a tile of global memory."""
        layout = f"#tile.layout<({', '.join(shape)}) : ({', '.join(map(str, strides))})>"
        return f"!tile.buffer<{'x'.join(shape)}x{self.kind}, global, {layout}>"

    def storage(self):
        return f"memref<{self.elements}x{self.kind}>"

    def number(self, draw, name, value):
        """The number itself, or a parameter with that value, about which something may be promised."""
        if draw.random() < 0.5:
            return str(value)
        name = f"%{self.name}{name}"
        self.parameters.append(f"{name}: index")
        self.values.append(value)
        divisor = draw.choice([divisor for divisor in (1, 2, 4, 8, 16) if value % divisor == 0])
        if divisor == 1:
            return name
        self.lines.append(f"{name}m = tile.assume {name} divisible_by {divisor} : index")
        return f"{name}m"

    def place(self, step):
        """The position of an element of the region in the storage; None outside the buffer."""
        place = [begin + at for begin, at in zip(self.begin, step)]
        if all(0 <= at < extent for at, extent in zip(place, self.shape)):
            return sum((at + margin) * stride for at, margin, stride in zip(place, self.margins, self.strides))
        return None


def tile_between(draw, size, kind, scope, block):
    """The type of an intermediate tile of `size`, and whether it is copied to asynchronously."""
    shape, elements = "x".join(map(str, size)), math.prod(size)
    way = draw.choice(["shared", "async", "registers"])
    if way == "registers" and scope == "thread":
        return f"!tile.buffer<{shape}x{kind}, local>", False
    if way == "registers" and elements % block == 0:
        axis = "laneid" if scope == "warp" else "tx"
        threads, rest = f"{block}", f"{elements // block}"
        digits, strides = draw.choice([((threads, rest), (f"1@{axis}", "1")), ((rest, threads), ("1", f"1@{axis}"))])
        layout = f"#tile.layout<({', '.join(digits)}) : ({', '.join(strides)})>"
        return f"!tile.buffer<{shape}x{kind}, local, {layout}>", False
    if len(size) == 2 and draw.random() < 0.3:
        layout = f", #tile.layout<({size[0]}, {size[1]}) : (1, {size[0]})>"
        return f"!tile.buffer<{shape}x{kind}, shared{layout}>", way == "async"
    return f"!tile.buffer<{shape}x{kind}, shared>", way == "async"


def program(seed):
    """The text of a program, its two sides, the fill value, and whether the copy is direct."""
    draw = random.Random(seed)
    kind = draw.choice(list(FORMATS))
    size = [draw.choice([1, 2, 3, 4, 5, 6, 8, 16, 32]) for _ in range(draw.choice([1, 2, 2, 3]))]
    while math.prod(size) > 2048:
        size[draw.randrange(len(size))] = 1
    src, dst = Side(draw, "s", size, kind), Side(draw, "d", size, kind)
    scope, block = draw.choice([("cta", draw.choice([32, 64, 96, 128])), ("warp", 32), ("thread", 1)])
    fill = draw.choice([None, 0, 7])
    masked = f"scope({scope}) {{0}}masked" + ("" if fill is None else f" fill(%fill : {kind})")
    direct = draw.random() < 0.25
    before = f"!tile.buffer<{'x'.join(map(str, size))}x{kind}, global>"
    storage = f"memref<{'x'.join(map(str, size))}x{kind}>"
    if direct:
        body = [f"tile.copy {src.region} to {dst.region} {masked.format('')} : {src.type} to {dst.type}"]
    else:
        tile, asynchronous = tile_between(draw, size, kind, scope, block)
        op, group = ("tile.copy_async", "group ") if asynchronous else ("tile.copy", "")
        body = [f"%t = tile.alloc : {tile}"]
        body += [f"tile.copy %before to %t scope({scope}) : {before} to {tile}", "gpu.barrier"] if fill is None else []
        body += [f"{op} {src.region} to %t {masked.format(group)} : {src.type} to {tile}"]
        body += ["nvvm.cp.async.wait.group 0"] if asynchronous else []
        body += ["gpu.barrier", f"tile.copy %t to {dst.region} scope({scope}) masked : {tile} to {dst.type}"]
    chip = draw.choice(["sm_80", "sm_90a", "sm_100a"])
    lines = [f"%fill = arith.constant {fill or 0} : {kind}", f"%before = tile.view %o : {storage} to {before}"]
    lines += src.lines + dst.lines + body
    parameters = ", ".join(src.parameters + dst.parameters + [f"%o: {storage}"])
    return draw, src, dst, fill, direct, "\n".join(
        [f'gpu.module @kernels [#nvvm.target<chip = "{chip}">] {{']
        + [f"  gpu.func @masked({parameters}) kernel attributes {{known_block_size = array<i32: {block}, 1, 1>}} {{"]
        + [f"    {line}" for line in lines]
        + ["    gpu.return", "  }", "}", ""]
    )


def expected(src, dst, fill, direct, held, left):
    """The expected contents of the destination."""
    left = list(left)
    for step in itertools.product(*map(range, src.size)):
        source, target = src.place(step), dst.place(step)
        if target is None:
            continue
        if source is not None:
            left[target] = held[source]
        elif fill is not None:
            left[target] = fill
        elif not direct:
            left[target] = BEFORE
    return left


def is_right(tool, kernel, sides, paths, more=()):
    """Runs a kernel with the two sides as arguments, then `more`; prints the command and its output on failure."""
    arguments = []
    for side, path in zip(sides, paths):
        arguments += [argument(side.kind, side.elements, path), *(f"i64={value}" for value in side.values)]
    command = [*tool.split(), str(kernel), "--schedule=all"]
    command += [word for it in (*arguments, *more) for word in ("--arg", it)]
    command += ["--expect", f"{1 + len(sides[0].values)}={paths[2]}"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        print(f"{' '.join(command)}\n{run.stdout}{run.stderr}")
    return run.returncode == 0


def argument(kind, elements, path):
    """The value of `--arg` for the contents of a file, with integers as unsigned."""
    return f"{kind if kind[0] == 'f' else 'u' + kind[1:]}[{elements}]={path}"


def main():
    tool, folder, first, seeds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for seed in range(first, first + seeds):
        draw, src, dst, fill, direct, text = program(seed)
        held = [draw.randint(1, 199) for _ in range(src.elements)]
        left = [draw.randint(1, 199) for _ in range(dst.elements)]
        paths = {name: folder / f"{name}-{seed}.npy" for name in ("src", "dst", "before", "expected")}
        save(paths["src"], held, src.kind)
        save(paths["dst"], left, src.kind)
        save(paths["before"], [BEFORE] * math.prod(src.size), src.kind)
        save(paths["expected"], expected(src, dst, fill, direct, held, left), src.kind)
        kernel = folder / f"masked-{seed}.mlir"
        kernel.write_text(text)
        more = [argument(src.kind, math.prod(src.size), paths["before"])]
        wrong += not is_right(tool, kernel, (src, dst), [paths[name] for name in ("src", "dst", "expected")], more)
    print(f"{seeds - wrong} of {seeds} masked copies are right")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
