//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Vectors that all threads of a block have become memory of the kernel's own,
// and what computes them ops of linalg.

#include "LinalgVectors.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace tile;

namespace {

/// Writes a group as ops of linalg.
struct VectorWriter {
  VectorMemory memory;
  OpBuilder &builder = memory.builder;
  SmallVector<Operation *> erased;
  SmallVector<scf::ForOp> loops;
  size_t rebuilt = 0;

  VectorWriter(Block &entry, MLIRContext *context) : memory(entry, context) {}

  void write(Operation *op) {
    builder.setInsertionPoint(op);
    if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
      memory.read(read);
      return erased.push_back(op);
    }
    if (auto write = dyn_cast<vector::TransferWriteOp>(op)) {
      memory.write(write);
      return erased.push_back(op);
    }
    if (auto contract = dyn_cast<vector::ContractionOp>(op))
      return writeContract(contract);
    if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
      return writeReduction(reduction);
    if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
      return writeBroadcast(broadcast);
    if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
      Value result = memory.allocate(transpose.getResult());
      linalg::TransposeOp::create(builder, op->getLoc(),
                                  memory.source(transpose.getVector()), result,
                                  transpose.getPermutation());
      return erased.push_back(op);
    }
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return beginLoop(loop);
    if (auto yield = dyn_cast<scf::YieldOp>(op))
      return endLoop(yield);
    if (!isa<arith::ConstantOp>(op))
      writeElementwise(op);
  }

  void finish() {
    for (scf::ForOp loop : loops)
      rebuild(loop);
    // A value may be erased before what uses it.
    for (Operation *op : erased)
      op->dropAllReferences();
    for (Operation *op : llvm::reverse(erased))
      op->erase();
  }

private:
  /// A factor as it is before it is extended to the type of the sums.
  Value factor(Value vector, Type sums) {
    Operation *made = vector.getDefiningOp();
    bool isExtended = isa_and_nonnull<arith::ExtFOp>(made) &&
                      vectorOf(vector).getElementType() == sums &&
                      memory.memrefs.contains(made->getOperand(0));
    return isExtended ? made->getOperand(0) : vector;
  }

  void writeContract(vector::ContractionOp contract) {
    Type sums = vectorOf(contract.getResult()).getElementType();
    Value lhs = memory.source(factor(contract.getLhs(), sums));
    Value rhs = memory.source(factor(contract.getRhs(), sums));
    Value buffer = memory.overwritten(contract.getAcc());
    memory.memrefs[contract.getResult()] = buffer;
    SmallVector<utils::IteratorType> loops;
    for (Attribute kind : contract.getIteratorTypes())
      loops.push_back(cast<vector::IteratorTypeAttr>(kind).getValue() ==
                              vector::IteratorType::reduction
                          ? utils::IteratorType::reduction
                          : utils::IteratorType::parallel);
    linalg::GenericOp::create(
        builder, contract.getLoc(), ValueRange{lhs, rhs}, ValueRange{buffer},
        contract.getIndexingMapsArray(), loops,
        [&](OpBuilder &body, Location loc, ValueRange elements) {
          auto extended = [&](Value element) -> Value {
            if (element.getType() == sums)
              return element;
            if (isa<FloatType>(sums))
              return arith::ExtFOp::create(body, loc, sums, element);
            return arith::ExtSIOp::create(body, loc, sums, element);
          };
          Value a = extended(elements[0]), b = extended(elements[1]);
          Value term, sum;
          if (isa<FloatType>(sums)) {
            term = arith::MulFOp::create(body, loc, a, b);
            sum = arith::AddFOp::create(body, loc, elements[2], term);
          } else {
            term = arith::MulIOp::create(body, loc, a, b);
            sum = arith::AddIOp::create(body, loc, elements[2], term);
          }
          linalg::YieldOp::create(body, loc, sum);
        });
    erased.push_back(contract);
  }

  void writeReduction(vector::MultiDimReductionOp reduction) {
    Value terms = memory.source(reduction.getSource());
    Value buffer = memory.overwritten(reduction.getAcc());
    memory.memrefs[reduction.getResult()] = buffer;
    SmallVector<utils::IteratorType> loops;
    SmallVector<AffineExpr> kept;
    for (auto [i, isReduced] : llvm::enumerate(reduction.getReductionMask())) {
      loops.push_back(isReduced ? utils::IteratorType::reduction
                                : utils::IteratorType::parallel);
      if (!isReduced)
        kept.push_back(builder.getAffineDimExpr(i));
    }
    AffineMap all = builder.getMultiDimIdentityMap(loops.size());
    AffineMap result =
        AffineMap::get(loops.size(), 0, kept, builder.getContext());
    linalg::GenericOp::create(
        builder, reduction.getLoc(), ValueRange{terms}, ValueRange{buffer},
        ArrayRef{all, result}, loops,
        [&](OpBuilder &body, Location loc, ValueRange elements) {
          Value combined = vector::makeArithReduction(
              body, loc, reduction.getKind(), elements[0], elements[1]);
          linalg::YieldOp::create(body, loc, combined);
        });
    erased.push_back(reduction);
  }

  void writeBroadcast(vector::BroadcastOp broadcast) {
    Value buffer = memory.allocate(broadcast.getResult());
    Value element = broadcast.getSource();
    erased.push_back(broadcast);
    if (!isa<VectorType>(element.getType())) {
      linalg::FillOp::create(builder, broadcast.getLoc(), element, buffer);
      return;
    }
    int64_t rank = vectorOf(broadcast.getResult()).getRank();
    int64_t inner = vectorOf(element).getRank();
    AffineMap last =
        AffineMap::getMinorIdentityMap(rank, inner, builder.getContext());
    memory.copy(memory.source(element), last, buffer,
                builder.getMultiDimIdentityMap(rank));
  }

  void writeElementwise(Operation *op) {
    SmallVector<Value> inputs;
    for (Value operand : op->getOperands())
      if (vectorOf(operand) && !splatOf(operand))
        inputs.push_back(memory.source(operand));
    Value buffer = memory.allocate(op->getResult(0));
    int64_t rank = vectorOf(op->getResult(0)).getRank();
    SmallVector<AffineMap> maps(inputs.size() + 1,
                                builder.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    linalg::GenericOp::create(
        builder, op->getLoc(), inputs, ValueRange{buffer}, maps, loops,
        [&](OpBuilder &body, Location loc, ValueRange elements) {
          SmallVector<Value> operands;
          for (Value operand : op->getOperands()) {
            if (Attribute splat = splatOf(operand))
              operands.push_back(
                  arith::ConstantOp::create(body, loc, cast<TypedAttr>(splat)));
            else if (vectorOf(operand))
              operands.push_back(elements.front()),
                  elements = elements.drop_front();
            else
              operands.push_back(operand);
          }
          Type element = vectorOf(op->getResult(0)).getElementType();
          Operation *one = body.create(loc, op->getName().getIdentifier(),
                                       operands, element, op->getAttrs());
          linalg::YieldOp::create(body, loc, one->getResult(0));
        });
    erased.push_back(op);
  }

  void beginLoop(scf::ForOp loop) {
    for (auto [init, argument, result] : llvm::zip_equal(
             loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults()))
      if (vectorOf(argument)) {
        // An entry that is added moves the others.
        Value buffer = memory.overwritten(init);
        memory.memrefs[argument] = buffer;
        memory.memrefs[result] = buffer;
      }
    loops.push_back(loop);
  }

  void endLoop(scf::YieldOp yield) {
    auto loop = cast<scf::ForOp>(yield->getParentOp());
    SmallVector<std::pair<Value, Value>> copies;
    for (auto [argument, next] :
         llvm::zip_equal(loop.getRegionIterArgs(), yield.getOperands())) {
      if (!vectorOf(argument))
        continue;
      Value from = memory.source(next);
      if (from == memory.memrefs.lookup(argument))
        continue;
      // One that another copy overwrites is set aside.
      if (isa<BlockArgument>(next)) {
        Value aside = memory.allocate(vectorOf(next), next.getLoc());
        memref::CopyOp::create(builder, next.getLoc(), from, aside);
        from = aside;
      }
      copies.push_back({from, memory.memrefs.lookup(argument)});
    }
    for (auto [from, to] : copies)
      memref::CopyOp::create(builder, yield.getLoc(), from, to);
  }

  /// A loop without the vectors that it has passed on.
  void rebuild(scf::ForOp loop) {
    builder.setInsertionPoint(loop);
    SmallVector<Value> inits;
    for (Value init : loop.getInitArgs())
      if (!vectorOf(init))
        inits.push_back(init);
    auto made = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                   loop.getUpperBound(), loop.getStep(), inits);
    made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    Block *body = made.getBody();
    body->clear();
    loop.getInductionVar().replaceAllUsesWith(made.getInductionVar());
    unsigned next = 0;
    for (auto [argument, result] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
      if (!vectorOf(argument)) {
        argument.replaceAllUsesWith(made.getRegionIterArgs()[next]);
        result.replaceAllUsesWith(made.getResult(next++));
      }
    body->getOperations().splice(body->end(), loop.getBody()->getOperations());
    auto yield = cast<scf::YieldOp>(body->getTerminator());
    SmallVector<Value> yielded;
    for (Value value : yield.getOperands())
      if (!vectorOf(value))
        yielded.push_back(value);
    yield->setOperands(yielded);
    // Loops inside of others are erased before these.
    erased.insert(erased.begin() + rebuilt++, loop);
  }
};

} // namespace

// Writes the group of a contraction or reduction, all of whose ops are
// followed, as ops of linalg on memory that is allocated at the start of a
// block.
extern "C" void tileWriteVectorGroup(MlirOperation anchor, MlirOperation root) {
  VectorGroup group(unwrap(anchor));
  Block &entry = unwrap(root)->getRegion(0).front();
  VectorWriter writer(entry, unwrap(anchor)->getContext());
  unwrap(root)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (group.ops.contains(op))
      writer.write(op);
  });
  writer.finish();
}
