#!/usr/bin/env python3
"""Runs commands on files and compares: all commands must print the same bytes for a file, or all must refuse it.

    same-output.py --run 'tile-opt {}' --run 'other-opt {}' [--expect N] FILE…

`{}` is the file; in a command without it, the file is standard input. At least N files (1 by default) must be accepted, so
that commands which refuse everything do not count as equal.
"""

import argparse
import difflib
import shlex
import subprocess
import sys
from pathlib import Path

# Seconds for one command.
TIME_LIMIT = 120


def output(command, file):
    """The output of a command for a file; None if it refuses the file."""
    words = [word.replace("{}", str(file)) for word in shlex.split(command)]
    with open(file, "rb") as text:
        stdin = subprocess.DEVNULL if "{}" in command else text
        done = subprocess.run(words, stdin=stdin, capture_output=True, timeout=TIME_LIMIT, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{file}: `{command}` ended with {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout.decode() if done.returncode == 0 else None


def difference(first, second):
    """The first lines in which two outputs differ."""
    if first is None or second is None:
        return "one of them refuses it"
    lines = difflib.unified_diff(first.splitlines(), second.splitlines(), lineterm="", n=1)
    return "\n".join(list(lines)[:12])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", action="append", required=True, help="a command")
    parser.add_argument("--expect", type=int, default=1, help="how many files must be accepted")
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    accepted = different = 0
    for file in options.files:
        first, *others = [output(command, file) for command in options.run]
        accepted += first is not None
        for command, other in zip(options.run[1:], others):
            if other != first:
                different += 1
                print(f"{file}: `{options.run[0]}` and `{command}` differ\n{difference(first, other)}")
    print(f"{len(options.files)} files, {accepted} accepted, {different} different")
    return 1 if different or accepted < options.expect else 0


if __name__ == "__main__":
    sys.exit(main())
