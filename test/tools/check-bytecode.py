#!/usr/bin/env python3
"""Reads programs that earlier versions of the compiler wrote as bytecode.

    check-bytecode.py --ops docs/generated/TileDialect.md TEXT.mlir BYTECODE.mlirbc...

Checks that

* each file of bytecode means what the text does: tile-opt prints the same of both;
* one of them has the version that tile-opt writes;
* the text has every op and attribute of the dialect that programs are written in, as the page of its ops lists them.

Prints how files of a later version are refused, with ops of the dialect, with types alone and with attributes alone, and one with an
attribute that its op does not have.
"""

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

# Ops that only passes write.
BETWEEN_PASSES = {"tile.planned_copy", "tile.warpgroup_mma"}

TYPES = "func.func private @tile(!tile.buffer<4x8xf16, global>)"
ATTRIBUTES = "func.func private @tile() attributes {layout = #tile.layout<(4, 8) : (8, 1)>}"


def tile_opt(file: Path, *options: str) -> bytes:
    return subprocess.run(["tile-opt", file, *options], capture_output=True, check=True).stdout


def refusal(data: bytes) -> str:
    with tempfile.NamedTemporaryFile(suffix=".mlirbc") as file:
        file.write(data)
        file.flush()
        result = subprocess.run(["tile-opt", file.name], capture_output=True, text=True, check=False)
    assert result.returncode == 1, result
    return result.stderr.replace(file.name, "FILE")


def version_offset(data: bytes) -> int | None:
    """Where the version of a dialect is, if one is stated.

    Each number up to there is below 128; MLIR writes such a number n as the byte 2 n + 1.
    """
    at = data.index(b"\0", 5) + 3  # Behind the producer's name, and the number and the size of the section of dialects.
    for _ in range(data[at] >> 1):
        at += 1
        if data[at] >> 1 & 1:  # Behind the dialect's name are the number and the size of a section.
            return at + 3
    return None


def version(data: bytes) -> int | None:
    at = version_offset(data)
    return None if at is None else data[at] >> 1


def later(data: bytes) -> bytes:
    """The same file, of the next version."""
    at = version_offset(data)
    return data[:at] + bytes([data[at] + 2]) + data[at + 1:]


def bytecode(text: str) -> bytes:
    with tempfile.NamedTemporaryFile(suffix=".mlir", mode="w") as file:
        file.write(text)
        file.flush()
        return tile_opt(Path(file.name), "--emit-bytecode")


def renamed(data: bytes, old: bytes, new: bytes) -> bytes:
    assert data.count(old) == 1 and len(old) == len(new), (old, data.count(old))
    return data.replace(old, new)


def listed(page: str) -> dict[str, set[str]]:
    """The attributes of each op."""
    ops = {}
    for part in re.split(r"^### ", page, flags=re.MULTILINE)[1:]:
        if name := re.match(r"`(tile\.\w+)`", part):
            attributes = part.partition("#### Attributes:")[2].partition("####")[0]
            ops[name[1]] = set(re.findall(r"<tr><td><code>(\w+)</code>", attributes))
    return ops


def used(generic: str) -> dict[str, set[str]]:
    ops: dict[str, set[str]] = {}
    for name, attributes in re.findall(r'"(tile\.\w+)"\([^)]*\)(?: <\{(.*)\}>)?', generic):
        ops.setdefault(name, set()).update(re.findall(r"\b(\w+)\b", attributes))
    return ops


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ops", type=Path, required=True)
    parser.add_argument("text", type=Path)
    parser.add_argument("bytecode", type=Path, nargs="+")
    arguments = parser.parse_args()

    expected = tile_opt(arguments.text)
    for file in arguments.bytecode:
        assert tile_opt(file) == expected, f"{file} does not mean what {arguments.text} does"

    written = tile_opt(arguments.text, "--emit-bytecode")
    current = version(written)
    assert current in [version(file.read_bytes()) for file in arguments.bytecode], \
        f"no file has version {current}: tile-opt --emit-bytecode {arguments.text} writes one"

    found = used(tile_opt(arguments.text, "--mlir-print-op-generic").decode())
    for op, attributes in listed(arguments.ops.read_text()).items():
        if op not in BETWEEN_PASSES:
            missing = attributes - found.get(op, set())
            assert op in found and not missing, f"{arguments.text} lacks {op} {missing or ''}"

    print(refusal(later(written)))
    for text in TYPES, ATTRIBUTES:
        print(refusal(later(bytecode(text))))
    print(refusal(renamed(written, b"\0convert_b\0", b"\0conveyed_\0")))


if __name__ == "__main__":
    main()
