#!/usr/bin/env python3
"""Runs tile-opt on the MLIR examples of generated pages: they come from descriptions in .td files, which nothing else checks.

    check-examples.py <tile-opt> <page>...

An example is a module, a list of types, or operations on values that it does not define; these values become arguments of the
types that the operation states: `%a` and `%s` of `tile.copy %a to %s … : A to S`, and `index` inside brackets and in rows(…) and until(…).
"""

import re
import subprocess
import sys
from pathlib import Path

# Operands whose type the operation does not state, or states next to them.
CLAUSES = {"fill": "f32", "mbarrier": "!llvm.ptr<3>", "remote_cta": "i32", "cta_mask": "i16", "predicate": "i1", "tile.tmem ": "i32"}
# Operands that stand with their type in parentheses.
TYPED = re.compile(r"\((%\w+) : (!tile\.buffer[^()]*)\)")
TYPES = re.compile(r" : (?=!tile|memref|index|f32 to|!llvm\.ptr<1> to)")


def examples(page):
    """Line and text of each MLIR fence."""
    for found in re.finditer(r"^```mlir\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        yield page.count("\n", 0, found.start()) + 1, found[1]


def module(example):
    """The example as a module that can be parsed."""
    if example.startswith(("gpu.module", "func.func")):
        return example
    if example.startswith("!"):
        lines = example.splitlines()
        aliases = "".join(f"!t{number} = {line}\n" for number, line in enumerate(lines))
        return f"{aliases}func.func private @types({', '.join(f'!t{number}' for number in range(len(lines)))})\n"
    arguments, defined = {}, set()
    for operation in re.split(r"^(?=(?:%[\w, %]+ = )?tile\.)", example, flags=re.MULTILINE)[1:]:
        for name, kind in operands(" ".join(operation.split())):
            if name not in defined:
                arguments.setdefault(name, kind)
        for results in re.findall(r"^(%[\w, %]+) = ", operation):
            defined.update(re.findall(r"%\w+", results))
    declared = ", ".join(f"{name}: {kind}" for name, kind in arguments.items())
    return f"func.func @example({declared}) {{\n{example}return\n}}\n"


SCAN = re.compile(r"tile\.scan @\S+ \w+ \w+ (%\w+) to (%\w+) workspace\((%\w+)\) epoch\((%\w+)\).*? : (memref.*?) to (memref.*?), (memref\S+)")


def operands(operation):
    """The names that an operation uses, with their types."""
    scan = SCAN.match(operation)
    if scan:
        source, dest, workspace, epoch, *types = scan.groups()
        yield from zip((source, dest, workspace), types)
        yield epoch, "i32"
        return
    use = re.sub(r"^%[\w, %]+ = ", "", operation)
    yield from TYPED.findall(use)
    parts = TYPES.split(TYPED.sub("", use), maxsplit=1)
    if len(parts) != 2:
        return
    body, types = parts[0], parts[1].split(" to ")
    for clause, kind in CLAUSES.items():
        yield from ((name, kind) for name in re.findall(clause + r"\(?(%\w+)", body))
    for number, name in enumerate(re.findall(r'(?:^tile\.(?!tmem )\w+(?: "\w+")?| to) (%\w+)', body)):
        yield name, types[number]
    for inside in re.findall(r"\[([^\]]*)\]|(?:extents|strides|masked|rows|until|filter)(\([^)]*\))", body):
        inside = "".join(inside)
        for name in re.findall(r"%\w+", inside):
            yield name, "index"


def main():
    tool, *pages = sys.argv[1:]
    count, mistakes = 0, []
    for path in map(Path, pages):
        for line, example in examples(path.read_text()):
            count += 1
            done = subprocess.run([tool, "-", "-o", "/dev/null"], input=module(example), capture_output=True, text=True)
            if done.returncode != 0:
                mistakes.append(f"{path}:{line}: {done.stderr}\nin\n{module(example)}")
    if mistakes or count == 0:
        sys.exit("\n".join(mistakes) or "check-examples: error: no examples")
    print(f"{count} examples are accepted")


if __name__ == "__main__":
    main()
