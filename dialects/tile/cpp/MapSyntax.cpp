//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The syntax of tile.map:
//
//   tile.map %a, %b to %c scope(warp) : … to … {        one that is an op:
//   ^bb0(%x: f32, %y: f32):                             tile.map { arith.addf }
//     %z = arith.addf %x, %y : f32                        %a, %b to %c scope(…)
//     tile.yield %z : f32                                 : … to …
//   }

#include "MapSyntax.h"
#include "OpClauses.h"

using namespace mlir;
using namespace tile;

namespace {
// An op, and what it has beside operands and results.
struct NamedFunction {
  OperationName name;
  NamedAttrList attributes;
};
} // namespace

// The elements of tiles; fewer where a type is no tile.
static SmallVector<Type> elementsOf(TypeRange tiles) {
  SmallVector<Type> elements;
  for (Type type : tiles)
    if (auto buffer = dyn_cast<BufferType>(type))
      elements.push_back(buffer.getElementType());
  return elements;
}

// ('{' op attributes? '}')?
static ParseResult parseFunction(OpAsmParser &parser,
                                 std::optional<NamedFunction> &function) {
  if (failed(parser.parseOptionalLBrace()))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<OperationName> name = parser.parseCustomOperationName();
  if (failed(name))
    return failure();
  auto error = [&] { return parser.emitError(loc) << "'" << *name << "' op "; };
  if (!name->isRegistered())
    return parser.emitError(loc)
           << "got '" << *name << "', expected the name of an op";
  function.emplace(NamedFunction{*name, {}});
  return failure(
      parser.parseOptionalAttrDict(function->attributes) ||
      failed(name->verifyInherentAttrs(function->attributes, error)) ||
      parser.parseRBrace());
}

// Makes the region that a function stands for.
static void makeBody(OpAsmParser &parser, SMLoc place, NamedFunction &function,
                     TypeRange sources, TypeRange dests, Region &body) {
  Location loc = parser.getEncodedSourceLoc(place);
  SmallVector<Type> elements = elementsOf(sources);
  SmallVector<Location> locations(elements.size(), loc);
  OpBuilder builder(parser.getContext());
  Block *block = builder.createBlock(&body, {}, elements, locations);
  Operation *op =
      builder.create(loc, function.name.getIdentifier(), block->getArguments(),
                     elementsOf(dests), function.attributes.getAttrs());
  YieldOp::create(builder, loc, op->getResults());
}

// The only op of a function, if it can be written by its name.
static Operation *onlyOp(TypeRange sources, TypeRange dests, Region &body) {
  if (!body.hasOneBlock() || body.front().getOperations().size() != 2)
    return nullptr;
  Operation *op = &body.front().front();
  auto yield = dyn_cast<YieldOp>(body.front().back());
  bool isAlone = yield && op->getNumRegions() == 0 &&
                 op->getNumSuccessors() == 0 && op->isRegistered();
  bool takesAll = llvm::equal(op->getOperands(), body.getArguments()) &&
                  llvm::equal(body.getArgumentTypes(), elementsOf(sources));
  bool givesAll = yield &&
                  llvm::equal(op->getResults(), yield->getOperands()) &&
                  llvm::equal(op->getResultTypes(), elementsOf(dests));
  return isAlone && takesAll && givesAll ? op : nullptr;
}

// The attributes that an op has of which none are stated.
static DictionaryAttr usualAttributes(Operation *op) {
  Operation *plain =
      Operation::create(OperationState(op->getLoc(), op->getName()));
  DictionaryAttr usual = plain->getAttrDictionary();
  plain->destroy();
  return usual;
}

static void printFunction(OpAsmPrinter &printer, Operation *op) {
  DictionaryAttr usual = usualAttributes(op);
  SmallVector<StringRef> elided;
  for (NamedAttribute attribute : op->getAttrs())
    if (usual.get(attribute.getName()) == attribute.getValue())
      elided.push_back(attribute.getName());
  printer << "{ " << op->getName();
  printer.printOptionalAttrDict(op->getAttrs(), elided);
  printer << " } ";
}

ParseResult tile::parseMap(OpAsmParser &parser, Operands &sources,
                           SmallVectorImpl<Type> &sourceTypes, Operands &dests,
                           SmallVectorImpl<Type> &destTypes, ScopeAttr &scope,
                           NamedAttrList &options, Region &body) {
  SMLoc place = parser.getNameLoc();
  std::optional<NamedFunction> function;
  if (parseFunction(parser, function) || parser.parseOperandList(sources) ||
      parser.parseKeyword("to") || parser.parseOperandList(dests) ||
      parseScopeClause(parser, scope) ||
      parser.parseOptionalAttrDict(options) || parser.parseColon())
    return failure();
  if (failed(parser.parseOptionalKeyword("to")) &&
      (parser.parseTypeList(sourceTypes) || parser.parseKeyword("to")))
    return failure();
  if (parser.parseTypeList(destTypes))
    return failure();
  if (!function)
    return parser.parseRegion(body);
  makeBody(parser, place, *function, sourceTypes, destTypes, body);
  return success();
}

void tile::printMap(OpAsmPrinter &printer, Operation *op, OperandRange sources,
                    TypeRange sourceTypes, OperandRange dests,
                    TypeRange destTypes, ScopeAttr scope,
                    DictionaryAttr options, Region &body) {
  Operation *only = onlyOp(sourceTypes, destTypes, body);
  if (only)
    printFunction(printer, only);
  if (!sources.empty())
    printer << sources << ' ';
  printer << "to " << dests;
  printScopeClause(printer, op, scope);
  printer.printOptionalAttrDict(options.getValue(),
                                {"operandSegmentSizes", "scope"});
  printer << " :";
  if (!sourceTypes.empty())
    printer << ' ' << sourceTypes;
  printer << " to " << destTypes;
  if (only)
    return;
  printer << ' ';
  printer.printRegion(body);
}
