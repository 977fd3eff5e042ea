//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What MLIR's C API lacks: operands of branches, sources of views, effects on
// memory, and parsing of a text with a name, in which the module may be left
// out.

#include "Bridge.h"
#include "tile/Dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

// The module of a text, or null after diagnostics; the caller owns it.
extern "C" MlirModule tileParseModule(MlirContext context, MlirStringRef text,
                                      MlirStringRef name) {
  ParserConfig config(unwrap(context));
  return wrap(parseSourceString<ModuleOp>(unwrap(text), config, unwrap(name))
                  .release());
}

// The operand of a branch that becomes an argument of one of its successors;
// null when the op is not a branch, or makes the argument itself.
extern "C" MlirValue tileBranchOperand(MlirOperation op, intptr_t successor,
                                       intptr_t argument) {
  auto branch = dyn_cast<BranchOpInterface>(unwrap(op));
  if (!branch || successor >= intptr_t(unwrap(op)->getNumSuccessors()))
    return wrap(Value());
  SuccessorOperands operands = branch.getSuccessorOperands(successor);
  bool known = argument < intptr_t(operands.size());
  return wrap(known ? operands[argument] : Value());
}

// The buffer or pointer that a view is of; null when the op is not a view.
extern "C" MlirValue tileViewSource(MlirOperation op) {
  auto view = dyn_cast<ViewLikeOpInterface>(unwrap(op));
  return wrap(view ? view.getViewSource() : Value());
}

// Whether an op is defined for all operands, so that it may run where it is not
// asked for.
extern "C" bool tileIsSpeculatable(MlirOperation op) {
  return isSpeculatable(unwrap(op));
}

// What an op may do to memory, the ops in it aside: MLIR's interface tells.
extern "C" TileMemoryEffects tileMemoryEffects(MlirOperation op) {
  auto known = dyn_cast<MemoryEffectOpInterface>(unwrap(op));
  if (!known) {
    bool any = !unwrap(op)->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
    return {any, any};
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  known.getEffects(effects);
  TileMemoryEffects found = {false, false};
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      found.reads = true;
    else
      found.writes = true;
  return found;
}

// What an op does to the memory of one of its operands, the ops in it aside;
// the operand -1 stands for memory that no operand names. What the op allocates
// is touched by nobody yet.
extern "C" TileMemoryEffects tileEffectsOnOperand(MlirOperation op,
                                                  intptr_t operand) {
  auto known = dyn_cast<MemoryEffectOpInterface>(unwrap(op));
  if (!known) {
    bool any = !unwrap(op)->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
    return {any, any};
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  known.getEffects(effects);
  TileMemoryEffects found = {false, false};
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (isa<MemoryEffects::Allocate>(effect.getEffect()))
      continue;
    auto *place = effect.getEffectValue<OpOperand *>();
    if ((place ? intptr_t(place->getOperandNumber()) : -1) != operand)
      continue;
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      found.reads = true;
    else
      found.writes = true;
  }
  return found;
}

// Passes the accesses that an op states; false for an op that states none. The
// scope is 0 thread, 1 warp, 2 warpgroup, 3 cta.
extern "C" bool tileStatedAccesses(MlirOperation op, int32_t *scope,
                                   TileAccessCallback take, void *userData) {
  auto stated = dyn_cast<tile::TileAccessOpInterface>(unwrap(op));
  if (!stated)
    return false;
  *scope = static_cast<int32_t>(stated.getAccessScope());
  SmallVector<tile::MemoryAccess> accesses;
  stated.getAccesses(accesses);
  for (const tile::MemoryAccess &access : accesses) {
    SmallVector<Value> values;
    SmallVector<int64_t> offsets;
    dispatchIndexOpFoldResults(access.offsets, values, offsets);
    auto wrapped = llvm::map_to_vector(values, [](Value v) { return wrap(v); });
    auto number = [](OpOperand *operand) {
      return operand ? intptr_t(operand->getOperandNumber()) : -1;
    };
    take({number(access.operand), access.reads, access.writes,
          static_cast<int32_t>(access.engine), intptr_t(offsets.size()),
          offsets.data(), intptr_t(access.sizes.size()), access.sizes.data(),
          intptr_t(wrapped.size()), wrapped.data(), number(access.mbarrier)},
         userData);
  }
  return true;
}

// Whether an op computes what it writes from what it reads, all of it itself.
extern "C" bool tileIsDestinationStyle(MlirOperation op) {
  return isa<DestinationStyleOpInterface>(unwrap(op));
}
