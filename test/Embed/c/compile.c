/* Prints the PTX of the MLIR on standard input.
 *
 * REQUIRES: cmake
 * RUN: cmake -S %S -B %t -DCMAKE_PREFIX_PATH=%tile_package > %t.log
 * RUN: cmake --build %t --target compile >> %t.log
 * The PTX of the seeds is the same as from tile-translate.
 * RUN: %python %tile_source/test/tools/same-output.py --expect 20 %tile_source/test/Seeds/*.mlir \
 * RUN:   --run %t/compile --run "%tile_bin/tile-translate --tile-to-ptx --chip=sm_90a -"
 * RUN: echo tile.allocate | not %t/compile 2>&1 | FileCheck %s
 * CHECK: -:1:1: error:
 */

#include "tile-c/Compile.h"

#include <stdio.h>

static void print(MlirStringRef text, void *stream) {
  fprintf(stream, "%.*s", (int)text.length, text.data);
}

int main(void) {
  static char text[1 << 20];
  size_t length = fread(text, 1, sizeof text, stdin);
  MlirTileCompileOptions options = mlirTileCompileOptionsGetDefault();
  options.chip = mlirStringRefCreateFromCString("sm_90a");
  MlirTileErrorHandler onError = {print, stderr};
  bool fine = mlirTileCompileText(
      mlirStringRefCreate(text, length), mlirStringRefCreateFromCString("-"),
      &options, print, stdout, onError);
  return fine ? 0 : 1;
}
