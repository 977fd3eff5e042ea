/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* Each of the tools: the library beside it has them all, and LLVM once. */

int mlirTileToolMain(int argc, const char *const *argv);

int main(int argc, char **argv) {
  return mlirTileToolMain(argc, (const char *const *)argv);
}
