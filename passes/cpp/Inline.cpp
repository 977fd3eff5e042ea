//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// One call that becomes the body of its callee, by MLIR's inliner.

#include "Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

// Whether an affine op may be in a region that is not its affine scope: what
// its maps are applied to must be known to be a dimension or symbol there, too.
static bool staysAffine(Operation *op, Region *dest, IRMapping &mapping) {
  Operation *around = dest->getParentOp();
  if (around->hasTrait<OpTrait::AffineScope>())
    return true;
  Region *scope = affine::getAffineScope(around);
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Value mapped = mapping.lookupOrDefault(operand);
    if (!operand.getType().isIndex())
      return true;
    return mapped == operand ? affine::isValidDim(operand, scope)
                             : affine::isValidSymbol(mapped, scope);
  });
}

namespace {
/// The threads that execute a call execute what replaces it, so every op may
/// move; only affine ops depend on the region that they are in.
struct CallInliner : InlinerInterface {
  CallInliner(Location call, FlatSymbolRefAttr callee)
      : InlinerInterface(call.getContext()), call(call), callee(callee) {}

  bool isLegalToInline(Operation *, Operation *, bool) const override {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(Operation *op, Region *dest, bool cloned,
                       IRMapping &mapping) const override {
    bool legal =
        isa_and_present<affine::AffineDialect>(op->getDialect())
            ? staysAffine(op, dest, mapping)
            : !getInterfaceFor(op) ||
                  InlinerInterface::isLegalToInline(op, dest, cloned, mapping);
    if (!legal)
      refused = op;
    return legal;
  }

  void processInlinedBlocks(
      iterator_range<Region::iterator> inlinedBlocks) override {
    if (!isa<UnknownLoc>(call))
      for (Block &block : inlinedBlocks)
        block.walk([&](Operation *op) {
          if (auto site = dyn_cast<CallSiteLoc>(op->getLoc()))
            op->setLoc(nameCallee(site));
        });
    moveAllocas(inlinedBlocks);
  }

  // A private array of a callee is one of the caller: allocated at each call
  // in a loop, it would grow the stack.
  void moveAllocas(iterator_range<Region::iterator> inlinedBlocks) {
    for (Block &block : inlinedBlocks)
      for (auto alloca :
           llvm::make_early_inc_range(block.getOps<memref::AllocaOp>())) {
        Operation *around = alloca->getParentOp();
        while (around && !isa<FunctionOpInterface, gpu::LaunchOp>(around))
          around = around->getParentOp();
        if (!around || alloca->getNumOperands() != 0)
          continue;
        Block &entry = around->getRegion(0).front();
        alloca->moveBefore(&entry, entry.begin());
      }
  }

  // The location of an op at a call does not say what is called.
  Location nameCallee(CallSiteLoc site) {
    Location caller = site.getCaller(), code = site.getCallee();
    if (caller == call)
      return CallSiteLoc::get(FusedLoc::get(call.getContext(), {code}, callee),
                              caller);
    if (auto outer = dyn_cast<CallSiteLoc>(caller))
      return CallSiteLoc::get(code, nameCallee(outer));
    return site;
  }

  mutable Operation *refused = nullptr;
  Location call;
  FlatSymbolRefAttr callee;
};
} // namespace

// Replaces the results of a call by those of the callee's body, which is copied
// before it.
extern "C" TileInlined tileInlineCall(MlirOperation call, MlirOperation callee,
                                      MlirOperation *refused) {
  auto function = cast<CallableOpInterface>(unwrap(callee));
  Region *body = function.getCallableRegion();
  Operation *around = unwrap(call)->getParentOp();
  if (!llvm::hasSingleElement(*body) &&
      around->hasTrait<OpTrait::SingleBlock>())
    return TileInlinedBlocks;
  CallInliner inliner(
      unwrap(call)->getLoc(),
      FlatSymbolRefAttr::get(SymbolTable::getSymbolName(unwrap(callee))));
  InlinerConfig config;
  if (succeeded(inlineCall(inliner, config.getCloneCallback(),
                           cast<CallOpInterface>(unwrap(call)), function,
                           body)))
    return TileInlinedDone;
  *refused = wrap(inliner.refused);
  return TileInlinedRefused;
}

// Whether nothing in the module around a function refers to it.
extern "C" bool tileIsUnreferenced(MlirOperation function) {
  Operation *op = unwrap(function);
  return SymbolTable::symbolKnownUseEmpty(op, op->getParentOp());
}

extern "C" bool tileIsPrivate(MlirOperation function) {
  return SymbolTable::getSymbolVisibility(unwrap(function)) ==
         SymbolTable::Visibility::Private;
}
