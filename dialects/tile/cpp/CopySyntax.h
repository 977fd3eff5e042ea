//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The syntax of copies and fills: regions, whose sizes may follow from the
// other side, and fillers.

#ifndef TILE_COPY_SYNTAX_H
#define TILE_COPY_SYNTAX_H

#include "OpClauses.h"

namespace tile {

/// ('[' offsets ']' '[' sizes ']')?  With `follow`, the sizes may be missing.
mlir::ParseResult parseSides(mlir::OpAsmParser &parser, Operands &offsets,
                             mlir::DenseI64ArrayAttr &staticOffsets,
                             mlir::DenseI64ArrayAttr &sizes, bool follow);

/// Gives each side that has offsets and no sizes those of the other one.
mlir::ParseResult followSizes(mlir::OpAsmParser &parser, llvm::SMLoc loc,
                              mlir::Type srcType,
                              mlir::DenseI64ArrayAttr srcStatic,
                              mlir::DenseI64ArrayAttr &srcSizes,
                              mlir::Type dstType,
                              mlir::DenseI64ArrayAttr dstStatic,
                              mlir::DenseI64ArrayAttr &dstSizes);

mlir::ParseResult parseRegion(mlir::OpAsmParser &parser, Operands &offsets,
                              mlir::DenseI64ArrayAttr &staticOffsets,
                              mlir::DenseI64ArrayAttr &sizes);
void printRegion(mlir::OpAsmPrinter &printer, mlir::Operation *,
                 mlir::OperandRange offsets,
                 mlir::DenseI64ArrayAttr staticOffsets,
                 mlir::DenseI64ArrayAttr sizes);

/// operand | constant
mlir::ParseResult parseFiller(mlir::OpAsmParser &parser,
                              std::optional<Operand> &filler,
                              mlir::TypedAttr &constant);
void printFiller(mlir::OpAsmPrinter &printer, mlir::Operation *,
                 mlir::Value filler, mlir::TypedAttr constant);

/// (type 'to')? type; the first is that of a filler that is a value.
mlir::ParseResult parseFillTypes(mlir::OpAsmParser &parser, mlir::Type &filler,
                                 mlir::Type &dst, std::optional<Operand> value);
void printFillTypes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                    mlir::Type filler, mlir::Type dst, mlir::Value value);

/// src region? 'to' dst region? clauses options? ':' type 'to' type
template <typename Op, typename Clauses, typename... Fields>
mlir::ParseResult parseCopyWith(
    Clauses clauses, mlir::OpAsmParser &parser, Operand &src,
    mlir::Type &srcType, Operands &srcOffsets,
    mlir::DenseI64ArrayAttr &srcStatic, mlir::DenseI64ArrayAttr &srcSizes,
    Operand &dst, mlir::Type &dstType, Operands &dstOffsets,
    mlir::DenseI64ArrayAttr &dstStatic, mlir::DenseI64ArrayAttr &dstSizes,
    mlir::NamedAttrList &options, Fields &...fields) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  ClauseReader reader(parser);
  clauses(reader, fields...);
  if (parser.parseOperand(src) ||
      parseSides(parser, srcOffsets, srcStatic, srcSizes, /*follow=*/true) ||
      parser.parseKeyword("to") || parser.parseOperand(dst) ||
      parseSides(parser, dstOffsets, dstStatic, dstSizes, /*follow=*/true) ||
      reader.read())
    return mlir::failure();
  llvm::SMLoc optionsLoc = parser.getCurrentLocation();
  mlir::OperationName name(Op::getOperationName(), parser.getContext());
  auto error = [&] {
    return parser.emitError(optionsLoc) << "'" << name << "' op ";
  };
  if (parser.parseOptionalAttrDict(options) ||
      mlir::failed(Op::verifyInherentAttrs(name, options, error)) ||
      parser.parseColonType(srcType) || parser.parseKeyword("to") ||
      parser.parseType(dstType))
    return mlir::failure();
  return followSizes(parser, loc, srcType, srcStatic, srcSizes, dstType,
                     dstStatic, dstSizes);
}

template <typename Clauses, typename... Fields>
void printCopyWith(Clauses clauses, mlir::OpAsmPrinter &printer,
                   mlir::Operation *op, mlir::Value src, mlir::Type srcType,
                   mlir::OperandRange srcOffsets,
                   mlir::DenseI64ArrayAttr srcStatic,
                   mlir::DenseI64ArrayAttr srcSizes, mlir::Value dst,
                   mlir::Type dstType, mlir::OperandRange dstOffsets,
                   mlir::DenseI64ArrayAttr dstStatic,
                   mlir::DenseI64ArrayAttr dstSizes,
                   mlir::DictionaryAttr options, Fields &&...fields) {
  printer << src;
  printRegion(printer, op, srcOffsets, srcStatic, srcSizes);
  printer << " to " << dst;
  printRegion(printer, op, dstOffsets, dstStatic, dstSizes);
  ClauseWriter writer(printer);
  clauses(writer, fields...);
  printer.printOptionalAttrDict(options.getValue(),
                                {"operandSegmentSizes", "srcStatic", "srcSizes",
                                 "dstStatic", "dstSizes", "scope", "group",
                                 "bulk_group", "lower", "upper", "steps",
                                 "convert", "reduce", "masked", "constant"});
  printer << " : " << srcType << " to " << dstType;
}

template <typename... Fields>
mlir::ParseResult parseCopy(mlir::OpAsmParser &parser, Fields &...fields) {
  return parseCopyWith<CopyOp>(copyClauses, parser, fields...);
}

template <typename... Fields>
void printCopy(mlir::OpAsmPrinter &printer, Fields &&...fields) {
  printCopyWith(copyClauses, printer, fields...);
}

template <typename... Fields>
mlir::ParseResult parseCopyAsync(mlir::OpAsmParser &parser, Fields &...fields) {
  return parseCopyWith<CopyAsyncOp>(copyAsyncClauses, parser, fields...);
}

template <typename... Fields>
void printCopyAsync(mlir::OpAsmPrinter &printer, Fields &&...fields) {
  printCopyWith(copyAsyncClauses, printer, fields...);
}

} // namespace tile

#endif // TILE_COPY_SYNTAX_H
