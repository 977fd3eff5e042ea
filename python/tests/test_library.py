"""A libTile that cannot be used is an error that says why."""

from __future__ import annotations

import os
import subprocess
import sys


def run(environment: dict[str, str]) -> str:
    """The output of a process that compiles."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("TILE_")}
    code = "import mlir_tile as tile\ntry: tile.compile('module {}')\nexcept tile.TileError as error: print(type(error).__name__, error)"
    path = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env={**kept, "PYTHONPATH": path, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_library_that_cannot_be_used(tmp_path):
    assert "there is no /nowhere/lib/libTile.so" in run({"TILE_PREFIX": "/nowhere"})
    other = tmp_path / "libother.so"
    other.write_bytes(b"no library")
    assert "cannot load" in run({"TILE_LIBRARY": str(other)})
    libc = next(line.split()[-1] for line in open("/proc/self/maps") if "libc.so" in line)
    assert "it is no libTile, or one of another release" in run({"TILE_LIBRARY": libc})
