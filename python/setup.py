"""Finds the package of the compiler, or makes it, and writes down where it is.

`TILE_PREFIX` names what `cargo xtask install --prefix` has made. Without it the checkout around this folder is asked: its
`target/tile`, which `cargo xtask install` makes where it is not there yet.
"""

import os
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

LIBRARY = "lib/libTile.so"


def find() -> Path:
    """The folder of the package."""
    named = os.environ.get("TILE_PREFIX")
    if named:
        prefix = Path(named).resolve()
        if not (prefix / LIBRARY).exists():
            raise SystemExit(f"TILE_PREFIX is {named}, which has no {LIBRARY}: expected what cargo xtask install made")
        return prefix
    checkout = Path(__file__).resolve().parent.parent
    if not (checkout / "tools/xtask").exists():
        raise SystemExit(f"{checkout} is no checkout of the tile compiler: set TILE_PREFIX to what cargo xtask install made")
    prefix = checkout / os.environ.get("CARGO_TARGET_DIR", "target") / "tile"
    if not (prefix / LIBRARY).exists():
        subprocess.run(["cargo", "xtask", "install"], cwd=checkout, check=True)
    return prefix


class Build(build_py):
    """Adds one module: where the compiler is."""

    def run(self) -> None:
        """Builds, then writes the module."""
        super().run()
        place = Path(self.build_lib) / "tile/_prefix.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f'"""Where the compiler was when this was installed."""\n\nPREFIX = {str(find())!r}\n')


setup(cmdclass={"build_py": Build})
