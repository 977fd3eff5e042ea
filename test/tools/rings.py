#!/usr/bin/env python3
"""Random rings of mbarriers, checked by --tile-check-sync and executed under all schedules.

    rings.py <tile-opt> <tile-run> <first seed> <seeds> [<folder for failing kernels>]

A kernel that the check accepts must run without a fault, whatever the trip count of its loop. Kernels that are refused but run are
counted by the reason of the refusal and by the mistake that was made. Exits with 1 after a fault in an accepted kernel, or if a
ring without a mistake is refused.
"""

import re
import subprocess
import sys
from pathlib import Path

from drawn import Given, Report, compiled
from ring_kernels import Ring


def look(tools, seed, folder):
    """The outcome of one ring: accepted or refused, and how it ran."""
    opt, run = tools
    ring = Ring(seed)
    path = Path(folder) / f"ring-{seed}.mlir"
    path.write_text(ring.text())
    checked = subprocess.run([opt, "--tile-check-sync", path, "-o", "/dev/null"], capture_output=True, text=True)
    errors = [line for line in checked.stderr.splitlines() if " error: " in line]
    accepted = checked.returncode == 0
    if not accepted and not errors or "panicked" in checked.stderr or "made the compiler fail" in checked.stderr:
        return seed, ring.wrong, "broken", checked.stderr[:2000]
    ptx, fault = compiled(run, path)
    for trips in [] if fault else [ring.trips] if ring.known else sorted({0, ring.trips, 8}):
        arguments = ["f32[8x16x32]=random", "f32[8x16x32]=zeros", f"i64={trips}"]
        given = [word for argument in arguments for word in ("--arg", argument)]
        ran = subprocess.run([run, ptx, "--schedule", "all", *given], capture_output=True, text=True)
        fault = fault or (ran.stderr or "failed" if ran.returncode != 0 else "")
    ptx.unlink(missing_ok=True)
    outcome = ("accepted" if accepted else "refused") + (", faulty" if fault else ", runs")
    if outcome in ("accepted, runs", "refused, faulty"):
        path.unlink()
    return seed, ring.wrong, outcome, fault[:800] if accepted else "\n".join(errors[:2])


def main():
    given, report = Given(), Report()
    for seed, wrong, outcome, text in given.each(look):
        reason = re.sub(r"for example.*", "", text.splitlines()[0].split(" error: ")[-1]) if text else ""
        unneeded = outcome == "refused, runs" and wrong
        report.add(outcome, f"{wrong}: {re.sub('[0-9]+', 'N', reason)[:100]}" if unneeded else "")
        if outcome in ("accepted, faulty", "broken") or not wrong and outcome != "accepted, runs":
            report.fail(f"seed {seed}, {wrong or 'right'}: {outcome}\n{text}")
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
