#!/usr/bin/env python3
"""Executes the ops of other dialects that kernels may contain, and prints the table of them.

    kernel-ops.py check <folder of the tools> <chip>...     every row compiles for the chip and leaves what Python computes, or is
                                                            refused at the op, in words of ours
    kernel-ops.py page <file> [--write]                     the tables of the page are those of the rows
"""

import itertools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "kernel_ops"))

from cases import SLOTS, THREADS, all_cases  # noqa: E402
from formats import close, width  # noqa: E402
from operands import operand  # noqa: E402
from refused import REFUSED, WITHOUT_FP8  # noqa: E402

# Ops that only move bits.
MOVES = ["arith.select", "arith.bitcast", "gpu.shuffle", "gpu.rotate", "gpu.subgroup_broadcast"]
BEGIN, END = "<!-- made by test/tools/kernel-ops.py -->", "<!-- end -->"


def stored(name):
    return "i8" if name == "i1" else name


def bytes_of(values, name):
    size = max(width(name) // 8, 1)
    return b"".join(value.to_bytes(size, "little") for value in values)


def values_of(data, name):
    size = max(width(name) // 8, 1)
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]


def write_npy(path, data):
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({len(data)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data)


def read_npy(path):
    data = path.read_bytes()
    return data[10 + int.from_bytes(data[8:10], "little") :]


def loads(operands, memory="%A{}[%t] : memref<{}x{}>"):
    lines = []
    for number, name in enumerate(operands):
        source = memory.format(number, THREADS, stored(name))
        lines.append(f"%a{number} = memref.load {source}" if name != "i1" else f"%b{number} = memref.load {source}")
        if name == "i1":
            lines.append(f"%a{number} = arith.trunci %b{number} : i8 to i1")
    return lines


def statement(number, case):
    *before, body = re.sub(r"%(\d)", r"%a\1", case.body).replace("{n}", str(number)).split("\n")
    picked = re.match(r"#(\d) ", body)
    made, result = (f"%r{number}:2 = {body[3:]}", f"%r{number}#{picked[1]}") if picked else (f"%r{number} = {body}", f"%r{number}")
    return "\n".join([*before, made]), result


class Kernel:
    """Ops with the same operands: a kernel with a row of results for each."""

    def __init__(self, name, cases):
        self.name, self.cases, self.first = name, cases, cases[0]
        domains = self.first.domains or ["any"] * len(self.first.operands)
        self.operands = [operand(domain, kind, THREADS, number)
                         for number, (domain, kind) in enumerate(zip(domains, self.first.operands))]
        self.columns = SLOTS if self.first.form == "update" else THREADS

    def text(self):
        rows, first = len(self.cases), self.first
        arguments = [f"%A{n}: memref<{THREADS}x{stored(kind)}>" for n, kind in enumerate(first.operands)]
        arguments.append(f"%memory: memref<{rows}x{self.columns}x{stored(first.result)}>")
        lines = [f"gpu.func @{self.name}({', '.join(arguments)}) kernel "
                 f"attributes {{known_block_size = array<i32: {THREADS}, 1, 1>}} {{",
                 "%t = gpu.thread_id x", "%three = arith.constant 3 : i32", "%warp = arith.constant 32 : i32",
                 f"%slots = arith.constant {SLOTS} : index", "%last = arith.constant 3 : index", *loads(first.operands)]
        if first.form == "update":
            lines += ["%slot = arith.remui %t, %slots : index", "%updates = arith.cmpi uge, %t, %slots : index", "scf.if %updates {"]
        for number, case in enumerate(self.cases):
            made, result = statement(number, case)
            if first.form == "update":
                row = f"%row{number}"
                lines += [f"{row} = arith.constant {number} : index", made.replace("%row", row).replace("{rows}", str(rows))]
                continue
            lines += [made, f"%row{number} = arith.constant {number} : index"]
            if first.result == "i1":
                lines.append(f"%s{number} = arith.extui {result} : i1 to i8")
                result = f"%s{number}"
            lines.append(f"memref.store {result}, %memory[%row{number}, %t] : memref<{rows}x{self.columns}x{stored(first.result)}>")
        return "\n".join(lines + ["}"] * (first.form == "update") + ["gpu.return", "}"])

    def run(self, tools, ptx, folder):
        """The lines that say what is wrong."""
        arguments = []
        for number, (values, kind) in enumerate(zip(self.operands, self.first.operands)):
            path, data = folder / f"{number}.npy", bytes_of(values, kind)
            write_npy(path, data)
            arguments += ["--arg", f"u8[{len(data)}]={path}"]
        size = len(self.cases) * self.columns * max(width(self.first.result) // 8, 1)
        contents = "poison"
        if self.first.form == "update":
            contents = folder / "memory.npy"
            write_npy(contents, bytes_of(self.operands[0][:SLOTS], self.first.result) * len(self.cases))
        arguments += ["--arg", f"u8[{size}]={contents}", "--write", f"{len(self.operands)}={folder / 'out.npy'}"]
        ran = run(tools / "tile-run", ptx, "--entry", self.name, *arguments)
        if ran.returncode:
            return [f"{self.first.op} {self.first.types}: {ran.stderr or ran.stdout}"]
        got = values_of(read_npy(folder / "out.npy"), self.first.result)
        return [line for row, case in enumerate(self.cases) for line in self.compare(case, got[row * self.columns :][: self.columns])]

    def compare(self, case, got):
        expected = case.compute(*self.operands)
        for at, (one, other) in enumerate(zip(got, expected)):
            if not close(one, other, case.result, case.ulps):
                inputs = [hex(values[at]) for values in self.operands]
                return [f"{case.body}: thread {at} has {one:#x} of {', '.join(inputs)}, expected {other:#x}"]
        return []


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def has_fp8(chip):
    return int(re.match(r"sm_(\d+)", chip)[1]) >= 89


def on_chip(chip, text):
    features = ', features = "+ptx81"' if chip == "sm_89" else ""
    return f'gpu.module @kernels [#nvvm.target<chip = "{chip}"{features}>] {{\n{text}\n}}\n'


def kernels(cases):
    key = lambda case: (case.form, case.operands, case.result, case.domains)  # noqa: E731
    groups = itertools.groupby(sorted(cases, key=lambda case: str(key(case))), key)
    return [Kernel(f"k{number}", list(group)) for number, (_, group) in enumerate(groups)]


def check_taken(tools, chip, cases, folder):
    all_kernels = kernels(cases)
    source, ptx = folder / "kernels.mlir", folder / "kernels.ptx"
    source.write_text(on_chip(chip, "\n".join(kernel.text() for kernel in all_kernels)))
    compiled = run(tools / "tile-translate", "--tile-to-ptx", source, "-o", ptx)
    if compiled.returncode:
        lines = source.read_text().splitlines()
        named = re.sub(r"^\S*kernels.mlir:(\d+):\d+: ", lambda found: f"{lines[int(found[1]) - 1]}: ", compiled.stderr, flags=re.M)
        return [f"{chip}: {named}"]
    return [f"{chip}: {line}" for kernel, alone in zip(all_kernels, apart(ptx, all_kernels)) for line in kernel.run(tools, alone, folder)]


def apart(ptx, all_kernels):
    """A file for each kernel: reading all of them takes longer than executing one."""
    text = ptx.read_text()
    entry = re.compile(r"^\.visible \.entry (\w+)\(.*?^}$\n?", re.M | re.S)
    common, bodies = entry.sub("", text), {found[1]: found[0] for found in entry.finditer(text)}
    for kernel in all_kernels:
        alone = ptx.with_name(f"{kernel.name}.ptx")
        alone.write_text(common + bodies[kernel.name])
        yield alone


def result_of(operands, text):
    """The type of what a refused op makes."""
    named = re.search(r"(?:to|into|->) \(?(\w+)\)?$", text) or re.search(r" : (\w+)(?:, i32)?$", text)
    return named[1] if named else operands[0]


def refused_module(chip, operands, made, value, result):
    arguments = [f"%A{n}: memref<{THREADS}x{kind}>" for n, kind in enumerate([*operands, result])]
    head = (f"gpu.func @k({', '.join(arguments)}) kernel attributes {{known_block_size = array<i32: {THREADS}, 1, 1>}} {{ "
            "%t = gpu.thread_id x %three = arith.constant 3 : i32 %warp = arith.constant 32 : i32")
    loaded = " ".join(f"%a{n} = memref.load %A{n}[%t] : memref<{THREADS}x{kind}>" for n, kind in enumerate(operands))
    return on_chip(chip, f"{head} {loaded}\n{made}\n"
                    f"memref.store {value}, %A{len(operands)}[%t] : memref<{THREADS}x{result}> gpu.return }}")


# The line of the op in a module.
OP_LINE = 3


def check_refused(tools, chip, cases, folder):
    refused = [(operands, re.sub(r"%(\d)", r"%a\1", f"%r = {text}"), "%r", result_of(operands, text), expected)
               for _, _, operands, text, expected in REFUSED]
    for case in cases:
        if case.form == "map" and "\n" not in case.body:
            refused.append((case.operands, *statement(0, case), case.result, WITHOUT_FP8))
    source = folder / "refused.mlir"
    source.write_text("// -----\n".join(refused_module(chip, *case) for *case, _ in refused))
    errors = run(tools / "tile-translate", "--tile-to-ptx", "--split-input-file", source, "-o", folder / "none.ptx").stderr
    starts = [0] + [n for n, line in enumerate(source.read_text().splitlines(), 1) if line == "// -----"]
    found = [[] for _ in refused]
    pattern = r"^(?:within split at )?\S*refused.mlir:(\d+)(?: offset :(\d+))?:\d+: error: (.*)$"
    for begin, offset, text in re.findall(pattern, errors, flags=re.M):
        line = int(begin) + int(offset) - 1 if offset else int(begin)
        chunk = max(n for n, start in enumerate(starts) if start < line)
        found[chunk].append((line - starts[chunk], text))
    wrong = []
    for (_, made, _, _, expected), texts in zip(refused, found):
        if not texts:
            wrong.append(f"{chip}: {made}: is not refused, expected '{expected}'")
        wrong += [f"{chip}: {made}: line {line}: {text}, expected '{expected}' at line {OP_LINE}"
                  for line, text in texts if expected not in text or line != OP_LINE]
    return wrong


def check(tools, chips):
    cases, wrong = all_cases(), []
    for chip in chips:
        needs = [case for case in cases if case.needs_fp8() and case.op not in MOVES and not has_fp8(chip)]
        taken = [case for case in cases if not any(case is other for other in needs)]
        with tempfile.TemporaryDirectory() as folder:
            wrong += check_taken(tools, chip, taken, Path(folder))
            wrong += check_refused(tools, chip, needs, Path(folder))
        print(f"{chip}: {len(taken)} executed, {len(needs) + len(REFUSED)} refused")
    for line in wrong:
        print(line)
    return not wrong


def types_of(rows):
    """The types of an op: those of conversions by their sources."""
    if not any(" to " in row for row in rows):
        return quoted(dict.fromkeys(rows))
    targets, sources = {}, {}
    for source, target in (row.split(" to ") for row in rows):
        targets.setdefault(source, {})[target] = None
    for source, ends in targets.items():
        sources.setdefault(quoted(ends), []).append(source)
    return "; ".join(f"{quoted(begins)} to {ends}" for ends, begins in sources.items())


def quoted(names):
    return ", ".join(f"`{name}`" for name in names)


def tables():
    rows = {}
    for case in all_cases():
        rows.setdefault(case.op, []).append(case.types)
    text = []
    for dialect in dict.fromkeys(op.split(".")[0] for op in rows):
        text += [f"### {dialect}", "", "| op | types |", "| --- | --- |"]
        merged = {}
        for op in sorted(op for op in rows if op.startswith(f"{dialect}.")):
            merged.setdefault(types_of(rows[op]), []).append(op)
        text += [f"| {', '.join(f'`{op}`' for op in ops)} | {types} |" for types, ops in merged.items()] + [""]
    text += ["### Refused", "", "| op | of | the error |", "| --- | --- | --- |"]
    text += [f"| `{op}` | `{types}` | {expected} … |" for op, types, _, _, expected in REFUSED]
    return "\n".join([BEGIN, "", *text, "", END])


def page(path, write):
    text = path.read_text()
    made = text[: text.index(BEGIN)] + tables() + text[text.index(END) + len(END) :]
    if write:
        path.write_text(made)
    if made != text and not write:
        print(f"{path}: its tables are not those of the rows: run kernel-ops.py page {path} --write")
    return write or made == text


def main():
    command, *rest = sys.argv[1:]
    done = check(Path(rest[0]), rest[1:]) if command == "check" else page(Path(rest[0]), "--write" in rest)
    sys.exit(not done)


if __name__ == "__main__":
    main()
