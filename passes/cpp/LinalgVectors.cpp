//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Vectors that all threads of a block have become memory of the kernel's own,
// and what computes them ops of linalg: each group of contractions and
// reductions, with all ops that their vectors come from and go to.

#include "Copies.h"
#include "Layout.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

namespace {

/// The type of a vector that becomes memory.
VectorType vectorOf(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  bool isFixed = type && type.getRank() > 0 && !type.isScalable();
  return isFixed ? type : VectorType();
}

/// The element of a vector whose elements are one number.
Attribute splatOf(Value value) {
  DenseElementsAttr elements;
  bool isSplat = matchPattern(value, m_Constant(&elements)) &&
                 elements.isSplat() && vectorOf(value);
  return isSplat ? elements.getSplatValue<Attribute>() : Attribute();
}

/// Whether an index is at most the extent of a dimension.
bool isWithin(Value memref, Value index, int64_t dimension) {
  using Variable = ValueBoundsConstraintSet::Variable;
  return ValueBoundsConstraintSet::compare(
      Variable(index), ValueBoundsConstraintSet::ComparisonOperator::LE,
      Variable(memref, dimension));
}

/// Whether a transfer moves a part of a memref that can be viewed.
bool isViewed(VectorTransferOpInterface transfer) {
  if (!isa<MemRefType>(transfer.getBase().getType()) || transfer.getMask() ||
      cast<vector::MaskableOpInterface>(transfer.getOperation()).isMasked() ||
      !transfer.getPermutationMap().isProjectedPermutation(
          /*allowZeroInResults=*/true))
    return false;
  for (auto [i, result] :
       llvm::enumerate(transfer.getPermutationMap().getResults())) {
    auto dimension = dyn_cast<AffineDimExpr>(result);
    if (!dimension || transfer.isDimInBounds(i))
      continue;
    unsigned position = dimension.getPosition();
    if (!isWithin(transfer.getBase(), transfer.getIndices()[position],
                  position))
      return false;
  }
  auto read = dyn_cast<vector::TransferReadOp>(transfer.getOperation());
  return !read || !transfer.hasOutOfBoundsDim() ||
         matchPattern(read.getPadding(), m_Zero()) ||
         matchPattern(read.getPadding(), m_AnyZeroFloat());
}

/// Whether an op of vectors becomes one of linalg, or memory.
bool isFollowed(Operation *op) {
  if (llvm::any_of(op->getResults(), [](Value result) {
        return isa<VectorType>(result.getType()) && !vectorOf(result);
      }))
    return false;
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
    return isViewed(transfer);
  if (auto contract = dyn_cast<vector::ContractionOp>(op))
    return contract.getKind() == vector::CombiningKind::ADD &&
           vectorOf(contract.getResult()) && !contract.isMasked();
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
    return vectorOf(reduction.getResult()) && !reduction.isMasked();
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return broadcast.computeBroadcastedUnitDims().empty();
  if (auto loop = dyn_cast<scf::YieldOp>(op))
    return isa<scf::ForOp>(loop->getParentOp());
  if (isa<arith::ConstantOp>(op))
    return splatOf(op->getResult(0)) != nullptr;
  if (isa<vector::TransposeOp, scf::ForOp>(op))
    return true;
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 && vectorOf(op->getResult(0));
}

/// Ops whose vectors depend on each other.
struct VectorGroup {
  SetVector<Operation *> ops;
  /// One that does not become an op of linalg.
  Operation *other = nullptr;

  explicit VectorGroup(Operation *anchor) {
    ops.insert(anchor);
    for (size_t at = 0; at < ops.size() && !other; ++at) {
      Operation *op = ops[at];
      if (!isFollowed(op)) {
        other = op;
        return;
      }
      for (Value operand : op->getOperands())
        add(operand);
      for (Value result : op->getResults())
        add(result);
      if (auto loop = dyn_cast<scf::ForOp>(op))
        for (Value argument : loop.getRegionIterArgs())
          add(argument);
      if (isa<scf::YieldOp>(op))
        ops.insert(op->getParentOp());
    }
  }

private:
  void add(Value value) {
    if (!isa<VectorType>(value.getType()))
      return;
    if (Operation *made = value.getDefiningOp())
      ops.insert(made);
    else if (Operation *around = value.getParentBlock()->getParentOp())
      ops.insert(around);
    // A constant may have users of other groups.
    if (!splatOf(value))
      ops.insert(value.getUsers().begin(), value.getUsers().end());
  }
};

/// Writes a group as ops of linalg.
struct VectorWriter {
  OpBuilder builder;
  Block &entry;
  DenseMap<Value, Value> memory;
  SmallVector<Operation *> erased;
  SmallVector<scf::ForOp> loops;
  size_t rebuilt = 0;

  VectorWriter(Block &entry, MLIRContext *context)
      : builder(context), entry(entry) {}

  void write(Operation *op) {
    builder.setInsertionPoint(op);
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      return writeRead(read);
    if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      return writeWrite(write);
    if (auto contract = dyn_cast<vector::ContractionOp>(op))
      return writeContract(contract);
    if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
      return writeReduction(reduction);
    if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
      return writeBroadcast(broadcast);
    if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
      Value result = alloc(transpose.getResult());
      linalg::TransposeOp::create(builder, op->getLoc(),
                                  source(transpose.getVector()), result,
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
  /// Memory for a vector.
  Value allocType(VectorType type, Location loc) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&entry);
    auto own = MemRefType::get(type.getShape(), type.getElementType());
    return memref::AllocOp::create(builder, loc, own);
  }

  Value alloc(Value vector) {
    return memory[vector] = allocType(vectorOf(vector), vector.getLoc());
  }

  /// The memory of a vector that is read.
  Value source(Value vector) {
    Attribute splat = splatOf(vector);
    if (!splat)
      return memory.lookup(vector);
    Location loc = vector.getLoc();
    Value filled = allocType(vectorOf(vector), loc);
    Value element =
        arith::ConstantOp::create(builder, loc, cast<TypedAttr>(splat));
    linalg::FillOp::create(builder, loc, element, filled);
    return filled;
  }

  /// Memory that has the elements of a vector and may be overwritten.
  Value owned(Value vector) {
    if (splatOf(vector) || vector.hasOneUse())
      return source(vector);
    Value own = allocType(vectorOf(vector), vector.getLoc());
    memref::CopyOp::create(builder, vector.getLoc(), source(vector), own);
    return own;
  }

  /// The part of a memref that a transfer moves, its dimensions in the memref's
  /// order; `isWhole` is false where it may be less than the vector.
  Value viewed(VectorTransferOpInterface transfer, bool &isWhole) {
    Location loc = transfer.getLoc();
    Value base = transfer.getBase();
    auto type = cast<MemRefType>(base.getType());
    SmallVector<OpFoldResult> begins = getAsOpFoldResult(transfer.getIndices());
    SmallVector<OpFoldResult> sizes(type.getRank(), builder.getIndexAttr(1));
    SmallVector<OpFoldResult> steps(type.getRank(), builder.getIndexAttr(1));
    SmallVector<int64_t> shape(type.getRank(), 0);
    AffineMap map = transfer.getPermutationMap();
    for (auto [i, result] : llvm::enumerate(map.getResults())) {
      auto dimension = dyn_cast<AffineDimExpr>(result);
      if (!dimension)
        continue;
      unsigned position = dimension.getPosition();
      int64_t extent = transfer.getVectorType().getDimSize(i);
      shape[position] = extent;
      sizes[position] = builder.getIndexAttr(extent);
      if (transfer.isDimInBounds(i))
        continue;
      OpFoldResult end = memref::getMixedSize(builder, loc, base, position);
      MLIRContext *context = builder.getContext();
      AffineExpr left =
          getAffineSymbolExpr(0, context) - getAffineSymbolExpr(1, context);
      AffineMap least = AffineMap::get(
          0, 2, {left, getAffineConstantExpr(extent, context)}, context);
      sizes[position] = affine::makeComposedFoldedAffineMin(
          builder, loc, least, {end, begins[position]});
      if (!getConstantIntValue(sizes[position]))
        shape[position] = ShapedType::kDynamic;
      else
        shape[position] = *getConstantIntValue(sizes[position]);
      isWhole &= shape[position] == extent;
    }
    llvm::erase(shape, 0);
    MemRefType part = memref::SubViewOp::inferRankReducedResultType(
        shape, type, begins, sizes, steps);
    return memref::SubViewOp::create(builder, loc, part, base, begins, sizes,
                                     steps);
  }

  /// The part of a vector's memory that is the part of a memref.
  Value partOf(Value own, Value viewed, ArrayRef<unsigned> order) {
    SmallVector<OpFoldResult> sizes;
    for (unsigned dimension : order)
      sizes.push_back(
          memref::getMixedSize(builder, own.getLoc(), viewed, dimension));
    SmallVector<OpFoldResult> zeros(order.size(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(order.size(), builder.getIndexAttr(1));
    return memref::SubViewOp::create(builder, own.getLoc(), own, zeros, sizes,
                                     ones);
  }

  /// The dimension of the viewed part for each dimension of a vector; none for
  /// one along which its elements are the same.
  SmallVector<std::optional<unsigned>> orderOf(AffineMap map) {
    SmallVector<unsigned> present;
    for (AffineExpr result : map.getResults())
      if (auto dimension = dyn_cast<AffineDimExpr>(result))
        present.push_back(dimension.getPosition());
    llvm::sort(present);
    SmallVector<std::optional<unsigned>> order;
    for (AffineExpr result : map.getResults()) {
      auto dimension = dyn_cast<AffineDimExpr>(result);
      order.push_back(dimension
                          ? std::optional<unsigned>(
                                llvm::find(present, dimension.getPosition()) -
                                present.begin())
                          : std::nullopt);
    }
    return order;
  }

  /// A copy of elements by maps from the dimensions of a vector.
  void copy(Value from, AffineMap fromMap, Value to, AffineMap toMap) {
    if (fromMap.isIdentity() && toMap.isIdentity()) {
      memref::CopyOp::create(builder, from.getLoc(), from, to);
      return;
    }
    SmallVector<utils::IteratorType> loops(fromMap.getNumDims(),
                                           utils::IteratorType::parallel);
    linalg::GenericOp::create(
        builder, from.getLoc(), ValueRange{from}, ValueRange{to},
        ArrayRef{fromMap, toMap}, loops,
        [](OpBuilder &body, Location loc, ValueRange elements) {
          linalg::YieldOp::create(body, loc, elements[0]);
        });
  }

  /// The map from the dimensions of a vector to those of the viewed part.
  AffineMap partMap(ArrayRef<std::optional<unsigned>> order) {
    SmallVector<AffineExpr> dimensions(llvm::count_if(
        order, [](auto dimension) { return dimension.has_value(); }));
    for (auto [i, dimension] : llvm::enumerate(order))
      if (dimension)
        dimensions[*dimension] = builder.getAffineDimExpr(i);
    return AffineMap::get(order.size(), 0, dimensions, builder.getContext());
  }

  void writeRead(vector::TransferReadOp read) {
    bool isWhole = true;
    Value part = viewed(cast<VectorTransferOpInterface>(*read), isWhole);
    auto order = orderOf(read.getPermutationMap());
    Value own = alloc(read.getResult());
    AffineMap identity =
        builder.getMultiDimIdentityMap(read.getVectorType().getRank());
    bool isBroadcast = llvm::is_contained(order, std::nullopt);
    if (!isWhole && !isBroadcast) {
      SmallVector<unsigned> dimensions;
      for (auto dimension : order)
        dimensions.push_back(*dimension);
      own = partOf(own, part, dimensions);
    }
    copy(part, partMap(order), own, identity);
    erased.push_back(read);
  }

  void writeWrite(vector::TransferWriteOp write) {
    bool isWhole = true;
    Value from = source(write.getValueToStore());
    Value part = viewed(cast<VectorTransferOpInterface>(*write), isWhole);
    auto order = orderOf(write.getPermutationMap());
    if (!isWhole) {
      SmallVector<unsigned> dimensions;
      for (auto dimension : order)
        dimensions.push_back(*dimension);
      from = partOf(from, part, dimensions);
    }
    AffineMap identity = builder.getMultiDimIdentityMap(order.size());
    copy(from, identity, part, partMap(order));
    erased.push_back(write);
  }

  /// A factor as it is before it is extended to the type of the sums.
  Value factor(Value vector, Type sums) {
    Operation *made = vector.getDefiningOp();
    bool isExtended = isa_and_nonnull<arith::ExtFOp>(made) &&
                      vectorOf(vector).getElementType() == sums &&
                      memory.contains(made->getOperand(0));
    return isExtended ? made->getOperand(0) : vector;
  }

  void writeContract(vector::ContractionOp contract) {
    Type sums = vectorOf(contract.getResult()).getElementType();
    Value lhs = source(factor(contract.getLhs(), sums));
    Value rhs = source(factor(contract.getRhs(), sums));
    Value own = owned(contract.getAcc());
    memory[contract.getResult()] = own;
    SmallVector<utils::IteratorType> loops;
    for (Attribute kind : contract.getIteratorTypes())
      loops.push_back(cast<vector::IteratorTypeAttr>(kind).getValue() ==
                              vector::IteratorType::reduction
                          ? utils::IteratorType::reduction
                          : utils::IteratorType::parallel);
    linalg::GenericOp::create(
        builder, contract.getLoc(), ValueRange{lhs, rhs}, ValueRange{own},
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
    Value terms = source(reduction.getSource());
    Value own = owned(reduction.getAcc());
    memory[reduction.getResult()] = own;
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
        builder, reduction.getLoc(), ValueRange{terms}, ValueRange{own},
        ArrayRef{all, result}, loops,
        [&](OpBuilder &body, Location loc, ValueRange elements) {
          Value combined = vector::makeArithReduction(
              body, loc, reduction.getKind(), elements[0], elements[1]);
          linalg::YieldOp::create(body, loc, combined);
        });
    erased.push_back(reduction);
  }

  void writeBroadcast(vector::BroadcastOp broadcast) {
    Value own = alloc(broadcast.getResult());
    Value element = broadcast.getSource();
    erased.push_back(broadcast);
    if (!isa<VectorType>(element.getType())) {
      linalg::FillOp::create(builder, broadcast.getLoc(), element, own);
      return;
    }
    int64_t rank = vectorOf(broadcast.getResult()).getRank();
    int64_t inner = vectorOf(element).getRank();
    AffineMap last =
        AffineMap::getMinorIdentityMap(rank, inner, builder.getContext());
    copy(source(element), last, own, builder.getMultiDimIdentityMap(rank));
  }

  void writeElementwise(Operation *op) {
    SmallVector<Value> inputs;
    for (Value operand : op->getOperands())
      if (vectorOf(operand) && !splatOf(operand))
        inputs.push_back(source(operand));
    Value own = alloc(op->getResult(0));
    int64_t rank = vectorOf(op->getResult(0)).getRank();
    SmallVector<AffineMap> maps(inputs.size() + 1,
                                builder.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    linalg::GenericOp::create(
        builder, op->getLoc(), inputs, ValueRange{own}, maps, loops,
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
        Value own = owned(init);
        memory[argument] = own;
        memory[result] = own;
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
      Value from = source(next);
      if (from == memory.lookup(argument))
        continue;
      // One that another copy overwrites is set aside.
      if (isa<BlockArgument>(next)) {
        Value aside = allocType(vectorOf(next), next.getLoc());
        memref::CopyOp::create(builder, next.getLoc(), from, aside);
        from = aside;
      }
      copies.push_back({from, memory.lookup(argument)});
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

// Passes the ops of the group of a contraction or reduction to `take`, and
// returns null; or one of them that does not become an op of linalg.
extern "C" MlirOperation tileVectorGroup(MlirOperation anchor,
                                         void (*take)(MlirOperation, void *),
                                         void *userData) {
  VectorGroup group(unwrap(anchor));
  for (Operation *op : group.ops)
    take(wrap(op), userData);
  return wrap(group.other);
}

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
