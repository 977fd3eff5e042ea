/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* What all functions share. None of them unwinds or ends the program: what is
 * wrong with the arguments goes to an error handler, with what was got and what
 * was expected, and the function returns null, false or 0. */

#ifndef TILE_C_SUPPORT_H
#define TILE_C_SUPPORT_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes what is wrong, in one call; the text lives during the call. Without a
 * function nothing is said. */
typedef struct MlirTileErrorHandler {
  MlirStringCallback say;
  void *userData;
} MlirTileErrorHandler;

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_SUPPORT_H */
