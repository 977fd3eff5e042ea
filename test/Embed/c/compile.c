/* Prints the PTX of the MLIR on standard input: compile [PASSES]
 *
 * REQUIRES: cmake
 * RUN: cmake -S %S -B %t -DCMAKE_PREFIX_PATH=%tile_package > %t.log
 * RUN: cmake --build %t --target compile >> %t.log
 * The PTX of the seeds is the same as from tile-translate.
 * RUN: %python %tile_source/test/tools/same-output.py --expect 20 %tile_source/test/Seeds/*.mlir \
 * RUN:   --run %t/compile --run "%tile_bin/tile-translate --tile-to-ptx --chip=sm_90a -"
 * RUN: echo tile.allocate | not %t/compile 2>&1 | FileCheck %s
 * CHECK: -:1:1: error:
 * A panic inside the library is an error, too.
 * RUN: echo 'gpu.module @k { gpu.func @f() kernel { gpu.return } }' > %t/kernel.mlir
 * RUN: env TILE_TEST_PASSES=1 not %t/compile tile-test-panic < %t/kernel.mlir 2>&1 | FileCheck %s --check-prefix=PANIC
 * PANIC: made the compiler fail: as a test wants it to
 * RUN: not %t/compile tile-test-panic < %t/kernel.mlir 2>&1 | FileCheck %s --check-prefix=NOPANIC
 * NOPANIC: 'tile-test-panic' does not refer to a registered pass
 */

#include "tile-c/Compile.h"

#include <stdio.h>

static void print(MlirStringRef text, void *stream) {
  fprintf(stream, "%.*s", (int)text.length, text.data);
}

int main(int count, char **words) {
  static char text[1 << 20];
  size_t length = fread(text, 1, sizeof text, stdin);
  MlirTileCompileOptions options = mlirTileCompileOptionsGetDefault();
  options.chip = mlirStringRefCreateFromCString("sm_90a");
  if (count > 1)
    options.passes = mlirStringRefCreateFromCString(words[1]);
  MlirTileErrorHandler onError = {print, stderr};
  bool fine = mlirTileCompileText(
      mlirStringRefCreate(text, length), mlirStringRefCreateFromCString("-"),
      &options, print, stdout, onError);
  return fine ? 0 : 1;
}
