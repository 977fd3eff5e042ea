# Tries a wheel and a tarball where LLVM and the checkout are hidden. Run by `cargo xtask dist`, in a mount namespace and in a folder
# that has them, checksums, the tracked files of the checkout, and Python's packages for tests: bash check.sh LLVM CHECKOUT
set -euo pipefail
hidden="$1 $2"
here=$PWD
for folder in $hidden; do mount -t tmpfs none "$folder"; done
cd "$here"
for variable in $(compgen -e | grep -E '^(TILE_|MLIR_|LLVM_|CARGO|LD_LIBRARY_PATH|PYTHONPATH)'); do unset "$variable"; done
export PYTHONDONTWRITEBYTECODE=1

sha256sum --check --quiet SHA256SUMS
version=$(ls mlir_tile-*.whl | cut -d- -f2)

echo "== the tarball"
tar -xf mlir-tile-*.tar.xz
bundle=$here/mlir-tile-$version-linux-x86_64
test -s "$bundle/share/tile/THIRD-PARTY-NOTICES"
# A program in C finds what it includes, and links with the library alone.
cat > version.c <<'C'
#include "tile-c/Tool.h"
int main(void) {
  const char *arguments[] = {"tile-opt", "--version", 0};
  return mlirTileToolMain(2, arguments);
}
C
cc -I "$bundle/include" version.c -L "$bundle/lib" -lTile -Wl,-rpath,"$bundle/lib" -o version
./version > /dev/null
# Nothing but our own functions is exported.
nm --dynamic --defined-only "$bundle/lib/libTile.so" | awk '{print $3}' > exported
! grep -vE '^mlirTile|^mlirLocation(IsAFileLineColRange|FileLineColRangeGetStart)' exported

echo "== the wheel"
python3 -m venv venv
venv/bin/python -m pip install --quiet --no-index --no-deps --no-warn-script-location mlir_tile-*.whl
du -sh --apparent-size mlir_tile-*.whl mlir-tile-*.tar.xz venv/lib/python3*/site-packages/mlir_tile | sed 's/^/   /'
site=$(echo "$here"/venv/lib/python3*/site-packages)
export PYTHONPATH=$here/packages PATH=$here/venv/bin:/usr/bin:/bin
python -m pytest -q -c checkout/python/pyproject.toml "$site/mlir_tile" checkout/python/tests

echo "== README.md, by the wheel's commands"
python checkout/test/tools/check-docs.py --source checkout --bin "$here/venv/bin" --llvm /nowhere checkout/README.md
sed -n '/^```mlir file=gemm.mlir/,/^```$/p' checkout/README.md | grep -v '```' > gemm.mlir
python checkout/test/Embed/python/gemm.py

echo "== commands elsewhere"
python -m pip install --quiet --no-index --no-deps --target elsewhere mlir_tile-*.whl
elsewhere/bin/tile-opt --version > /dev/null
mkdir alone && cp elsewhere/bin/tile-opt alone
! alone/tile-opt --version 2> alone/errors
grep -q "error: there is no package mlir_tile that runs under .*: install it again" alone/errors
echo 'const char *gnu_get_libc_version(void) { return "2.27"; }' > old.c
cc -shared -fPIC old.c -o old.so
! LD_PRELOAD=$here/old.so elsewhere/bin/tile-opt --version 2> alone/errors
grep -q "error: the wheel needs glibc 2.28 or later, and this is glibc 2.27" alone/errors

echo "== a panic in the library is an exception"
TILE_TEST_PASSES=1 python checkout/test/Embed/python/panic.py gemm.mlir | tee panic.log
grep -q "CompileError: .*made the compiler fail: as a test wants it to" panic.log
grep -q "compiled 1 kernel" panic.log

echo "== beside another LLVM in the process"
if python -m pip install --quiet --target triton triton 2> /dev/null; then
  PYTHONPATH=$here/packages:$here/triton python - <<'P'
import triton._C.libtriton as triton
import mlir_tile, numpy
context = triton.ir.context()
triton.ir.load_dialects(context)
assert mlir_tile.scan(numpy.arange(6, dtype="int32")).tolist() == [0, 1, 3, 6, 10, 15]
P
else
  echo "   triton was not fetched"
fi

echo "== start-up in ms, the fastest of 10, at most 30: the tarball, the wheel"
python - "$bundle" <<'P'
import subprocess, sys, time
def start(*command):
    times = []
    for _ in range(10):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return min(times) * 1000
for tool in ["tile-layout", "tile-lsp-server", "tile-opt", "tile-run", "tile-translate"]:
    times = [start(f"{sys.argv[1]}/bin/{tool}", "--version"), start(tool, "--version")]
    print("  ", tool.ljust(16), *(f"{time:6.1f}" for time in times))
    assert max(times) <= 30, f"{tool} takes more than 30 ms to start"
P
