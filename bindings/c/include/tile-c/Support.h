/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* Error handling of all functions. None of them unwinds or ends the program: an
 * error, such as an invalid argument, is passed to an error handler, with what
 * was got and what was expected, and the function returns null, false or 0. */

#ifndef TILE_C_SUPPORT_H
#define TILE_C_SUPPORT_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Receives an error, in one call; the text is valid during the call. A null
 * function ignores errors. */
typedef struct MlirTileErrorHandler {
  MlirStringCallback say;
  void *userData;
} MlirTileErrorHandler;

#ifdef __cplusplus
}
#endif

#endif /* TILE_C_SUPPORT_H */
