"""Make a home for cargo that shares the downloads and settings of the usual one, and unpacks for itself.

    python3 cargo_home.py FOLDER

`cargo package` unpacks what it packs under `registry/src` of cargo's home, by name, version and the place of its target
folder. While the version stays, a later run takes what an earlier one unpacked there, and so builds a package on older
sources. With a home that starts empty there is nothing older.
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
