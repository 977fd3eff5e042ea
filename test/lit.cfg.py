"""lit's configuration for this project; README.md in this folder says how to run and write tests.

`cargo xtask` passes all parameters. Each has a default, so that lit run by hand works after `cargo xtask build`:

    lit test/Dialect/Tile/round-trip.mlir

| parameter     | meaning                                          | default                                     |
| ------------- | ------------------------------------------------ | ------------------------------------------- |
| `tile_bin`    | folder of the built tools and the plugin         | `release` in cargo's target folder          |
| `llvm_prefix` | the LLVM 22 installation                         | `MLIR_SYS_220_PREFIX`, else Debian's        |
| `tile_package`| folder that `cargo xtask install` has filled     | `tile` in cargo's target folder             |
| `cuda_bin`    | folder of ptxas and nvdisasm                     | none: the feature `ptxas` is missing        |
| `numpy`       | folder of Python's numpy, pytest and setuptools  | Python's search path; features `numpy` and `pytest` if found there |
| `exec_root`   | folder that tests write to                       | `test` in cargo's target folder             |
| `asan_options`| for tools with the address sanitizer             | none                                        |
| `wrapper`     | command that runs the tools, e.g. a memory checker | none; with one there is no time limit     |
"""

import ctypes.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import lit.formats

# Seconds for one run of one of our tools. lit's own limit needs the psutil package; coreutils has `timeout`.
TIME_LIMIT = 600
# Folders in which Vulkan's loader looks for drivers.
VULKAN_DRIVERS = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"]

source = Path(__file__).resolve().parent
target = source.parent / os.environ.get("CARGO_TARGET_DIR", "target")
llvm_default = os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")

tile_bin = Path(lit_config.params.get("tile_bin", target / "release"))
llvm_prefix = Path(lit_config.params.get("llvm_prefix", llvm_default))
tile_package = Path(lit_config.params.get("tile_package", target / "tile"))
cuda_bin = lit_config.params.get("cuda_bin")

config.name = "tile"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir", ".test", ".c"]
config.excludes = ["Inputs", "tools"]
config.test_source_root = str(source)
config.test_exec_root = lit_config.params.get("exec_root", str(target / "test"))

# Tools are found by name: ours first, then LLVM's, then CUDA's.
folders = [tile_bin, llvm_prefix / "bin"] + ([cuda_bin] if cuda_bin else [])
config.environment["PATH"] = os.pathsep.join([*map(str, folders), config.environment["PATH"]])
# A FileCheck variable without a leading $ must not leak from one CHECK-LABEL section into the next.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"

# The address sanitizer reserves more address space than any limit would allow.
if "asan_options" in lit_config.params:
    config.environment["ASAN_OPTIONS"] = lit_config.params["asan_options"]
else:
    config.available_features.add("address-limit")
    if (llvm_prefix / "lib/libMLIRIR.a").exists():
        config.available_features.add("static-llvm")

limit = f"timeout {TIME_LIMIT} " if shutil.which("timeout") else ""
wrapper = lit_config.params.get("wrapper")
limit = f"{wrapper} " if wrapper else limit
for tool in ["tile-opt", "tile-translate", "tile-run", "tile-bench", "tile-conformance", "tile-programs", "tile-tune"]:
    path = tile_bin / tool
    if not path.exists():
        lit_config.fatal(f"{path} is not built; type `cargo xtask build`")
    config.substitutions.append((rf"(?<![\w./=-]){tool}(?![\w./=-])", f"{limit}{path}"))

library = ".dylib" if platform.system() == "Darwin" else ".so"
config.substitutions += [
    ("%tile_plugin", str(tile_bin / f"libtile_plugin{library}")),
    ("%tile_runtime", str(tile_bin / f"libtile_runtime{library}")),
    ("%tile_bin", str(tile_bin)),
    ("%tile_package", str(tile_package)),
    ("%tile_source", str(source.parent)),
    ("%llvm_prefix", str(llvm_prefix)),
    ("%cc", os.environ.get("CC", "cc")),
    ("%python", sys.executable),
]

if (llvm_prefix / "bin/mlir-opt").exists():
    config.available_features.add("mlir-opt")
    known = subprocess.run([llvm_prefix / "bin/mlir-opt", "--help"], capture_output=True, text=True, check=False).stdout
    if "--test-alias-analysis-modref" in known:
        config.available_features.add("mlir-test-passes")
if (llvm_prefix / "bin/mlir-runner").exists():
    config.available_features.add("mlir-runner")
if "numpy" in lit_config.params:
    config.environment["PYTHONPATH"] = lit_config.params["numpy"]
has_numpy = subprocess.run([sys.executable, "-c", "import numpy"], env={**os.environ, **config.environment},
                           capture_output=True, check=False).returncode == 0
if has_numpy:
    config.available_features.add("numpy")
config.substitutions.append(("%wheels", lit_config.params.get("numpy", "")))
package_test = "import setuptools, numpy, pip, pytest"
if (tile_package / "lib/libTile.so").exists() and not subprocess.run(
        [sys.executable, "-c", package_test], env={**os.environ, **config.environment}, capture_output=True, check=False).returncode:
    config.available_features.add("pytest")
check_docs = f"{sys.executable} {source}/tools/check-docs.py --source {source.parent} --bin {tile_bin} --llvm {llvm_prefix}/bin"
check_docs += " --numpy" if has_numpy else ""
config.substitutions.append(("%check_docs", check_docs + (f" --cuda {cuda_bin}" if cuda_bin else "")))

# Any driver will do; Debian's mesa-vulkan-drivers has one for every CPU.
if ctypes.util.find_library("vulkan") and any(Path(folder).glob("*.json") for folder in VULKAN_DRIVERS):
    config.available_features.add("vulkan")
for name in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES", "LP_NUM_THREADS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# A browser with WebGPU.
browser = shutil.which("chromium") or shutil.which("google-chrome")
if browser:
    config.available_features.add("browser")
    config.substitutions.append(("%browser", browser))
# The pages of layouts and of kernels, which `cargo xtask web` writes.
if "web" in lit_config.params:
    config.available_features.add("web-pages")
    config.substitutions.append(("%web_pages", lit_config.params["web"]))
if shutil.which("spirv-val"):
    config.available_features.add("spirv-val")

# External programs that use the package are built with CMake.
generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles" if shutil.which("make") else None
if shutil.which("cmake") and generator and (tile_package / "lib/cmake/tile/TileConfig.cmake").exists():
    config.available_features.add("cmake")
    config.environment["CMAKE_GENERATOR"] = generator
# Tests that build the sources use the same cargo and target folder as the tests themselves.
if shutil.which("cargo"):
    config.available_features.add("cargo")
    config.environment["CARGO_TARGET_DIR"] = str(target)
    # What a test builds is built once and not debugged, so neither incremental builds nor debug info are needed.
    config.environment.update({"CARGO_INCREMENTAL": "0", "CARGO_PROFILE_DEV_DEBUG": "0"})
    # The folder in which an outside crate builds ours, if it is not the usual one.
    elsewhere = target.resolve() != (source.parent / "target").resolve()
    config.substitutions.insert(0, ("%tile_outside", f"TILE_TARGET_DIR={target}" if elsewhere else ""))
    for name in ("HOME", "CARGO_HOME", "RUSTUP_HOME"):
        if name in os.environ:
            config.environment[name] = os.environ[name]

if cuda_bin:
    config.available_features.add("ptxas")
    config.substitutions.append(("%sass_count", f"{sys.executable} {source}/tools/sass-count.py --tools {cuda_bin}"))
