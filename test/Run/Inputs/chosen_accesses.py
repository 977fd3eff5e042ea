"""Random kernels that compute with shared tiles whose layouts are left open: what they leave is numpy's, and the wavefronts that the
certificates promise are those that the simulator counts.

    chosen_accesses.py COUNT SEED FOLDER
"""

import collections
import os
import re
import subprocess
import sys

import numpy

TYPES = {"f32": numpy.float32, "i32": numpy.int32, "f16": numpy.float16, "i8": numpy.int8}
ARGUMENTS = {"i8": "u8"}
CHIPS = ("sm_80", "sm_90a")


def buffer(shape, element, where):
    return f"!tile.buffer<{'x'.join(map(str, shape))}x{element}, {where}>"


def memref(shape, element):
    return f"memref<{'x'.join(map(str, shape))}x{element}>"


class Kernel:
    """A kernel, its arguments and what it leaves in them."""

    def __init__(self, random, number):
        self.random, self.number = random, number
        self.arguments, self.body, self.tiles, self.is_even = [], [], 0, True
        self.threads = int(random.choice([32, 64, 128, 256]))

    def draw(self, *choices):
        return choices[self.random.integers(len(choices))]

    def argument(self, value, element, expected=None):
        self.arguments.append((value, element, expected))
        return len(self.arguments) - 1

    def line(self, text):
        if text.startswith(("tile.copy", "tile.map", "tile.reduce", "%total")):
            # Otherwise LLVM forwards to loads what their own thread has stored.
            self.body.append("    gpu.barrier")
        self.body.append("    " + text)

    def tile(self, shape, element, where="shared, auto"):
        name, self.tiles = f"%t{self.tiles}", self.tiles + 1
        kind = buffer(shape, element, where)
        self.line(f"{name} = tile.alloc : {kind}")
        return name, kind

    def loaded(self, value, element):
        """A shared tile that holds an argument."""
        at = self.argument(value, element)
        name, kind = self.tile(value.shape, element)
        whole = buffer(value.shape, element, "global")
        self.line(f"%a{at} = tile.view %A{at} : {memref(value.shape, element)} to {whole}")
        self.line(f"tile.copy %a{at} to {name} scope(cta) : {whole} to {kind}")
        return name, kind

    def turned(self, name, shape, element):
        """The tile seen the other way round."""
        self.tiles += 1
        view = f"%v{self.tiles}"
        kinds = [buffer(of, element, "shared, auto") for of in (shape, shape[::-1])]
        self.line(f"{view} = tile.permute {name} [1, 0] : {kinds[0]} to {kinds[1]}")
        return view, kinds[1]

    def stored(self, name, kind, value, element):
        """Copies a tile to an argument, which then has that value."""
        at = self.argument(None, element, value)
        whole = buffer(value.shape, element, "global")
        self.line(f"%a{at} = tile.view %A{at} : {memref(value.shape, element)} to {whole}")
        self.line(f"tile.copy {name} to %a{at} scope(cta) : {kind} to {whole}")

    def numbers(self, shape, element):
        return self.random.integers(-5, 6, shape).astype(TYPES[element])

    def function(self, count, element, more=()):
        """The region of a map: a sum of its arguments and of more values."""
        names = [f"%e{at}" for at in range(count)]
        self.line(f"^bb0({', '.join(f'{name}: {element}' for name in names)}):")
        kind = "f" if element.startswith("f") else "i"
        total = names[0]
        for step, name in enumerate([*names[1:], *more, names[0]]):
            self.line(f"  %s{step} = arith.add{kind} {total}, {name} : {element}")
            total = f"%s{step}"
        self.line(f"  tile.yield {total} : {element}")
        self.line("}")

    def map(self):
        """A map of one or two tiles, perhaps one of them turned, repeated or in registers, in place or not."""
        element = self.draw("f32", "f32", "i32", "f16", "i8")
        shape = self.shape()
        x = self.numbers(shape, element)
        name, kind = self.loaded(x, element)
        sources, kinds, values = [name], [kind], [x]
        if self.draw(False, True):
            other = self.draw("turned", "row", "column", "same")
            if other == "turned":
                y = self.numbers(shape[::-1], element)
                tile, _ = self.loaded(y, element)
                tile, own = self.turned(tile, shape[::-1], element)
                y = y.T
            else:
                extents = {"row": (1, shape[1]), "column": (shape[0], 1), "same": shape}[other]
                y = self.numbers(extents, element)
                tile, own = self.loaded(y, element)
            sources.append(tile), kinds.append(own), values.append(y)
        to = self.draw("place", "new", "turned")
        if to == "place":
            dest, dest_kind = name, kind
        elif to == "new":
            dest, dest_kind = self.tile(shape, element)
        else:
            tile, tile_kind = self.tile(shape[::-1], element)
            dest, dest_kind = self.turned(tile, shape[::-1], element)
        self.line(f"tile.map {', '.join(sources)} to {dest} scope(cta) : {', '.join(kinds)} to {dest_kind} {{")
        self.function(len(sources), element)
        result = sum(values, values[0]).astype(TYPES[element])
        if to == "turned":
            self.stored(tile, tile_kind, result.T.copy(), element)
        else:
            self.stored(dest, dest_kind, numpy.broadcast_to(result, shape).copy(), element)

    def reduce(self):
        """Sums of rows or columns, or where their largest elements are."""
        element = self.draw("f32", "i32")
        shape = self.shape()
        x = self.numbers(shape, element)
        name, kind = self.loaded(x, element)
        view, of = x, shape
        if self.draw(False, False, True):
            name, kind = self.turned(name, shape, element)
            view, of = x.T, shape[::-1]
        dim = int(self.draw(0, 1))
        result = tuple(1 if at == dim else extent for at, extent in enumerate(of))
        operator = self.draw("add", "max", "argmax")
        to = "i32" if operator == "argmax" else element
        dest, dest_kind = self.tile(result, to)
        self.line(f"tile.reduce {operator} {name} to {dest} dim({dim}) scope(cta) : {kind} to {dest_kind}")
        found = {"add": view.sum, "max": view.max, "argmax": view.argmax}[operator](axis=dim)
        self.stored(dest, dest_kind, found.reshape(result).astype(TYPES[to]), to)

    def total(self):
        element = self.draw("f32", "i32")
        shape = self.shape()
        x = self.numbers(shape, element)
        name, kind = self.loaded(x, element)
        self.line(f"%total = tile.total add {name} scope(cta) : {kind} to {element}")
        dest, dest_kind = self.tile(shape, element)
        self.line(f"tile.map {name} to {dest} scope(cta) : {kind} to {dest_kind} {{")
        self.function(1, element, ["%total"])
        self.stored(dest, dest_kind, (2 * x + x.sum()).astype(TYPES[element]), element)

    def shape(self):
        self.is_even = self.draw(False, True)
        if self.is_even:
            return int(self.draw(16, 32, 64, 128)), int(self.draw(32, 64, 128))
        return int(self.random.integers(1, 50)), int(self.random.integers(1, 60))

    def text(self):
        self.draw(self.map, self.map, self.reduce, self.total)()
        arguments = ", ".join(f"%A{at}: {memref(self.value(at).shape, of)}" for at, (_, of, _) in enumerate(self.arguments))
        chip = CHIPS[self.number % len(CHIPS)]
        lines = [
            f'gpu.module @kernels [#nvvm.target<chip = "{chip}">] {{',
            f"  gpu.func @k({arguments}) kernel attributes {{known_block_size = array<i32: {self.threads}, 1, 1>}} {{",
            *self.body,
            "    gpu.return",
            "  }",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def value(self, at):
        value, _, expected = self.arguments[at]
        return value if expected is None else expected


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def counted(table):
    """The wavefronts and conflicts of a launch."""
    row = re.search(r"^all instructions +(\d+) +\d+ +\d+ +(\d+) +(\d+)", table, re.MULTILINE)
    return tuple(map(int, row.groups()[1:])) if row else None


def main():
    count, seed, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    outcomes, mistakes = collections.Counter(), []
    for number in range(count):
        kernel = Kernel(numpy.random.default_rng([seed, number]), number)
        with open(f"{number}.mlir", "w") as file:
            file.write(kernel.text())
        chosen = run("tile-opt", "--tile-choose-layouts", f"{number}.mlir", "-o", f"{number}.chosen.mlir",
                     "--remarks-filter=tile-copy", "--remark-format=emitRemark")
        promised = [tuple(map(int, found)) for found in
                    re.findall(r"layout-chosen .*IdealWavefronts=(\d+).* Wavefronts=(\d+)", chosen.stderr)]
        if chosen.returncode != 0 or not promised:
            mistakes.append(f"{number}: no layout: {chosen.stderr[:300]}")
            continue
        command = ["tile-run", f"{number}.chosen.mlir"]
        for at, (value, element, expected) in enumerate(kernel.arguments):
            of = f"{ARGUMENTS.get(element, element)}[{'x'.join(map(str, kernel.value(at).shape))}]"
            saved = kernel.value(at).view(numpy.uint8) if element == "i8" else kernel.value(at)
            numpy.save(f"{number}.{at}.npy", saved)
            if expected is None:
                command += ["--arg", f"{of}={number}.{at}.npy"]
            else:
                command += ["--arg", f"{of}=poison", "--expect", f"{at}={number}.{at}.npy"]
        launch = run(*command)
        if launch.returncode != 0:
            mistakes.append(f"{number}: {launch.stdout[:300]}{launch.stderr[:600]}")
            continue
        lowered = run("tile-opt", "--tile-align-layouts", f"{number}.chosen.mlir", "-o", "/dev/null",
                      "--remarks-filter=tile-reduce", "--remark-format=emitRemark")
        outcomes["right"] += 1
        # Warps meet in a tile of the reduction's own, which no certificate is about. Where extents do not divide, LLVM merges accesses and
        # moves them to the threads that use them.
        if re.search(r"Warps=(?!1\b)\d+", lowered.stderr) or not kernel.is_even:
            continue
        wavefronts = counted(launch.stdout)
        if wavefronts is None or wavefronts[0] != sum(own for _, own in promised):
            mistakes.append(f"{number}: promised {promised}, counted {wavefronts}")
            continue
        outcomes["counted"] += 1
        outcomes["without conflicts"] += wavefronts[1] == 0
    print(", ".join(f"{outcomes[name]} {name}" for name in ("right", "counted", "without conflicts")) + f", {len(mistakes)} wrong")
    if mistakes:
        sys.exit("\n".join(mistakes[:10]))


main()
