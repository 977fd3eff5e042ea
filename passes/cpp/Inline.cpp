//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// One call that becomes the body of its callee, by MLIR's inliner.

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

namespace {
/// The threads that execute a call execute what replaces it, so every op may
/// move.
struct CallInliner : InlinerInterface {
  CallInliner(Location call, FlatSymbolRefAttr callee)
      : InlinerInterface(call.getContext()), call(call), callee(callee) {}

  bool isLegalToInline(Operation *, Operation *, bool) const override {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
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

  Location call;
  FlatSymbolRefAttr callee;
};
} // namespace

// Replaces the results of a call by those of the callee's body, which is copied
// before it; false where that has several blocks, and the call is in a region
// of one.
extern "C" bool tileInlineCall(MlirOperation call, MlirOperation callee) {
  auto function = cast<CallableOpInterface>(unwrap(callee));
  Region *body = function.getCallableRegion();
  Operation *around = unwrap(call)->getParentOp();
  if (!llvm::hasSingleElement(*body) &&
      around->hasTrait<OpTrait::SingleBlock>())
    return false;
  CallInliner inliner(
      unwrap(call)->getLoc(),
      FlatSymbolRefAttr::get(SymbolTable::getSymbolName(unwrap(callee))));
  InlinerConfig config;
  return succeeded(inlineCall(inliner, config.getCloneCallback(),
                              cast<CallOpInterface>(unwrap(call)), function,
                              body));
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
