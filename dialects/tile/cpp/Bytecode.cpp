//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The dialect's version in bytecode, and how its ops' attributes are read from
// and written to bytecode: by name, so that a later version can add some and
// rename others. Attributes and types are stored as their text.

#include "Interfaces.h"
#include "tile/Dialect.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace tile;

namespace {

/// The version that is written. A higher one is needed when an older reader
/// would misread what is written.
constexpr uint64_t bytecodeVersion = 1;

struct BytecodeVersion : DialectVersion {
  explicit BytecodeVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

/// The version of the dialect that wrote what is read; files from before there
/// was one state none.
uint64_t versionOf(const DialectBytecodeReader &reader) {
  auto version = reader.getDialectVersion<TileDialect>();
  return succeeded(version)
             ? static_cast<const BytecodeVersion *>(*version)->number
             : 0;
}

/// The attributes of an op in a file without a version: their values in this
/// order, without their names. Those with '?' may be absent.
struct UnversionedOp {
  StringLiteral name;
  StringLiteral attributes;
  size_t operandGroups = 0;
};

constexpr UnversionedOp unversionedOps[] = {
    {"tile.alloc", "alignment?"},
    {"tile.assume", "alignment? distinct? divisor? uniform?"},
    {"tile.block_order", "group? order"},
    {"tile.block_scan", "dim kind mode operandSegmentSizes scope", 3},
    {"tile.chained",
     "counters? deterministic? halo? hold? init items? kernel max_spin? "
     "operandSegmentSizes order? poll_cap? reverse? scattered? shape? "
     "skip_post? stages? strategy? threads?",
     7},
    {"tile.copy_async",
     "bulk_group? convert? cta_group? direct? dstSizes dstStatic fill? group? "
     "l2_evict? lower? masked? multicast? operandSegmentSizes prefetch_size? "
     "reduce? scope shape? srcSizes srcStatic steps? upper? variant?",
     13},
    {"tile.copy",
     "cache? convert? dstSizes dstStatic l1_evict? l2_evict? masked? "
     "operandSegmentSizes prefetch_size? reduce? scope srcSizes srcStatic "
     "variant?",
     5},
    {"tile.fill", "dstSizes dstStatic masked? scope variant?"},
    {"tile.map", "operandSegmentSizes scope", 2},
    {"tile.mma", "convert? convert_b? group? scope variant?"},
    {"tile.permute", "order"},
    {"tile.reduce", "dim kind operandSegmentSizes scope", 2},
    {"tile.scan", "counters? deterministic? hold? identity? items? kernel kind "
                  "max_spin? mode order? poll_cap? reverse? shape? skip_post? "
                  "stages? strategy? threads?"},
    {"tile.sort",
     "counters? descending? hold? items? kernel max_spin? operandSegmentSizes "
     "poll_cap? reverse? skip_post? strategy? unsigned_keys?",
     4},
    {"tile.subview", "sizes staticOffsets"},
    {"tile.total", "kind per_warp? scope"},
    {"tile.update_map", "scope"},
    {"tile.version", "alignments divisors operandSegmentSizes", 2},
};

constexpr StringLiteral operandSegments = "operandSegmentSizes";
/// MLIR's version of bytecode from which on the sizes of operand groups follow
/// all attributes.
constexpr uint64_t groupsLast = 6;

LogicalResult readUnversioned(DialectBytecodeReader &reader, StringRef op,
                              NamedAttrList &attributes) {
  const UnversionedOp *known = llvm::find_if(
      unversionedOps, [&](const UnversionedOp &row) { return row.name == op; });
  if (known == std::end(unversionedOps))
    return reader.emitError()
           << "got '" << op
           << "' in bytecode without a version of the dialect 'tile', expected "
              "version "
           << bytecodeVersion
           << ": ops between the passes are read by the version that wrote "
              "them";
  SmallVector<StringRef> names;
  known->attributes.split(names, ' ');
  for (StringRef name : names) {
    Attribute value;
    bool groups = name == operandSegments;
    if (groups && reader.getBytecodeVersion() >= groupsLast)
      continue;
    if (failed(name.consume_back("?") ? reader.readOptionalAttribute(value)
                                      : reader.readAttribute(value)))
      return failure();
    if (value)
      attributes.append(name, value);
  }
  if (known->operandGroups && reader.getBytecodeVersion() >= groupsLast) {
    SmallVector<int32_t> sizes(known->operandGroups);
    if (failed(reader.readSparseArray(MutableArrayRef(sizes))))
      return failure();
    attributes.append(operandSegments,
                      DenseI32ArrayAttr::get(reader.getContext(), sizes));
  }
  return success();
}

LogicalResult readVersioned(DialectBytecodeReader &reader,
                            NamedAttrList &attributes) {
  Attribute value;
  if (failed(reader.readOptionalAttribute(value)))
    return failure();
  if (!value)
    return success();
  auto dictionary = dyn_cast<DictionaryAttr>(value);
  if (!dictionary)
    return reader.emitError() << "got " << value
                              << " as the attributes of an op of the dialect "
                                 "'tile', expected a dictionary";
  attributes = dictionary;
  return success();
}

/// What an attribute was called in an older version is changed here, before the
/// op reads them. A name that the op does not have is refused: without its
/// attribute an op may mean something else.
template <typename OpTy>
LogicalResult readAttributes(DialectBytecodeReader &reader,
                             OperationState &state) {
  NamedAttrList attributes;
  if (failed(versionOf(reader) == 0
                 ? readUnversioned(reader, OpTy::getOperationName(), attributes)
                 : readVersioned(reader, attributes)))
    return failure();
  for (NamedAttribute attribute : attributes) {
    if (llvm::is_contained(OpTy::getAttributeNames(), attribute.getName()))
      continue;
    InFlightDiagnostic error = reader.emitError();
    error << "got attribute " << attribute.getName() << " of '"
          << OpTy::getOperationName() << "', expected ";
    llvm::interleaveComma(OpTy::getAttributeNames(), error);
    return error;
  }
  return OpTy::setPropertiesFromAttr(
      state.getOrAddProperties<typename OpTy::Properties>(),
      attributes.getDictionary(reader.getContext()),
      [&] { return reader.emitError(); });
}

struct Bytecode : BytecodeDialectInterface {
  explicit Bytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const final {
    writer.writeVarInt(bytecodeVersion);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const final {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number <= bytecodeVersion)
      return std::make_unique<BytecodeVersion>(number);
    reader.emitError() << "got bytecode of version " << number
                       << " of the dialect 'tile', expected at most version "
                       << bytecodeVersion << ": a newer compiler wrote it";
    return nullptr;
  }
};

} // namespace

std::unique_ptr<DialectInterface> tile::bytecodeInterface(Dialect *dialect) {
  return std::make_unique<Bytecode>(dialect);
}

#define TILE_ATTRIBUTES_BY_NAME(OP)                                            \
  LogicalResult OP::readProperties(DialectBytecodeReader &reader,              \
                                   OperationState &state) {                    \
    return readAttributes<OP>(reader, state);                                  \
  }                                                                            \
  void OP::writeProperties(DialectBytecodeWriter &writer) {                    \
    writer.writeOptionalAttribute(                                             \
        getPropertiesAsAttr(getContext(), getProperties()));                   \
  }

TILE_ATTRIBUTES_BY_NAME(AllocOp)
TILE_ATTRIBUTES_BY_NAME(AssumeOp)
TILE_ATTRIBUTES_BY_NAME(BlockOrderOp)
TILE_ATTRIBUTES_BY_NAME(BlockScanOp)
TILE_ATTRIBUTES_BY_NAME(ChainedOp)
TILE_ATTRIBUTES_BY_NAME(CopyAsyncOp)
TILE_ATTRIBUTES_BY_NAME(CopyOp)
TILE_ATTRIBUTES_BY_NAME(FillOp)
TILE_ATTRIBUTES_BY_NAME(MapOp)
TILE_ATTRIBUTES_BY_NAME(MmaOp)
TILE_ATTRIBUTES_BY_NAME(PermuteOp)
TILE_ATTRIBUTES_BY_NAME(PlannedCopyOp)
TILE_ATTRIBUTES_BY_NAME(ReduceOp)
TILE_ATTRIBUTES_BY_NAME(ScanOp)
TILE_ATTRIBUTES_BY_NAME(SortOp)
TILE_ATTRIBUTES_BY_NAME(SubviewOp)
TILE_ATTRIBUTES_BY_NAME(TotalOp)
TILE_ATTRIBUTES_BY_NAME(UpdateMapOp)
TILE_ATTRIBUTES_BY_NAME(VersionOp)
TILE_ATTRIBUTES_BY_NAME(WarpgroupMmaOp)
#undef TILE_ATTRIBUTES_BY_NAME
