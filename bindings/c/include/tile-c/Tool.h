/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* The command-line tools. */

#ifndef TILE_C_TOOL_H
#define TILE_C_TOOL_H

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the tool that the file name of the first argument names: tile-layout,
 * tile-lsp-server, tile-opt, tile-run or tile-translate. Returns its exit
 * status; 2, after a message, if the name is another. Like any program, a tool
 * writes to the standard streams, and may end the process, for example after
 * --help. */
MLIR_CAPI_EXPORTED int mlirTileToolMain(int argc, const char *const *argv);

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_TOOL_H */
