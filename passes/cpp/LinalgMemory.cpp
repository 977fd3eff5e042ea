//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Memory of kernels of linalg, so that its users are seen: ops use it instead
// of casts of it, and a condition writes what it yielded.
//
//   %m = scf.if %c -> memref<4x8xf16> {       %m = memref.alloc()
//     %a = memref.alloc()                     scf.if %c {
//     linalg.fill … outs(%a)                    linalg.fill … outs(%m)
//     scf.yield %a                            } else {
//   } else {                                    memref.copy %x, %m
//     %b = memref.alloc()                     }
//     memref.copy %x, %b
//     scf.yield %b
//   }

#include "Copies.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/// What a branch allocates and yields as a result; null where that is something
/// else.
static memref::AllocOp yieldedMemory(Region &branch, unsigned result) {
  Value value = branch.front().getTerminator()->getOperand(result);
  if (auto cast = value.getDefiningOp<memref::CastOp>())
    value = cast.getSource();
  auto alloc = value.getDefiningOp<memref::AllocOp>();
  bool isOwn = alloc && alloc->getBlock() == &branch.front() &&
               alloc.getType().hasStaticShape();
  return isOwn ? alloc : memref::AllocOp();
}

/// Allocates before a condition what both branches allocate and yield.
static bool allocateBefore(scf::IfOp condition) {
  bool changed = false;
  for (OpResult result : condition->getResults()) {
    if (!isa<MemRefType>(result.getType()))
      continue;
    unsigned number = result.getResultNumber();
    auto one = yieldedMemory(condition.getThenRegion(), number);
    auto other = yieldedMemory(condition.getElseRegion(), number);
    if (!one || !other || one.getType() != other.getType())
      continue;
    OpBuilder builder(condition);
    Location loc = one.getLoc();
    Value memory = memref::AllocOp::create(builder, loc, one.getType());
    for (memref::AllocOp alloc : {one, other}) {
      alloc.replaceAllUsesWith(memory);
      alloc.erase();
    }
    if (memory.getType() != result.getType())
      memory = memref::CastOp::create(builder, loc, result.getType(), memory);
    result.replaceAllUsesWith(memory);
    changed = true;
  }
  return changed;
}

/// Gives an op of linalg, or a copy, the memory of known extents that its
/// operands are casts of.
static void useCastMemory(Operation *op) {
  if (!isa<linalg::LinalgOp, memref::CopyOp>(op))
    return;
  for (OpOperand &operand : op->getOpOperands())
    if (auto cast = operand.get().getDefiningOp<memref::CastOp>()) {
      auto source = dyn_cast<MemRefType>(cast.getSource().getType());
      if (source && source.hasStaticShape())
        operand.set(cast.getSource());
    }
}

void tile::showMemory(Operation *root) {
  SmallVector<scf::IfOp> conditions;
  root->walk([&](scf::IfOp condition) {
    if (condition->getNumResults())
      conditions.push_back(condition);
  });
  bool changed = false;
  for (scf::IfOp condition : conditions)
    changed |= allocateBefore(condition);
  if (changed) {
    MLIRContext *context = root->getContext();
    RewritePatternSet patterns(context);
    scf::IfOp::getCanonicalizationPatterns(patterns, context);
    memref::SubViewOp::getCanonicalizationPatterns(patterns, context);
    memref::CastOp::getCanonicalizationPatterns(patterns, context);
    (void)applyPatternsGreedily(root, std::move(patterns));
  }
  root->walk(useCastMemory);
  root->walk([](memref::CastOp cast) {
    if (cast->use_empty())
      cast.erase();
  });
}
