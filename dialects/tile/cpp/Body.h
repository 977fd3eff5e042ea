//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The text of an attribute between '<' and '>', whose grammar is in Rust.

#ifndef TILE_BODY_H
#define TILE_BODY_H

#include "mlir-c/Support.h"
#include "mlir/IR/OpImplementation.h"

namespace tile {

// The text of an attribute that is being read. Here tokens are read only to
// find its end. If there is a token that no attribute has, the text extends to
// the end of the line, and is not closed.
struct Reading {
  explicit Reading(mlir::AsmParser &parser)
      : parser(parser), loc(parser.getCurrentLocation()) {}

  // Reads the text; false, after an error, if there is none.
  bool open();

  // Whether the text has an end; reports it otherwise.
  bool isClosed();

  // A TileMistakeCallback that reports a mistake at its place in the text of a
  // Reading.
  static void refuse(intptr_t at, MlirStringRef message, void *reading);

  mlir::AsmParser &parser;
  llvm::SMLoc loc;
  llvm::StringRef text;

private:
  bool closed = false;
};

// An MlirStringCallback that writes to a raw_ostream.
void putText(MlirStringRef text, void *stream);

} // namespace tile

#endif // TILE_BODY_H
