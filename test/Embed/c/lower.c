/* Runs a pipeline on the MLIR on standard input, through MLIR's own C interface.
 *
 * REQUIRES: cmake
 * RUN: cmake -S %S -B %t -DCMAKE_PREFIX_PATH=%tile_package > %t.log
 * RUN: cmake --build %t --target lower >> %t.log
 * The result for the seeds is the same as from tile-opt, and as from its C++ twin and a stock mlir-opt (../cpp.test).
 * RUN: %python %tile_source/test/tools/same-output.py --expect 20 %tile_source/test/Seeds/*.mlir \
 * RUN:   --run '%tile_bin/tile-opt {} --pass-pipeline=builtin.module(lower-tile-copy,lower-tile-scan)' \
 * RUN:   --run '%t/lower builtin.module(lower-tile-copy,lower-tile-scan)'
 * RUN: echo 'module {}' | not %t/lower 'builtin.module(lower-tile-copies)' 2>&1 | FileCheck %s
 * CHECK: 'lower-tile-copies' does not refer to a registered pass
 */

#include "mlir-c/IR.h"
#include "tile-c/Compile.h"
#include "tile-c/Dialect.h"

#include <stdio.h>

static void print(MlirStringRef text, void *stream) {
  fprintf(stream, "%.*s", (int)text.length, text.data);
}

int main(int count, char **words) {
  static char text[1 << 20];
  size_t length = fread(text, 1, sizeof text - 1, stdin);
  MlirTileErrorHandler onError = {print, stderr};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  if (count != 2 || !mlirTileRegisterAllDialects(registry, onError))
    return 1;
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreate(text, length));
  bool fine = !mlirModuleIsNull(module) &&
              mlirTileRunPipeline(
                  module, mlirStringRefCreateFromCString(words[1]), onError);
  if (fine) {
    mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
    printf("\n");
  }
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return fine ? 0 : 1;
}
