//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Reads the attributes of an op from bytecode and writes them, in the order of
// the op's visitProperties, which is defined in its file in td.

#ifndef TILE_BYTECODE_H
#define TILE_BYTECODE_H

#include "tile/Dialect.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace tile::bytecode {

using namespace mlir;

// The version that is written.
extern const uint64_t currentVersion;

// The version of the bytecode that is read.
uint64_t versionOf(DialectBytecodeReader &reader);

// The version of MLIR's bytecode from which the sizes of operand groups follow
// the attributes; before, they are one of the attributes.
constexpr int64_t segmentsApart = 6;

// Reads the attributes that it visits.
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
  void segmentsAsAttribute(MutableArrayRef<int32_t> sizes) {
    if (!fine || !within())
      return;
    DenseI32ArrayAttr attr;
    required(attr);
    // Groups that were added later are empty.
    if (fine && attr.size() > static_cast<int64_t>(sizes.size())) {
      reader.emitError("got ")
          << attr.size() << " operand groups, expected at most "
          << sizes.size();
      fine = false;
    }
    if (fine)
      llvm::copy(attr.asArrayRef(), sizes.begin());
  }
  void segmentsAfterAttributes(MutableArrayRef<int32_t> sizes) {
    if (fine && !within())
      fine = succeeded(reader.readSparseArray(sizes));
  }
};

// Writes the attributes that it visits.
struct Writing {
  DialectBytecodeWriter &writer;
  MLIRContext *context;

  template <typename Attr> void required(Attr attr) {
    writer.writeAttribute(attr);
  }
  template <typename Attr> void optional(Attr attr) {
    writer.writeOptionalAttribute(attr);
  }
  void segmentsAsAttribute(ArrayRef<int32_t> sizes) {
    if (writer.getBytecodeVersion() < segmentsApart)
      writer.writeAttribute(DenseI32ArrayAttr::get(context, sizes));
  }
  void segmentsAfterAttributes(ArrayRef<int32_t> sizes) {
    if (writer.getBytecodeVersion() >= segmentsApart)
      writer.writeSparseArray(sizes);
  }
};

template <typename Op>
LogicalResult read(DialectBytecodeReader &reader, OperationState &state) {
  Reading reading{reader};
  Op::visitProperties(reading,
                      state.getOrAddProperties<typename Op::Properties>(),
                      versionOf(reader));
  return success(reading.fine);
}

template <typename Op> void write(Op op, DialectBytecodeWriter &writer) {
  Writing writing{writer, op.getContext()};
  Op::visitProperties(writing, op.getProperties(), currentVersion);
}

} // namespace tile::bytecode

#endif // TILE_BYTECODE_H
