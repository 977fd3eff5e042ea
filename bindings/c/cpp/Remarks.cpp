//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Remarks through a callback, since MLIR's C API has no remarks.

#include "tile-c/Compile.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace {

struct Caller : remark::detail::MLIRRemarkStreamerBase {
  Caller(MlirTileRemarkCallback call, void *userData)
      : call(call), userData(userData) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    SmallVector<MlirStringRef> keys, values;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
      keys.push_back(wrap(StringRef(arg.key)));
      values.push_back(wrap(StringRef(arg.val)));
    }
    MlirTileRemark plain = {remark.getRemarkType() ==
                                llvm::remarks::Type::Passed,
                            wrap(remark.getRemarkName()),
                            wrap(remark.getCategoryName()),
                            wrap(remark.getFunction()),
                            wrap(remark.getLocation()),
                            static_cast<intptr_t>(keys.size()),
                            keys.data(),
                            values.data()};
    call(&plain, userData);
  }

  MlirTileRemarkCallback call;
  void *userData;
};

} // namespace

bool mlirTileSetRemarkCallback(MlirContext context, MlirTileRemarkCallback call,
                               void *userData, MlirTileErrorHandler onError) {
  if (mlirContextIsNull(context)) {
    if (onError.say)
      onError.say(wrap(StringRef("got a null context, expected one")),
                  onError.userData);
    return false;
  }
  if (!call) {
    unwrap(context)->setRemarkEngine(nullptr);
    return true;
  }
  remark::RemarkCategories filters;
  filters.passed = filters.missed = ".*";
  return succeeded(remark::enableOptimizationRemarks(
      *unwrap(context), std::make_unique<Caller>(call, userData),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), filters,
      /*printAsEmitRemarks=*/false));
}
