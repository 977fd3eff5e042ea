//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Ops under the names that they had a release ago: text and bytecode with an
// old name give the current op. In the generic text form, where no code of the
// dialect chooses the op, an old name is an error that gives the current one.

#include "Interfaces.h"
#include "tile/Dialect.h"

using namespace mlir;

namespace tile::old {

// Old differs from Now only in its name. It is registered because a reader of
// bytecode accepts no properties for an unregistered op, and it is never part
// of valid IR.
template <typename Old, typename Now>
struct Renamed : Op<Old, OpTrait::OpInvariants, BytecodeOpInterface::Trait> {
  using Op<Old, OpTrait::OpInvariants, BytecodeOpInterface::Trait>::Op;

  struct Properties {
    bool operator==(const Properties &) const { return true; }
  };

  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  static ParseResult parse(OpAsmParser &parser, OperationState &state) {
    state.name = OperationName(Now::getOperationName(), parser.getContext());
    return Now::parse(parser, state);
  }

  static LogicalResult readProperties(DialectBytecodeReader &reader,
                                      OperationState &state) {
    state.name = OperationName(Now::getOperationName(), state.getContext());
    return Now::readProperties(reader, state);
  }

  // The generic form, with properties and without them.
  static LogicalResult
  setPropertiesFromAttr(Properties &, Attribute,
                        function_ref<InFlightDiagnostic()> emitError) {
    return emitError() << renamed();
  }
  LogicalResult verifyInvariantsImpl() { return this->emitOpError(renamed()); }

  // Such an op is never written, and has no attributes of its own.
  void writeProperties(DialectBytecodeWriter &) {}
  static Attribute getPropertiesAsAttr(MLIRContext *, const Properties &) {
    return {};
  }
  static llvm::hash_code computePropertiesHash(const Properties &) {
    return {};
  }
  static std::optional<Attribute>
  getInherentAttr(MLIRContext *, const Properties &, StringRef) {
    return std::nullopt;
  }
  static void setInherentAttr(Properties &, StringRef, Attribute) {}
  static void populateInherentAttrs(MLIRContext *, const Properties &,
                                    NamedAttrList &) {}
  static LogicalResult verifyInherentAttrs(OperationName, NamedAttrList &,
                                           function_ref<InFlightDiagnostic()>) {
    return success();
  }

private:
  static std::string renamed() {
    return ("is an old name, expected " + Now::getOperationName()).str();
  }
};

#define TILE_OLD_OP(OLD, NEW, OLD_CLASS, CLASS)                                \
  struct OLD_CLASS : Renamed<OLD_CLASS, CLASS> {                               \
    using Renamed::Renamed;                                                    \
    static constexpr llvm::StringLiteral getOperationName() { return OLD; }    \
  };
TILE_OLD_OPS(TILE_OLD_OP)
#undef TILE_OLD_OP

} // namespace tile::old

void tile::addOldNames(TileDialect &dialect) {
#define TILE_OLD_OP(OLD, NEW, OLD_CLASS, CLASS)                                \
  RegisteredOperationName::insert<old::OLD_CLASS>(dialect);
  TILE_OLD_OPS(TILE_OLD_OP)
#undef TILE_OLD_OP
}
