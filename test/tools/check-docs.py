#!/usr/bin/env python3
"""Checks the snippets of Markdown pages: runs the commands that they show and compares the output.

| fence                      | meaning                                                                   |
| -------------------------- | ------------------------------------------------------------------------- |
| ```mlir file=copy.mlir     | written to that file for later commands; tile-opt must accept it, or      |
|                            | refuse it where the fence also says `refused`                             |
| ```mlir from=PATH          | consecutive lines of a file of the checkout (any language)                |
| ```ptx run="COMMAND"       | part of what the command prints (any language)                            |
| ```console                 | lines `$ COMMAND`, each followed by all of its output, on both streams    |
| ```rust                    | on a page that a crate includes: cargo runs it as a documentation test    |
| ```sh                      | commands for the reader; only checks that the tasks of `cargo xtask` exist |
| ```text                    | a picture; not checked: those of layouts are commands of tile-layout      |

Every other fence is an error: no snippet goes unchecked by accident. `…` in expected output stands for anything, and
line breaks and indentation do not matter. A fence with `needs=ptxas`, `needs=numpy` or `needs=mlir-runner` is skipped if
that is missing. Commands run in a temporary folder, in which `test`, `docs` and `target/release` are those of the checkout.
Links to files and headings of the checkout must have a target.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # Tests must not write to the checkout.

# Seconds for one command.
TIME_LIMIT = 120
FENCE = re.compile(r"^(?P<indent>\s*)```(?P<info>\S.*)?$")
LINK = re.compile(r"\]\(([^)\s]+)\)")


class Mistake(Exception):
    """A snippet that is wrong, or that nothing checks."""


class Fence:
    """A fenced block: its language, attributes and lines."""

    def __init__(self, line, info, indent):
        self.line = line
        self.indent = len(indent)
        self.lines = []
        try:
            language, *words = shlex.split(info)
        except ValueError as error:
            raise Mistake(f"{error} in the fence `{info}`") from error
        self.language = language
        self.attributes = dict(word.split("=", 1) if "=" in word else (word, "") for word in words)

    @property
    def text(self):
        return "".join(line[self.indent :] + "\n" if line.strip() else "\n" for line in self.lines)


def fences(page):
    """The fenced blocks of a page, and its other lines with their numbers."""
    blocks, prose, current = [], [], None
    for number, line in enumerate(page.splitlines(), 1):
        found = FENCE.match(line)
        if current is None and found and found["info"]:
            current = Fence(number, found["info"], found["indent"])
        elif current is None and found:
            raise Mistake(f"{number}: a fence without a language; say `text` for a picture")
        elif current and line.strip() == "```":
            blocks.append(current)
            current = None
        elif current:
            current.lines.append(line)
        else:
            prose.append((number, line))
    if current:
        raise Mistake(f"{current.line}: a fence without an end")
    return blocks, prose


def squeeze(text):
    return " ".join(text.split())


def same(expected, actual, whole):
    """Whether the parts between the `…` of `expected` are in `actual`, in order; and nothing else, if `whole`."""
    if whole and not expected.strip():
        return not actual.strip()
    # With blanks at both ends, a part starts and ends at word boundaries, unless it touches its `…`.
    actual, parts = f" {squeeze(actual)} ", f" {squeeze(expected)} ".split("…")
    position = 0
    for index, part in enumerate(parts):
        if part.strip():
            found = actual.find(part, position)
            if found < 0 or (whole and index == 0 and found != 0):
                return False
            position = found + len(part.rstrip())
    return not whole or not parts[-1].strip() or actual.endswith(parts[-1])


class Page:
    """A page that is checked."""

    def __init__(self, path, tools):
        self.path = path
        self.tools = tools
        self.folder = tempfile.TemporaryDirectory()
        work = Path(self.folder.name)
        (work / "test").symlink_to(tools.source / "test")
        (work / "docs").symlink_to(tools.source / "docs")
        (work / "target").mkdir()
        (work / "target/release").symlink_to(tools.bin)

    def check(self):
        """The mistakes, each with its line."""
        try:
            blocks, prose = fences(self.path.read_text())
        except Mistake as mistake:
            return [f"{self.path}:{mistake}"]
        found = [self.links(number, line) for number, line in prose]
        found += [self.block(block) for block in blocks]
        return [mistake for mistakes in found for mistake in mistakes]

    def block(self, block):
        try:
            self.dispatch(block)
            return []
        except Mistake as mistake:
            return [f"{self.path}:{block.line}: {mistake}"]

    def dispatch(self, block):
        attributes = block.attributes
        unknown = attributes.keys() - {"file", "from", "run", "needs", "refused"}
        if unknown:
            raise Mistake(f"unknown attribute {', '.join(sorted(unknown))}")
        if not self.tools.has(attributes.get("needs")):
            return
        if "file" in attributes:
            self.file(block)
        elif "from" in attributes:
            self.excerpt(block)
        elif "run" in attributes:
            printed = self.run(attributes["run"])
            if not same(block.text, printed, whole=False):
                raise Mistake(f"`{attributes['run']}` does not print this, but\n{printed}")
        elif block.language == "console":
            self.console(block)
        elif block.language == "sh":
            self.tasks(block)
        elif block.language == "rust":
            self.included()
        elif block.language != "text":
            raise Mistake(f"nothing checks this {block.language} snippet")

    def file(self, block):
        name = block.attributes["file"]
        (Path(self.folder.name) / name).write_text(block.text)
        if block.language == "mlir":
            refused = "refused" in block.attributes
            self.run(f"{'! ' if refused else ''}tile-opt {shlex.quote(name)} -o /dev/null")

    def excerpt(self, block):
        path = self.tools.source / block.attributes["from"]
        if not path.is_file():
            raise Mistake(f"there is no file {block.attributes['from']}")
        if not same(block.text, path.read_text(), whole=False):
            raise Mistake(f"{block.attributes['from']} does not have these lines")

    def console(self, block):
        commands = []
        for line in block.text.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            elif commands and commands[-1][0].endswith("\\"):
                commands[-1] = (commands[-1][0][:-1] + line, [])
            elif commands:
                commands[-1][1].append(line)
            else:
                raise Mistake("output without a command")
        if not commands:
            raise Mistake("a console without a command")
        for command, expected in commands:
            printed = self.run(command, console=True)
            if not same("\n".join(expected), printed, whole=True):
                raise Mistake(f"`{command}` does not print this, but\n{printed}")

    def run(self, command, console=False):
        """The output of a command: for a console, of both streams, and the command may fail if it prints `error:`."""
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=self.folder.name,
            env=self.tools.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if console else subprocess.PIPE,
            text=True,
            timeout=TIME_LIMIT,
        )
        if done.returncode != 0 and not (console and "error:" in done.stdout):
            raise Mistake(f"`{command}` ended with {done.returncode}\n{done.stdout}{done.stderr or ''}")
        return done.stdout

    def included(self):
        crates = self.tools.source.glob("*/**/src/lib.rs")
        if not any(re.search(rf'include_str!\("[./]*{re.escape(self.path.name)}"\)', lib.read_text()) for lib in crates):
            raise Mistake(f"no crate includes {self.path.name}, so that nothing runs this")

    def tasks(self, block):
        main = (self.tools.source / "tools/xtask/src/main.rs").read_text()
        tasks = main.split("enum Task {")[1].split("\n}")[0]
        known = [name.lower() for name in re.findall(r"^    ([A-Z]\w+)", tasks, re.MULTILINE)]
        for name in re.findall(r"cargo xtask (\w+)", block.text):
            if name not in known:
                raise Mistake(f"there is no `cargo xtask {name}`, only {', '.join(known)}")

    def links(self, number, line):
        mistakes = []
        for target in LINK.findall(line):
            if re.match(r"\w+:", target):
                continue
            name, _, anchor = target.partition("#")
            path = (self.path.parent / name).resolve() if name else self.path
            if not path.exists():
                mistakes.append(f"{self.path}:{number}: the link {target} leads nowhere")
            elif anchor and anchor not in anchors(path):
                mistakes.append(f"{self.path}:{number}: {name or 'this page'} has no heading #{anchor}")
        return mistakes


def anchors(path):
    """The anchors that GitHub gives to the headings of a page."""
    titles = re.findall(r"^#+\s+(.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


class Tools:
    """The locations of programs."""

    def __init__(self, arguments):
        self.source = arguments.source.resolve()
        self.bin = arguments.bin.resolve()
        self.llvm = arguments.llvm
        self.cuda = arguments.cuda
        self.numpy = arguments.numpy

    def has(self, need):
        runner = (self.llvm / "mlir-runner").exists()
        there = {None: True, "ptxas": self.cuda, "numpy": self.numpy, "mlir-runner": runner}
        if need not in there:
            raise Mistake(f"needs={need} is not known")
        return there[need]

    def environment(self):
        folders = [self.bin, self.llvm, *([self.cuda] if self.cuda else [])]
        return {**os.environ, "PATH": os.pathsep.join([*map(str, folders), os.environ["PATH"]])}


def found(path):
    """A page, or the pages of a folder, without those that `cargo xtask docs` generates, which are checked elsewhere."""
    if not path.is_dir():
        return [path]
    return [page for page in sorted(path.rglob("*.md")) if "generated" not in page.parts]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", required=True, type=Path, help="the checkout")
    parser.add_argument("--bin", required=True, type=Path, help="folder of the built tools")
    parser.add_argument("--llvm", required=True, type=Path, help="folder of LLVM's tools")
    parser.add_argument("--cuda", type=Path, help="folder of ptxas")
    parser.add_argument("--numpy", action="store_true", help="Python has numpy")
    parser.add_argument("pages", nargs="+", type=Path, help="pages, or folders of pages")
    arguments = parser.parse_args()
    tools = Tools(arguments)
    pages = [page for path in arguments.pages for page in found(path)]
    if not pages:
        sys.exit("check-docs: error: no pages")
    mistakes = [mistake for page in pages for mistake in Page(page, tools).check()]
    for mistake in mistakes:
        print(f"{mistake}\n", file=sys.stderr)
    if mistakes:
        sys.exit(f"check-docs: error: {len(mistakes)} mistakes in {len(pages)} pages")
    print(f"{len(pages)} pages are true")


if __name__ == "__main__":
    main()
