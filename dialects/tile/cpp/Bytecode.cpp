//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The dialect in bytecode: its version, and the ops that have more attributes
// than they had in an older one.

#include "Interfaces.h"
#include "tile/Dialect.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;

namespace {

struct Version : DialectVersion {
  explicit Version(uint64_t number) : number(number) {}
  uint64_t number;
};

// What is written now. Files from before there were versions have none, and
// read as version 1 does; a change of an op's attributes is a new version, and
// readers of the old ones stay here.
//
//   2   copy_async: bulk_group, l2_evict, reduce; bulk_copy: l2_evict, reduce
//   3   aligned_copy: ranks; vector_copy: last_threads, ranks
//   4   copy, copy_async, aligned_copy, scalar_copy, vector_copy: convert;
//       vector_copy: accesses
//   5   copy, copy_async, scalar_copy: masked, filler; aligned_copy,
//       vector_copy: limits, filler, limited, coordinates
//   6   copy: reduce; aligned_copy, scalar_copy, vector_copy: reduce, filled
constexpr uint64_t currentVersion = 6;

struct Bytecode : BytecodeDialectInterface {
  explicit Bytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}
  void writeVersion(DialectBytecodeWriter &writer) const final {
    writer.writeVarInt(currentVersion);
  }
  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const final {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number <= currentVersion)
      return std::make_unique<Version>(number);
    reader.emitError() << "got version " << number
                       << " of the tile dialect, expected at most "
                       << currentVersion << ": a newer release wrote the file";
    return nullptr;
  }
};

// MLIR's own version of bytecode that has sizes of operand groups behind the
// attributes; before, they are one of them.
constexpr int64_t segmentsApart = 6;

// Reads the attributes that it is shown.
struct Reading {
  DialectBytecodeReader &reader;
  bool fine = true;

  bool within() const {
    return static_cast<int64_t>(reader.getBytecodeVersion()) < segmentsApart;
  }
  template <typename Attr> void required(Attr &attr) {
    fine = fine && succeeded(reader.readAttribute(attr));
  }
  template <typename Attr> void optional(Attr &attr) {
    fine = fine && succeeded(reader.readOptionalAttribute(attr));
  }
  void segmentsWithin(MutableArrayRef<int32_t> sizes) {
    if (!fine || !within())
      return;
    DenseI32ArrayAttr attr;
    required(attr);
    // Groups that came later are empty.
    if (fine && attr.size() > static_cast<int64_t>(sizes.size())) {
      reader.emitError("got ")
          << attr.size() << " operand groups, expected at most "
          << sizes.size();
      fine = false;
    }
    if (fine)
      llvm::copy(attr.asArrayRef(), sizes.begin());
  }
  void segmentsBehind(MutableArrayRef<int32_t> sizes) {
    if (fine && !within())
      fine = succeeded(reader.readSparseArray(sizes));
  }
};

// Writes them.
struct Writing {
  DialectBytecodeWriter &writer;
  MLIRContext *context;

  template <typename Attr> void required(Attr attr) {
    writer.writeAttribute(attr);
  }
  template <typename Attr> void optional(Attr attr) {
    writer.writeOptionalAttribute(attr);
  }
  void segmentsWithin(ArrayRef<int32_t> sizes) {
    if (writer.getBytecodeVersion() < segmentsApart)
      writer.writeAttribute(DenseI32ArrayAttr::get(context, sizes));
  }
  void segmentsBehind(ArrayRef<int32_t> sizes) {
    if (writer.getBytecodeVersion() >= segmentsApart)
      writer.writeSparseArray(sizes);
  }
};

// Shows the attributes of version 1 in its order, then those that came later.
template <typename Visitor>
void visit(Visitor &visitor, tile::CopyAsyncOp::Properties &prop,
           uint64_t version) {
  visitor.optional(prop.cta_group);
  visitor.optional(prop.direct);
  visitor.required(prop.dstSizes);
  visitor.required(prop.dstStatic);
  visitor.optional(prop.fill);
  visitor.optional(prop.group);
  visitor.optional(prop.multicast);
  visitor.segmentsWithin(prop.operandSegmentSizes);
  visitor.optional(prop.prefetch_size);
  visitor.required(prop.scope);
  visitor.optional(prop.shape);
  visitor.required(prop.srcSizes);
  visitor.required(prop.srcStatic);
  visitor.optional(prop.variant);
  visitor.segmentsBehind(prop.operandSegmentSizes);
  if (version < 2)
    return;
  visitor.optional(prop.bulk_group);
  visitor.optional(prop.l2_evict);
  visitor.optional(prop.reduce);
  if (version < 4)
    return;
  visitor.optional(prop.convert);
  if (version < 5)
    return;
  visitor.optional(prop.masked);
}

template <typename Visitor>
void visit(Visitor &visitor, tile::CopyOp::Properties &prop, uint64_t version) {
  visitor.optional(prop.cache);
  visitor.required(prop.dstSizes);
  visitor.required(prop.dstStatic);
  visitor.optional(prop.l1_evict);
  visitor.optional(prop.l2_evict);
  visitor.segmentsWithin(prop.operandSegmentSizes);
  visitor.optional(prop.prefetch_size);
  visitor.required(prop.scope);
  visitor.required(prop.srcSizes);
  visitor.required(prop.srcStatic);
  visitor.optional(prop.variant);
  visitor.segmentsBehind(prop.operandSegmentSizes);
  if (version < 4)
    return;
  visitor.optional(prop.convert);
  if (version < 5)
    return;
  visitor.optional(prop.masked);
  if (version < 6)
    return;
  visitor.optional(prop.reduce);
}

template <typename Visitor>
void visit(Visitor &visitor, tile::ScalarCopyOp::Properties &prop,
           uint64_t version) {
  visitor.required(prop.by);
  visitor.required(prop.dstSizes);
  visitor.required(prop.dstStatic);
  visitor.segmentsWithin(prop.operandSegmentSizes);
  visitor.required(prop.scope);
  visitor.required(prop.srcSizes);
  visitor.required(prop.srcStatic);
  visitor.optional(prop.threads);
  visitor.segmentsBehind(prop.operandSegmentSizes);
  if (version < 4)
    return;
  visitor.optional(prop.convert);
  if (version < 5)
    return;
  visitor.optional(prop.masked);
  if (version < 6)
    return;
  visitor.optional(prop.filled);
  visitor.optional(prop.reduce);
}

template <typename Visitor>
void visit(Visitor &visitor, tile::BulkCopyOp::Properties &prop,
           uint64_t version) {
  visitor.required(prop.dstLayout);
  visitor.required(prop.dstTerms);
  visitor.segmentsWithin(prop.operandSegmentSizes);
  visitor.required(prop.scope);
  visitor.required(prop.srcLayout);
  visitor.required(prop.srcTerms);
  visitor.required(prop.variant);
  visitor.segmentsBehind(prop.operandSegmentSizes);
  if (version < 2)
    return;
  visitor.optional(prop.l2_evict);
  visitor.optional(prop.reduce);
}

template <typename Visitor>
void visit(Visitor &visitor, tile::AlignedCopyOp::Properties &prop,
           uint64_t version) {
  visitor.optional(prop.cache);
  visitor.required(prop.dstLayout);
  visitor.required(prop.dstTerms);
  visitor.optional(prop.forced_bits);
  visitor.optional(prop.guards);
  visitor.optional(prop.l1_evict);
  visitor.optional(prop.l2_evict);
  visitor.segmentsWithin(prop.operandSegmentSizes);
  visitor.optional(prop.prefetch_size);
  visitor.required(prop.scope);
  visitor.required(prop.srcLayout);
  visitor.required(prop.srcTerms);
  visitor.optional(prop.thread_iters);
  visitor.required(prop.threads);
  visitor.required(prop.variant);
  visitor.optional(prop.zero_fill);
  visitor.segmentsBehind(prop.operandSegmentSizes);
  if (version < 3)
    return;
  visitor.optional(prop.ranks);
  if (version < 4)
    return;
  visitor.optional(prop.convert);
  if (version < 5)
    return;
  visitor.optional(prop.coordinates);
  visitor.optional(prop.limited);
  if (version < 6)
    return;
  visitor.optional(prop.filled);
  visitor.optional(prop.reduce);
}

template <typename Visitor>
void visit(Visitor &visitor, tile::VectorCopyOp::Properties &prop,
           uint64_t version) {
  visitor.optional(prop.cache);
  visitor.required(prop.dstLayout);
  visitor.required(prop.dstTerms);
  visitor.optional(prop.exchange);
  visitor.optional(prop.guards);
  visitor.optional(prop.l1_evict);
  visitor.optional(prop.l2_evict);
  visitor.segmentsWithin(prop.operandSegmentSizes);
  visitor.optional(prop.prefetch_size);
  visitor.required(prop.rounds);
  visitor.required(prop.scope);
  visitor.required(prop.srcLayout);
  visitor.required(prop.srcTerms);
  visitor.optional(prop.thread_iters);
  visitor.required(prop.threads);
  visitor.required(prop.variant);
  visitor.required(prop.vector);
  visitor.optional(prop.zero_fill);
  visitor.segmentsBehind(prop.operandSegmentSizes);
  if (version < 3)
    return;
  visitor.optional(prop.last_threads);
  visitor.optional(prop.ranks);
  if (version < 4)
    return;
  visitor.optional(prop.accesses);
  visitor.optional(prop.convert);
  if (version < 5)
    return;
  visitor.optional(prop.coordinates);
  visitor.optional(prop.limited);
  if (version < 6)
    return;
  visitor.optional(prop.filled);
  visitor.optional(prop.reduce);
}

template <typename Op>
LogicalResult read(DialectBytecodeReader &reader, OperationState &state) {
  auto version = reader.getDialectVersion<tile::TileDialect>();
  uint64_t number =
      succeeded(version) ? static_cast<const Version *>(*version)->number : 1;
  Reading reading{reader};
  visit(reading, state.getOrAddProperties<typename Op::Properties>(), number);
  return success(reading.fine);
}

template <typename Op> void write(Op op, DialectBytecodeWriter &writer) {
  Writing writing{writer, op.getContext()};
  visit(writing, op.getProperties(), currentVersion);
}

} // namespace

void tile::addBytecode(TileDialect &dialect) {
  dialect.addInterfaces<Bytecode>();
}

#define TILE_PROPERTIES_IN_BYTECODE(Op)                                        \
  LogicalResult tile::Op::readProperties(DialectBytecodeReader &reader,        \
                                         OperationState &state) {              \
    return read<Op>(reader, state);                                            \
  }                                                                            \
  void tile::Op::writeProperties(DialectBytecodeWriter &writer) {              \
    write(*this, writer);                                                      \
  }

TILE_PROPERTIES_IN_BYTECODE(AlignedCopyOp)
TILE_PROPERTIES_IN_BYTECODE(BulkCopyOp)
TILE_PROPERTIES_IN_BYTECODE(CopyAsyncOp)
TILE_PROPERTIES_IN_BYTECODE(CopyOp)
TILE_PROPERTIES_IN_BYTECODE(ScalarCopyOp)
TILE_PROPERTIES_IN_BYTECODE(VectorCopyOp)
