"""Make a home for cargo that shares the downloads and settings of the usual one, but has its own unpacked sources.

    python3 cargo_home.py FOLDER

`cargo package` unpacks the package under `registry/src` of cargo's home, in a folder named by name, version and path of its
target folder. While the version stays the same, a later run finds what an earlier one unpacked there, and so builds the
package from older sources. A home that starts empty has no older sources.
"""

import os
import shutil
import sys
from pathlib import Path

usual = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
home = Path(sys.argv[1])
shutil.rmtree(home, ignore_errors=True)
(home / "registry").mkdir(parents=True)
shared = [path for path in usual.glob("*") if path.name != "registry"]
shared += [path for path in usual.glob("registry/*") if path.name != "src"]
for path in shared:
    (home / path.relative_to(usual)).symlink_to(path)
