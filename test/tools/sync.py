#!/usr/bin/env python3
"""Random kernels with missing barriers, checked by --tile-check-sync and executed under all schedules.

    sync.py <tile-opt> <tile-run> <first seed> <seeds> [<folder for failing kernels>]

A kernel that the check accepts must run without a race, and so must every kernel that --tile-insert-sync has ordered; in every
third of these, tiles share storage by --tile-plan-memory. Kernels that are refused but run are counted by the reason of the
refusal. Exits with 1 after a race in a kernel that was accepted or ordered.
"""

import re
import subprocess
import sys
from pathlib import Path

from drawn import Given, Report
from sync_kernels import Kernel, faults


def look(tools, seed, folder):
    """The outcome of one kernel: accepted or refused, and how it ran."""
    opt, run = tools
    kernel = Kernel(seed, strides=True)
    text = kernel.text()
    path = Path(folder) / f"sync-{seed}.mlir"
    path.write_text(text)
    checked = subprocess.run([opt, "--tile-check-sync", path, "-o", "/dev/null"], capture_output=True, text=True)
    errors = [line for line in checked.stderr.splitlines() if " error: " in line]
    accepted = checked.returncode == 0
    if not accepted and not errors or "panicked" in checked.stderr or "made the compiler fail" in checked.stderr:
        return seed, "broken", checked.stderr[:2000]
    fault = faults(run, path, kernel)
    ordered = path.with_suffix(".ordered.mlir")
    if subprocess.run([opt, "--tile-insert-sync", path, "-o", ordered], capture_output=True).returncode == 0:
        again = faults(run, ordered, kernel)
        if again:
            return seed, "ordered, faulty", again[:800]
        if seed % 3 == 0:
            # Tiles that share storage, with the synchronization that this needs.
            planned = [opt, "--tile-plan-memory", "--tile-insert-sync", path, "-o", ordered]
            done = subprocess.run(planned, capture_output=True, text=True)
            again = faults(run, ordered, kernel) if done.returncode == 0 else done.stderr
            if again:
                return seed, "planned, faulty", again[:800]
        ordered.unlink()
    elif accepted:
        return seed, "accepted, not ordered", ""
    if fault and not re.search(r"race|flight|never|wait|leak|barrier|Deadlock|diverg", fault):
        return seed, "unusable", fault[:600]
    outcome = ("accepted" if accepted else "refused") + (", faulty" if fault else ", runs")
    if outcome in ("accepted, runs", "refused, faulty"):
        path.unlink()
    return seed, outcome, fault[:800] if fault else "\n".join(errors[:2])


def reason(errors):
    """The kind of an error, without its numbers."""
    first = errors.splitlines()[0].split(" error: ")[-1] if errors else ""
    return re.sub(r"for example.*", "", re.sub(r"\d+", "N", first))[:110]


def main():
    given, report = Given(), Report()
    for seed, outcome, text in given.each(look):
        report.add(outcome, reason(text) if outcome == "refused, runs" else "")
        if outcome in ("accepted, faulty", "accepted, not ordered", "ordered, faulty", "planned, faulty", "broken"):
            report.fail(f"seed {seed}: {outcome}\n{text}")
        if outcome == "unusable" and report.outcomes[outcome] <= 3:
            print(f"seed {seed}: {outcome}\n{text}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
