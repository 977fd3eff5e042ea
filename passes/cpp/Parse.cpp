//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Modules from texts that have a name: MLIR's C API parses named texts without
// the module that a text may leave out.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

// The module of a text, or null after diagnostics; the caller owns it.
extern "C" MlirModule tileParseModule(MlirContext context, MlirStringRef text,
                                      MlirStringRef name) {
  ParserConfig config(unwrap(context));
  return wrap(parseSourceString<ModuleOp>(unwrap(text), config, unwrap(name))
                  .release());
}
