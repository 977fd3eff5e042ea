//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --tile-lower-atomics: updates for which the chip has no instruction compare
// and swap the word that the element is in.
//
// Upstream's loops, and LLVM's, begin with a load, which races with the updates
// of other threads. This one begins with a guess, and has no region that may
// contain only some ops.

#include "Bridge.h"
#include "tile/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERATOMICS
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

using UpdateKind = arith::AtomicRMWKind;

// Whether the chip has an instruction, which the conversion to NVVM uses.
bool isInstruction(memref::AtomicRMWOp op, bool hasBf16) {
  Type type = op.getType();
  switch (op.getKind()) {
  case UpdateKind::addf:
    return type.isF16() || type.isF32() || type.isF64() ||
           (type.isBF16() && hasBf16);
  case UpdateKind::assign:
    return type.isF32() || type.isF64() || type.isInteger(32) ||
           type.isInteger(64);
  case UpdateKind::muli:
    return false;
  default:
    return type.isInteger(32) || type.isInteger(64);
  }
}

// What an update leaves in memory.
Value updated(memref::AtomicRMWOp op, Value current, OpBuilder &builder) {
  switch (op.getKind()) {
  case UpdateKind::assign:
    return op.getValue();
  case UpdateKind::xori:
    return arith::XOrIOp::create(builder, op.getLoc(), current, op.getValue());
  default:
    return arith::getReductionOp(op.getKind(), builder, op.getLoc(), current,
                                 op.getValue());
  }
}

Value updated(memref::GenericAtomicRMWOp op, Value current,
              OpBuilder &builder) {
  IRMapping map;
  map.map(op.getCurrentValue(), current);
  Block *body = op.getBody();
  for (Operation &inner : body->without_terminator())
    builder.clone(inner, map);
  return map.lookupOrDefault(body->getTerminator()->getOperand(0));
}

unsigned addressSpace(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (auto number = dyn_cast_or_null<IntegerAttr>(space))
    return number.getInt();
  auto named = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
  if (!named || named.getValue() == gpu::AddressSpace::Private)
    return 0;
  return named.getValue() == gpu::AddressSpace::Workgroup ? 3 : 1;
}

// The address of an element, as an i64.
Value addressOf(Value memory, ValueRange indices, unsigned bytes,
                OpBuilder &builder, Location loc) {
  auto facts = memref::ExtractStridedMetadataOp::create(builder, loc, memory);
  Value position = facts.getOffset();
  for (auto [index, stride] : llvm::zip(indices, facts.getStrides())) {
    Value part = arith::MulIOp::create(builder, loc, index, stride);
    position = arith::AddIOp::create(builder, loc, position, part);
  }
  Value size = arith::ConstantIndexOp::create(builder, loc, bytes);
  Value distance = arith::MulIOp::create(builder, loc, position, size);
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memory);
  Value address = arith::AddIOp::create(builder, loc, base, distance);
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                    address);
}

// The word that an element is in, and where in it.
struct Word {
  Type type, element;
  Value pointer;
  // In bits; none where the element is the word.
  Value shift;

  Value number(int64_t value, OpBuilder &builder, Location loc) const {
    return arith::ConstantIntOp::create(builder, loc, type, value);
  }

  Type integer(OpBuilder &builder) const {
    return builder.getIntegerType(element.getIntOrFloatBitWidth());
  }

  // The element in the word.
  Value read(Value word, OpBuilder &builder, Location loc) const {
    if (shift) {
      word = arith::ShRUIOp::create(builder, loc, word, shift);
      word = arith::TruncIOp::create(builder, loc, integer(builder), word);
    }
    return element.isInteger()
               ? word
               : arith::BitcastOp::create(builder, loc, element, word);
  }

  // The word with another element.
  Value write(Value word, Value value, OpBuilder &builder, Location loc) const {
    if (!element.isInteger())
      value = arith::BitcastOp::create(builder, loc, integer(builder), value);
    if (!shift)
      return value;
    int64_t ones =
        llvm::maskTrailingOnes<uint64_t>(element.getIntOrFloatBitWidth());
    Value mask =
        arith::ShLIOp::create(builder, loc, number(ones, builder, loc), shift);
    Value kept =
        arith::XOrIOp::create(builder, loc, mask, number(-1, builder, loc));
    kept = arith::AndIOp::create(builder, loc, word, kept);
    value = arith::ExtUIOp::create(builder, loc, type, value);
    value = arith::ShLIOp::create(builder, loc, value, shift);
    return arith::OrIOp::create(builder, loc, kept, value);
  }
};

Word wordOf(Value memory, ValueRange indices, OpBuilder &builder,
            Location loc) {
  auto type = cast<MemRefType>(memory.getType());
  Type element = type.getElementType();
  unsigned bits = element.getIntOrFloatBitWidth();
  Value address = addressOf(memory, indices, bits / 8, builder, loc);
  Value shift;
  if (bits < 32) {
    auto number = [&](int64_t value) {
      return arith::ConstantIntOp::create(builder, loc, value, 64);
    };
    Value byte = arith::AndIOp::create(builder, loc, address, number(3));
    address = arith::SubIOp::create(builder, loc, address, byte);
    Value distance = arith::MulIOp::create(builder, loc, byte, number(8));
    shift =
        arith::TruncIOp::create(builder, loc, builder.getI32Type(), distance);
  }
  auto pointer =
      LLVM::LLVMPointerType::get(builder.getContext(), addressSpace(type));
  return {builder.getIntegerType(std::max(bits, 32u)), element,
          LLVM::IntToPtrOp::create(builder, loc, pointer, address), shift};
}

// Swaps until the word is the one that the update was computed from.
template <typename Update> void lowerUpdate(Update op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Word word = wordOf(op.getMemref(), op.getIndices(), builder, loc);
  Value guess = word.number(0, builder, loc);
  auto swap = [&](OpBuilder &inner, Location loc, ValueRange expected) {
    Value current = word.read(expected[0], inner, loc);
    Value next =
        word.write(expected[0], updated(op, current, inner), inner, loc);
    auto swapped = LLVM::AtomicCmpXchgOp::create(
        inner, loc, word.pointer, expected[0], next,
        LLVM::AtomicOrdering::acq_rel, LLVM::AtomicOrdering::monotonic);
    Value found = LLVM::ExtractValueOp::create(inner, loc, swapped, 0);
    Value again = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::ne,
                                        found, expected[0]);
    scf::ConditionOp::create(inner, loc, again, found);
  };
  auto repeat = [](OpBuilder &inner, Location loc, ValueRange found) {
    scf::YieldOp::create(inner, loc, found);
  };
  auto loop = scf::WhileOp::create(builder, loc, TypeRange(word.type),
                                   ValueRange(guess), swap, repeat);
  op->replaceAllUsesWith(
      ValueRange(word.read(loop.getResult(0), builder, loc)));
  op->erase();
}

struct LowerAtomics : tile::impl::TileLowerAtomicsBase<LowerAtomics> {
  void runOnOperation() override {
    bool hasBf16 = tileHasBf16Atomics(wrap(getOperation()));
    SmallVector<memref::AtomicRMWOp> kinds;
    SmallVector<memref::GenericAtomicRMWOp> bodies;
    getOperation()->walk([&](Operation *op) {
      if (auto update = dyn_cast<memref::GenericAtomicRMWOp>(op))
        bodies.push_back(update);
      auto update = dyn_cast<memref::AtomicRMWOp>(op);
      if (update && !isInstruction(update, hasBf16))
        kinds.push_back(update);
    });
    for (memref::AtomicRMWOp op : kinds)
      lowerUpdate(op);
    for (memref::GenericAtomicRMWOp op : bodies)
      lowerUpdate(op);
  }
};

} // namespace
