"""What the tools have in common that draw kernels from seeds: what they are given, and what they print."""

import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


class Given:
    """<tool>… <first seed> <seeds> [<folder>], and flags that begin with --."""

    def __init__(self, tools=2):
        words = [word for word in sys.argv[1:] if not word.startswith("--")]
        self.flags = {word for word in sys.argv[1:] if word.startswith("--")}
        self.tools, (first, self.count) = words[:tools], map(int, words[tools:tools + 2])
        self.seeds = range(first, first + self.count)
        self.folder = Path(words[tools + 2] if len(words) > tools + 2 else tempfile.mkdtemp())
        self.folder.mkdir(parents=True, exist_ok=True)

    def each(self, look):
        """What becomes of each seed, in their order."""
        with ThreadPoolExecutor(2) as pool:
            yield from pool.map(lambda seed: look(self.tools, seed, self.folder), self.seeds)


def compiled(run, path):
    """The file of a kernel's PTX, which tile-run takes for each run, and why there is none.

    tile-run compiles MLIR once a run, and after a race asks --tile-check-sync what would order it, which these tests do not look at.
    """
    ptx = path.with_suffix(".ptx")
    command = [Path(run).with_name("tile-translate"), "--tile-to-ptx", "--line-info", "--declarations", path, "-o", ptx]
    done = subprocess.run(command, capture_output=True, text=True)
    return ptx, "" if done.returncode == 0 else done.stderr or "failed"


class Report:
    """How often each outcome was, why kernels were refused that run, and what is wrong."""

    def __init__(self):
        self.outcomes, self.reasons, self.wrong = Counter(), Counter(), False

    def add(self, outcome, reason=""):
        self.outcomes[outcome] += 1
        if reason:
            self.reasons[reason] += 1

    def fail(self, text):
        """Something is wrong with the compiler."""
        self.wrong = True
        print(text)

    def end(self):
        """Prints all, and gives what the program exits with."""
        for outcome, times in sorted(self.outcomes.items()):
            print(f"{times:6} {outcome}")
        for text, times in self.reasons.most_common():
            print(f"{times:6} refused and runs: {text}")
        return 1 if self.wrong else 0


def removals(found, word, count):
    """Prints what is not noticed where something was removed, each by its seed; 1 where that is more than one in fifty."""
    found = list(found)
    noticed = sum(noticed for _, noticed, _ in found)
    strange = [f"seed {seed}: {text}" for seed, _, unseen in found for text in unseen if text.startswith("without")]
    known = Counter(text for _, _, unseen in found for text in unseen if not text.startswith("without"))
    print("\n".join([*strange, f"{noticed} {word} in {count} kernels, {len(strange)} are not"]))
    for text, times in known.most_common():
        print(f"{times:6} not seen: {text}")
    return 1 if len(strange) * 50 > noticed else 0
