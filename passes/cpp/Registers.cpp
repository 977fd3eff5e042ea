//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What keeps arrays of a thread in its registers. No instruction takes a
// register by a number that is known only at run time: an array that would need
// one lands in local memory, which is as slow as global memory.
//
// --tile-unroll-registers unrolls loops that walk along an array.
// --tile-separate-registers keeps blocks apart that access different arrays.

#include "tile/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tile {
#define GEN_PASS_DEF_TILESEPARATEREGISTERS
#define GEN_PASS_DEF_TILEUNROLLREGISTERS
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

// More registers than a thread has, and the maximum number of ops that a loop
// may become.
constexpr uint64_t maxTrips = 256, maxOps = 16384;

/// The array of registers that a value is, or views.
memref::AllocaOp registersOf(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value.getDefiningOp<memref::AllocaOp>();
}

// Whether an op accesses registers at an index that is computed in the loop.
bool walksRegisters(Operation *op, Operation *loop) {
  auto isMoving = [&](Value operand) {
    return operand.getType().isIndex() &&
           loop->isAncestor(operand.getParentBlock()->getParentOp());
  };
  return llvm::any_of(op->getOperands(), registersOf) &&
         llvm::any_of(op->getOperands(), isMoving);
}

bool isWorthwhile(Operation *loop, uint64_t trips) {
  uint64_t ops = 0;
  bool walks = false;
  loop->walk([&](Operation *op) {
    ++ops;
    walks |= op != loop && walksRegisters(op, loop);
  });
  return walks && trips <= maxTrips && ops * trips <= maxOps;
}

struct UnrollRegisters : tile::impl::TileUnrollRegistersBase<UnrollRegisters> {
  using TileUnrollRegistersBase::TileUnrollRegistersBase;
  void runOnOperation() override {
    // Inner loops come first, and what is around them stays.
    getOperation()->walk([](scf::ForOp loop) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      if (trips && trips->getActiveBits() <= 32 &&
          isWorthwhile(loop, trips->getZExtValue()))
        (void)loopUnrollFull(loop);
    });
  }
};

/// Merging two blocks makes what they differ in an argument of one: where it is
/// the array, that has no registers any more. Ops with different attributes are
/// not merged.
struct SeparateRegisters
    : tile::impl::TileSeparateRegistersBase<SeparateRegisters> {
  using TileSeparateRegistersBase::TileSeparateRegistersBase;
  void runOnOperation() override {
    DenseMap<Operation *, int64_t> numbers;
    Builder builder(&getContext());
    getOperation()->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (memref::AllocaOp array = registersOf(operand)) {
          int64_t number =
              numbers.try_emplace(array, int64_t(numbers.size())).first->second;
          op->setDiscardableAttr("tile.registers",
                                 builder.getI64IntegerAttr(number));
        }
    });
  }
};

} // namespace
