"""Finds or builds the package of the compiler, and records its location; for a wheel, takes it in.

| variable | names |
| --- | --- |
| `TILE_BUNDLE` | a folder with `bin`, `lib` and `share` that need no LLVM, which becomes a part of the wheel; `cargo xtask dist` sets it |
| `TILE_COMMANDS` | a folder with the commands of a wheel, which find the tools of the bundle without Python |
| `TILE_PREFIX` | a package made by `cargo xtask install --prefix`, which is found there later |

Without them the package is `target/tile` of the checkout around this folder, which `cargo xtask install` builds if it does not exist.
"""

import os
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.install_scripts import install_scripts

LIBRARY = "lib/libTile.so"
# The oldest glibc with which the library of a bundle works is 2.28.
PLATFORM = "manylinux_2_28_x86_64"
BUNDLE = os.environ.get("TILE_BUNDLE")
TOOLS = ("tile-layout", "tile-lsp-server", "tile-opt", "tile-run", "tile-translate")


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
        """Builds, then writes the module, and copies the bundle."""
        super().run()
        lib = Path(self.build_lib)
        if BUNDLE:
            shutil.copytree(BUNDLE, lib / "mlir_tile/_native", symlinks=False, dirs_exist_ok=True)
            prefix = "str(Path(__file__).resolve().parent / 'mlir_tile/_native')"
        else:
            prefix = repr(str(find()))
        text = f'"""Where the compiler is."""\n\nfrom pathlib import Path\n\nPREFIX = {prefix}\n'
        (lib / "_mlir_tile_prefix.py").write_text(text)


class Scripts(install_scripts):
    """Adds the commands that are programs."""

    def run(self) -> None:
        """Installs scripts, then the commands."""
        super().run()
        if BUNDLE:
            self.mkpath(self.install_dir)
            for tool in TOOLS:
                self.copy_file(os.path.join(os.environ["TILE_COMMANDS"], tool), self.install_dir)


class Wheel(bdist_wheel):
    """A wheel for any Python 3, and for one platform if it has the compiler inside."""

    def get_tag(self) -> tuple[str, str, str]:
        """The tags of Python, of its ABI and of the platform."""
        return ("py3", "none", PLATFORM) if BUNDLE else super().get_tag()


class Package(Distribution):
    """A wheel with programs and a library belongs to a platform."""

    def has_ext_modules(self) -> bool:
        """Whether files depend on the platform."""
        return bool(BUNDLE)


setup(
    cmdclass={"bdist_wheel": Wheel, "build_py": Build, "install_scripts": Scripts},
    distclass=Package,
    entry_points={} if BUNDLE else {"console_scripts": [f"{tool} = _mlir_tile_tools:main" for tool in TOOLS]},
)
