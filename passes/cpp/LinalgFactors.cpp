//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Factors that the body of a product computes become ops of their own before
// it. Which, and with which loops, is decided by
// passes/plan/src/linalg/factors.rs.

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

/// The ops of a body that a value of it depends on.
static llvm::SetVector<Operation *> computing(Value value, Block *body) {
  llvm::SetVector<Operation *> ops;
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    Operation *made = pending.pop_back_val().getDefiningOp();
    if (made && made->getBlock() == body && ops.insert(made))
      llvm::append_range(pending, made->getOperands());
  }
  return ops;
}

/// Whether one of the ops reads a value.
static bool isReadBy(Value value, const llvm::SetVector<Operation *> &ops) {
  return llvm::any_of(value.getUsers(),
                      [&](Operation *user) { return ops.contains(user); });
}

/// An op that computes a value of the body of another one, for each iteration
/// of these loops, into memory that has a dimension for each.
static linalg::GenericOp computeFactor(OpBuilder &builder,
                                       linalg::GenericOp product, Value factor,
                                       const llvm::SetVector<Operation *> &ops,
                                       Value memory, ArrayRef<int64_t> loops) {
  SmallVector<AffineExpr> numbers(product.getNumLoops(),
                                  builder.getAffineConstantExpr(0));
  for (auto [dimension, loop] : llvm::enumerate(loops))
    numbers[loop] = builder.getAffineDimExpr(dimension);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<BlockArgument> elements;
  for (OpOperand *input : product.getDpsInputOperands()) {
    BlockArgument element = product.getMatchingBlockArgument(input);
    if (!isReadBy(element, ops))
      continue;
    AffineMap map = product.getMatchingIndexingMap(input);
    inputs.push_back(input->get());
    maps.push_back(map.replaceDimsAndSymbols(numbers, {}, loops.size(), 0));
    elements.push_back(element);
  }
  maps.push_back(builder.getMultiDimIdentityMap(loops.size()));
  SmallVector<utils::IteratorType> parallel(loops.size(),
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, product.getLoc(), inputs, memory, maps, parallel,
      [&](OpBuilder &body, Location loc, ValueRange values) {
        IRMapping mapping;
        mapping.map(elements, values);
        for (Operation &part : *product.getBody())
          if (ops.contains(&part))
            body.clone(part, mapping);
        linalg::YieldOp::create(body, loc, mapping.lookup(factor));
      });
}

// Computes a value of the body of a linalg.generic, which depends on elements
// of inputs alone, in an op of its own: into memory of the kernel's own, with
// these extents of these loops. The op that reads it, without the inputs that
// it does not read any more; null, and nothing changed, for another op.
extern "C" MlirOperation tileSeparateFactor(MlirOperation op,
                                            MlirValue rawFactor,
                                            const int64_t *rawLoops,
                                            const int64_t *extents,
                                            intptr_t count) {
  auto product = dyn_cast<linalg::GenericOp>(unwrap(op));
  if (!product)
    return MlirOperation{nullptr};
  Value factor = unwrap(rawFactor);
  ArrayRef<int64_t> loops(rawLoops, count);
  OpBuilder builder(product);
  Location loc = product.getLoc();
  auto type = MemRefType::get(ArrayRef(extents, count), factor.getType());
  auto alloc = memref::AllocOp::create(builder, loc, type);
  llvm::SetVector<Operation *> ops = computing(factor, product.getBody());
  linalg::GenericOp computed =
      computeFactor(builder, product, factor, ops, alloc, loops);

  Block *body = product.getBody();
  unsigned inputs = product.getNumDpsInputs();
  // What the factor is computed from, unless the product reads it, too.
  llvm::BitVector unread(body->getNumArguments() + 1);
  for (unsigned number = 0; number < inputs; ++number)
    if (isReadBy(body->getArgument(number), ops))
      unread.set(number);
  BlockArgument element = body->insertArgument(inputs, factor.getType(), loc);
  factor.replaceAllUsesWith(element);
  for (Operation *part : ops)
    if (part->use_empty())
      part->erase();

  // What only the factor read goes, and the factor comes behind the inputs.
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  auto add = [&](Value operand, AffineMap map) {
    operands.push_back(operand);
    maps.push_back(map);
  };
  for (OpOperand *input : product.getDpsInputOperands()) {
    unsigned number = input->getOperandNumber();
    if (unread.test(number) && !body->getArgument(number).use_empty())
      unread.reset(number);
    if (!unread.test(number))
      add(input->get(), product.getMatchingIndexingMap(input));
  }
  SmallVector<AffineExpr> dimensions;
  for (int64_t loop : loops)
    dimensions.push_back(builder.getAffineDimExpr(loop));
  unsigned results = operands.size() + 1;
  add(alloc, AffineMap::get(product.getNumLoops(), 0, dimensions,
                            builder.getContext()));
  for (OpOperand &result : product.getDpsInitsMutable())
    add(result.get(), product.getMatchingIndexingMap(&result));
  auto made = linalg::GenericOp::create(builder, loc,
                                        ArrayRef(operands).take_front(results),
                                        ArrayRef(operands).drop_front(results),
                                        maps, product.getIteratorTypesArray());
  made->setDiscardableAttrs(product->getDiscardableAttrDictionary());
  made.getRegion().takeBody(product.getRegion());
  made.getBody()->eraseArguments(unread);
  if (Attribute scope = made->getDiscardableAttr("tile.scope"))
    for (Operation *before : {alloc.getOperation(), computed.getOperation()})
      before->setDiscardableAttr("tile.scope", scope);
  product->erase();
  return wrap(made.getOperation());
}
