#!/usr/bin/env python3
"""Compares the catalogue docs/remarks.md with the causes in the compiler's source, and with the tests.

    check-remarks.py <checkout>

Every cause must be in the catalogue and vice versa. Every cause must be covered by a test in test/, unless the catalogue calls
it unreachable from MLIR; no unreachable cause may be covered.
"""

import re
import sys
from pathlib import Path

NAME = r"[a-z0-9]+(?:-[a-z0-9]+)*"
# The forms in which the source names a cause: refusals, declines, narrowings, and the names that width.rs gives to
# proofs.
SOURCE = re.compile(rf'(?:Refusal::new\(|Refusal::of\(\s*[\w:.()]+,|cause: |Engine::since\(\s*|narrowing\(|cause =|=>)\s*"({NAME})"')


def causes(source):
    """Cause -> a file that names it."""
    found = {}
    for path in sorted([*source.glob("passes/plan/src/**/*.rs"), *source.glob("passes/src/**/*.rs")]):
        text = path.read_text().split("#[cfg(test)]")[0]
        for name in SOURCE.findall(text):
            if "-" in name:
                found.setdefault(name, path.relative_to(source))
        for one, other in re.findall(rf'\{{ "({NAME})" \}} else \{{ "({NAME})" \}}', text):
            for name in (it for it in (one, other) if "-" in it):
                found.setdefault(name, path.relative_to(source))
    return found


def catalogue(page):
    """The names in the tables of narrowings and declines and in the last section, and those that MLIR cannot reach."""
    text = page.read_text()
    rows = re.findall(rf"^\| `({NAME})` \|(.*)$", text.split("## Narrowings")[1], re.MULTILINE)
    last = re.findall(rf"`({NAME}-{NAME})`", text.split("These are found by the verifier")[1])
    unreachable = {name for name, rest in rows if "Rust API only" in rest} | set(last)
    return {name for name, _ in rows} | set(last), unreachable


def main():
    source = Path(sys.argv[1])
    known, (listed, unreachable) = causes(source), catalogue(source / "docs/remarks.md")
    mistakes = [f"{known[name]}: `{name}` is not in docs/remarks.md" for name in sorted(known.keys() - listed)]
    mistakes += [f"docs/remarks.md: nothing gives `{name}`" for name in sorted(listed - known.keys())]
    tests = "\n".join(path.read_text() for path in source.glob("test/**/*.mlir"))
    for name in sorted(listed - unreachable):
        if not re.search(rf"(?:\[(?:Missed|Passed)\] |Narrowed=|declined: .*|\(){name}\b", tests) and not seen_as_note(name, tests):
            mistakes.append(f"docs/remarks.md: no test sees `{name}`")
    for name in sorted(unreachable):
        if re.search(rf"\[(?:Missed|Passed)\] {name} \|", tests):
            mistakes.append(f"docs/remarks.md: MLIR is said not to reach `{name}`, but a test sees it")
    if not known:
        mistakes.append("no causes found: has the source moved?")
    if mistakes:
        sys.exit("\n".join(mistakes))
    print(f"{len(known)} causes, all listed; {len(listed - unreachable)} seen by tests")


def seen_as_note(name, tests):
    """Whether the tests cover the cause by its text: one cause is covered only that way."""
    return name == "variant-not-allowed" and "the pass option 'variants' does not allow it" in tests


if __name__ == "__main__":
    main()
