"""A libTile that cannot be used is an error that says why."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

from mlir_tile import _library


def run(environment: dict[str, str]) -> str:
    """The output of a process that compiles."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("TILE_")}
    code = "import mlir_tile as tile\ntry: tile.compile('module {}')\nexcept tile.TileError as error: print(type(error).__name__, error)"
    path = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env={**kept, "PYTHONPATH": path, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_library_of_a_wheel_on_another_machine(monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    monkeypatch.setattr(platform, "libc_ver", lambda: ("glibc", "2.27"))
    inside = Path(_library.__file__).resolve().parent / "_native/lib/libTile.so"
    here = "the wheel is for Linux on x86_64 with glibc 2.28 or later, and this is Linux on aarch64 with glibc 2.27"
    assert _library._needs(inside) == here
    assert _library._needs(Path("/usr/lib/libTile.so")).startswith("it needs the LLVM 22 that it was built with")


def test_a_python_without_numpy():
    code = "import sys; sys.modules['numpy'] = None; import mlir_tile"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": os.pathsep.join(sys.path)}, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].startswith("mlir_tile.errors.LibraryError: mlir_tile needs numpy, which cannot be imported")


def test_a_library_that_cannot_be_used(tmp_path):
    assert "there is no /nowhere/lib/libTile.so" in run({"TILE_PREFIX": "/nowhere"})
    other = tmp_path / "libother.so"
    other.write_bytes(b"no library")
    assert "cannot load" in run({"TILE_LIBRARY": str(other)})
    libc = next(line.split()[-1] for line in open("/proc/self/maps") if "libc.so" in line)
    assert "it is no libTile, or one of another release" in run({"TILE_LIBRARY": libc})
