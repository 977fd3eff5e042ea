"""Finds or builds the package of the compiler, and records its location.

`TILE_PREFIX` names a package made by `cargo xtask install --prefix`. Without it the package is `target/tile` of the checkout
around this folder, which `cargo xtask install` builds if it does not exist.
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
    """Adds one module, with the location of the compiler."""

    def run(self) -> None:
        """Builds, then writes the module."""
        super().run()
        place = Path(self.build_lib) / "tile/_prefix.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f'"""Where the compiler was when this was installed."""\n\nPREFIX = {str(find())!r}\n')


setup(cmdclass={"build_py": Build})
