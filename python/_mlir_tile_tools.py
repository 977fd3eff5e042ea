"""The commands of the compiler: each becomes the program of that name.

This is no part of the package `mlir_tile`, which imports numpy, so that a command starts in milliseconds.
"""

import os
import sys

from _mlir_tile_prefix import PREFIX


def main() -> None:
    """Replaces the process by the tool with the command's name."""
    path = os.path.join(PREFIX, "bin", os.path.basename(sys.argv[0]))
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: cannot run {path}: {error.strerror}; install the package again")
