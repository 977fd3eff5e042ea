"""The common part of the tools that draw kernels from seeds: their arguments and their output."""

import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


class Given:
    """The arguments: <tool>… <first seed> <seeds> [<folder>], and flags that start with --."""

    def __init__(self, tools=2):
        words = [word for word in sys.argv[1:] if not word.startswith("--")]
        self.flags = {word for word in sys.argv[1:] if word.startswith("--")}
        self.tools, (first, self.count) = words[:tools], map(int, words[tools:tools + 2])
        self.seeds = range(first, first + self.count)
        self.folder = Path(words[tools + 2] if len(words) > tools + 2 else tempfile.mkdtemp())
        self.folder.mkdir(parents=True, exist_ok=True)

    def each(self, look):
        """The result of each seed, in order."""
        with ThreadPoolExecutor(2) as pool:
            yield from pool.map(lambda seed: look(self.tools, seed, self.folder), self.seeds)


def compiled(run, path):
    """The file with a kernel's PTX, for all runs of tile-run, and the error if there is none.

    With MLIR, tile-run would compile in every run, and after a race run --tile-check-sync for a hint that these tests do not need.
    """
    ptx = path.with_suffix(".ptx")
    command = [Path(run).with_name("tile-translate"), "--tile-to-ptx", "--line-info", "--declarations", path, "-o", ptx]
    done = subprocess.run(command, capture_output=True, text=True)
    return ptx, "" if done.returncode == 0 else done.stderr or "failed"


class Report:
    """The number of each outcome, the reasons for which running kernels were refused, and whether anything is wrong."""

    def __init__(self):
        self.outcomes, self.reasons, self.wrong = Counter(), Counter(), False

    def add(self, outcome, reason=""):
        self.outcomes[outcome] += 1
        if reason:
            self.reasons[reason] += 1

    def fail(self, text):
        """Reports that something is wrong with the compiler."""
        self.wrong = True
        print(text)

    def end(self):
        """Prints everything, and returns the exit status of the program."""
        for outcome, times in sorted(self.outcomes.items()):
            print(f"{times:6} {outcome}")
        for text, times in self.reasons.most_common():
            print(f"{times:6} refused and runs: {text}")
        return 1 if self.wrong else 0


def removals(found, word, count):
    """Prints the removals that are not noticed, each with its seed; returns 1 if these are more than one in fifty."""
    found = list(found)
    noticed = sum(noticed for _, noticed, _ in found)
    strange = [f"seed {seed}: {text}" for seed, _, unseen in found for text in unseen if text.startswith("without")]
    known = Counter(text for _, _, unseen in found for text in unseen if not text.startswith("without"))
    print("\n".join([*strange, f"{noticed} {word} in {count} kernels, {len(strange)} are not"]))
    for text, times in known.most_common():
        print(f"{times:6} not seen: {text}")
    return 1 if len(strange) * 50 > noticed else 0
