//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Clauses of ops: read in any order, written in one.
//
//   tile.fill %zero to %s masked scope(warp) : …     read
//   tile.fill %zero to %s scope(warp) masked : …     written

#ifndef TILE_CLAUSES_H
#define TILE_CLAUSES_H

#include "tile/Dialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

#include <functional>
#include <optional>

namespace tile {

using Operand = mlir::OpAsmParser::UnresolvedOperand;
using Operands = llvm::SmallVectorImpl<Operand>;

/// A number in place of a value. Without a type it is of f64 or i64, and 'inf',
/// '-inf' and 'nan' are floats.
mlir::ParseResult parseConstant(mlir::OpAsmParser &parser,
                                mlir::TypedAttr &constant);
void printConstant(mlir::OpAsmPrinter &printer, mlir::TypedAttr constant);

/// Reads the clauses that are declared, in any order, each at most once.
class ClauseReader {
public:
  explicit ClauseReader(mlir::OpAsmParser &parser) : parser(parser) {}

  /// keyword
  ClauseReader &flag(llvm::StringRef keyword, mlir::UnitAttr &attr);
  /// keyword '(' word ')'; the verifiers check the word.
  ClauseReader &word(llvm::StringRef keyword, mlir::StringAttr &attr);
  /// keyword '(' scope ')'
  ClauseReader &scope(llvm::StringRef keyword, ScopeAttr &attr);
  /// keyword integer
  ClauseReader &number(llvm::StringRef keyword, mlir::IntegerAttr &attr);
  /// keyword '(' integer ')'
  ClauseReader &index(llvm::StringRef keyword, mlir::IntegerAttr &attr);
  /// keyword '(' attribute ')'
  ClauseReader &attribute(llvm::StringRef keyword, mlir::TypedAttr &attr);
  /// keyword '[' integers ']'
  ClauseReader &integers(llvm::StringRef keyword,
                         mlir::DenseI64ArrayAttr &attr);
  /// keyword '[' integers ']' 'to' '[' integers ']'
  ClauseReader &range(llvm::StringRef keyword, mlir::DenseI64ArrayAttr &lower,
                      mlir::DenseI64ArrayAttr &upper);
  /// keyword '(' operand ')'
  ClauseReader &operand(llvm::StringRef keyword, Operand &operand);
  ClauseReader &operand(llvm::StringRef keyword,
                        std::optional<Operand> &operand);
  /// keyword '(' operand ':' type ')'
  ClauseReader &operand(llvm::StringRef keyword, Operand &operand,
                        mlir::Type &type);
  ClauseReader &operand(llvm::StringRef keyword,
                        std::optional<Operand> &operand, mlir::Type &type);
  /// keyword '(' operand ':' type ')', or keyword '(' constant ')'
  ClauseReader &operand(llvm::StringRef keyword,
                        std::optional<Operand> &operand, mlir::Type &type,
                        mlir::TypedAttr &constant);
  /// keyword '(' operands ')'
  ClauseReader &operands(llvm::StringRef keyword, Operands &operands);
  /// keyword '(' operands ':' types ')'
  ClauseReader &operands(llvm::StringRef keyword, Operands &operands,
                         llvm::SmallVectorImpl<mlir::Type> &types);
  /// The clause that was declared last may not be missing.
  ClauseReader &required();

  /// Reads the clauses. A word that is none of them, a clause that comes twice
  /// and a missing one are errors that list the clauses.
  mlir::ParseResult read();

private:
  using Parse = std::function<mlir::ParseResult()>;
  struct Clause {
    llvm::StringRef keyword;
    Parse parse;
    bool isRequired = false, isRead = false;
  };

  ClauseReader &declare(llvm::StringRef keyword, Parse parse);
  ClauseReader &inParens(llvm::StringRef keyword, Parse parse);
  std::string keywords() const;

  mlir::OpAsmParser &parser;
  llvm::SmallVector<Clause> clauses;
};

/// Writes the clauses that are declared, in that order; its functions are those
/// of the reader.
class ClauseWriter {
public:
  explicit ClauseWriter(mlir::OpAsmPrinter &printer) : printer(printer) {}

  ClauseWriter &flag(llvm::StringRef keyword, mlir::UnitAttr attr);
  ClauseWriter &word(llvm::StringRef keyword, mlir::StringAttr attr);
  ClauseWriter &scope(llvm::StringRef keyword, ScopeAttr attr);
  ClauseWriter &number(llvm::StringRef keyword, mlir::IntegerAttr attr);
  ClauseWriter &index(llvm::StringRef keyword, mlir::IntegerAttr attr);
  ClauseWriter &attribute(llvm::StringRef keyword, mlir::TypedAttr attr);
  ClauseWriter &integers(llvm::StringRef keyword, mlir::DenseI64ArrayAttr attr);
  ClauseWriter &range(llvm::StringRef keyword, mlir::DenseI64ArrayAttr lower,
                      mlir::DenseI64ArrayAttr upper);
  ClauseWriter &operand(llvm::StringRef keyword, mlir::Value operand,
                        mlir::Type type = {});
  ClauseWriter &operand(llvm::StringRef keyword, mlir::Value operand,
                        mlir::Type type, mlir::TypedAttr constant);
  ClauseWriter &operands(llvm::StringRef keyword, mlir::OperandRange operands,
                         mlir::TypeRange types = {});
  ClauseWriter &required() { return *this; }

private:
  mlir::OpAsmPrinter &printer;
};

} // namespace tile

#endif // TILE_CLAUSES_H
