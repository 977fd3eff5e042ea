#!/usr/bin/env python3
"""Assembles PTX and counts the memory instructions of its machine code, for FileCheck.

    tile-translate --tile-to-ptx input.mlir | sass-count.py --tools <folder of ptxas and nvdisasm> -

prints for each kernel, by name:

    kernel round_trip
    target: sm_90a
    registers: 24
    stack bytes: 0
    spill bytes: 0
    LDG: 8            all loads from global memory, of any width
    LDG.E.128: 8      those of 128 bits
    ...

A nonzero row for LD, ST (generic addresses), LDL or STL (local memory) means that the lowering is wrong.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# What a row counts: instructions whose whole mnemonic matches.
ROWS = {
    "LDG": r"LDG(\.\w+)*",
    "LDG.E.128": r"LDG\.E(\.\w+)*\.128(\.\w+)*",
    "LDG.E.256": r"LDG\.E(\.\w+)*\.256(\.\w+)*",
    "STG": r"STG(\.\w+)*",
    "STG.E.128": r"STG\.E(\.\w+)*\.128(\.\w+)*",
    "STG.E.256": r"STG\.E(\.\w+)*\.256(\.\w+)*",
    "LDS": r"LDS(\.\w+)*",
    "LDS.128": r"LDS(\.\w+)*\.128(\.\w+)*",
    "STS": r"STS(\.\w+)*",
    "STS.128": r"STS(\.\w+)*\.128(\.\w+)*",
    "LDSM": r"LDSM(\.\w+)*",
    "STSM": r"STSM(\.\w+)*",
    "LDGSTS": r"LDGSTS(\.\w+)*",
    "UBLKCP": r"UBLKCP(\.\w+)*",
    "UBLKRED": r"UBLKRED(\.\w+)*",
    "UTCCP": r"UTCCP(\.\w+)*",
    "LDTM": r"LDTM(\.\w+)*",
    "STTM": r"STTM(\.\w+)*",
    "SHFL": r"SHFL(\.\w+)*",
    "LD": r"LD(\.\w+)*",
    "ST": r"ST(\.\w+)*",
    "LDL": r"LDL(\.\w+)*",
    "STL": r"STL(\.\w+)*",
}


def fail(message):
    sys.exit(f"sass-count: error: {message}")


def run(command):
    """Runs a tool and returns standard output and standard error."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def assemble(tools, ptx, cubin):
    """Assembles for the target that the PTX names; returns the target and what ptxas reports of each kernel."""
    target = re.search(r"^\s*\.target\s+(\w+)", ptx, re.MULTILINE)
    if not target:
        fail("the input has no .target directive")
    source = cubin.with_suffix(".ptx")
    source.write_text(ptx)
    _, verbose = run([tools / "ptxas", "-v", f"-arch={target[1]}", source, "-o", cubin])
    return target[1], verbose


def resources(verbose):
    """Kernel name -> registers, stack and spill bytes, from `ptxas -v`."""
    found = {}
    for block in verbose.split("Compiling entry function '")[1:]:
        registers = re.search(r"Used (\d+) registers", block)
        stack = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", block)
        if not registers or not stack:
            fail(f"ptxas says nothing of registers or stack:\n{block}")
        frame, stores, loads = map(int, stack.groups())
        found[block.split("'")[0]] = {
            "registers": int(registers[1]),
            "stack bytes": frame,
            "spill bytes": stores + loads,
        }
    return found


def mnemonics(sass):
    """Kernel name -> the mnemonics of its instructions, in order."""
    found = {}
    current = None
    for line in sass.splitlines():
        section = re.match(r"//-+ (\S+)", line)
        if section:
            kernel = section[1].startswith(".text.")
            current = found.setdefault(section[1][len(".text.") :], []) if kernel else None
        instruction = re.match(r"\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", line)
        if instruction and current is not None:
            current.append(instruction[1])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True, type=Path, help="folder of ptxas and nvdisasm")
    parser.add_argument("ptx", help="a PTX file, or - for standard input")
    arguments = parser.parse_args()
    ptx = sys.stdin.read() if arguments.ptx == "-" else Path(arguments.ptx).read_text()

    with tempfile.TemporaryDirectory() as folder:
        cubin = Path(folder) / "kernels.cubin"
        target, verbose = assemble(arguments.tools, ptx, cubin)
        sass, _ = run([arguments.tools / "nvdisasm", "-c", "-ndf", cubin])
    used, code = resources(verbose), mnemonics(sass)
    if not used or used.keys() != code.keys():
        fail(f"kernels differ: ptxas names {sorted(used)}, nvdisasm {sorted(code)}")
    for kernel in sorted(used):
        rows = {"target": target, **used[kernel]}
        rows |= {row: sum(bool(re.fullmatch(form, it)) for it in code[kernel]) for row, form in ROWS.items()}
        print(f"kernel {kernel}", *(f"{name}: {value}" for name, value in rows.items()), sep="\n")


if __name__ == "__main__":
    main()
