//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// tile.version: its verifier (which calls Rust), its control flow, and the
// syntax of its promises.

#include "Version.h"

#include "Bridge.h"
#include "tile/Dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

LogicalResult VersionOp::verify() {
  return success(tileVersionVerify(wrap(getOperation())));
}

void VersionOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.emplace_back(&getBody());
  else
    successors.emplace_back(getOperation(), getResults());
}

// (operand ('divisible_by' | 'aligned') number),+ ':' types
ParseResult tile::parsePromises(OpAsmParser &parser, Operands &values,
                                SmallVectorImpl<Type> &valueTypes,
                                DenseI64ArrayAttr &divisors,
                                Operands &addresses,
                                SmallVectorImpl<Type> &addressTypes,
                                DenseI64ArrayAttr &alignments) {
  SmallVector<int64_t> multiples, bytes;
  SmallVector<bool> isAlignment;
  auto promise = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand operand;
    if (parser.parseOperand(operand))
      return failure();
    bool aligned = succeeded(parser.parseOptionalKeyword("aligned"));
    isAlignment.push_back(aligned);
    (aligned ? addresses : values).push_back(operand);
    if (!aligned && parser.parseKeyword("divisible_by", " or 'aligned'"))
      return failure();
    return parser.parseInteger((aligned ? bytes : multiples).emplace_back());
  };
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(promise) ||
      parser.parseColonTypeList(types))
    return failure();
  if (types.size() != isAlignment.size())
    return parser.emitError(loc)
           << "got " << isAlignment.size() << " promises and " << types.size()
           << " types, expected a type for each promise";
  for (auto [aligned, type] : llvm::zip_equal(isAlignment, types))
    (aligned ? addressTypes : valueTypes).push_back(type);
  divisors = parser.getBuilder().getDenseI64ArrayAttr(multiples);
  alignments = parser.getBuilder().getDenseI64ArrayAttr(bytes);
  return success();
}

void tile::printPromises(OpAsmPrinter &printer, Operation *,
                         OperandRange values, TypeRange valueTypes,
                         DenseI64ArrayAttr divisors, OperandRange addresses,
                         TypeRange addressTypes, DenseI64ArrayAttr alignments) {
  bool first = true;
  auto list = [&](OperandRange operands, StringRef keyword,
                  ArrayRef<int64_t> numbers) {
    // A malformed op must print, too.
    for (auto [operand, number] : llvm::zip(operands, numbers)) {
      printer << (std::exchange(first, false) ? "" : ", ") << operand << ' '
              << keyword << ' ' << number;
    }
  };
  list(values, "divisible_by", divisors);
  list(addresses, "aligned", alignments);
  printer << " : ";
  SmallVector<Type> types(valueTypes);
  llvm::append_range(types, addressTypes);
  llvm::interleaveComma(types, printer);
}
